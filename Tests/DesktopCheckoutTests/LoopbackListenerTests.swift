import CheckoutFlow
import Cryptography
import DesktopCheckout
import Foundation
import Testing

@Suite("A loopback listener")
struct LoopbackListenerTests {
    /// The URLs that a listener hands over, one after the other.
    static func urls(_ channel: some ReturnChannel) -> AsyncStream<String> {
        AsyncStream { continuation in channel.listen { continuation.yield($0) } }
    }

    static func first(_ urls: AsyncStream<String>) async -> String? {
        for await url in urls { return url }
        return nil
    }

    @Test("The return is answered by a page and handed over with its parameters")
    func returned() async throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let urls = Self.urls(listener)
        let query = "?payment_id=pay_1&status=succeeded&email=a%40b.example"
        let answer = try #require(try PlainURL(listener.returnURL).send("GET", query))
        #expect(answer.status == 200)
        #expect(answer.body.contains("You can close this window."))
        #expect(await Self.first(urls) == listener.returnURL + query)
    }

    @Test("A return that came before anybody listened is kept")
    func early() async throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        #expect(try PlainURL(listener.returnURL).send("GET", "?status=failed")?.status == 200)
        #expect(await Self.first(Self.urls(listener)) == listener.returnURL + "?status=failed")
    }

    @Test("A customer who gives up comes to a URL of their own")
    func cancelled() async throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let cancelURL = try #require(listener.cancelURL)
        #expect(cancelURL != listener.returnURL)
        #expect(try PlainURL(cancelURL).send()?.status == 200)
        #expect(await Self.first(Self.urls(listener)) == cancelURL)
    }

    struct Request: Sendable, CustomTestStringConvertible {
        let method: String
        let path: String?
        let host: String?
        let status: Int
        var testDescription: String { "\(method) \(path ?? "own path") \(host ?? "own host")" }
    }

    @Test(
        "Whatever is not the return is refused, and does not use the return up",
        arguments: [
            Request(method: "GET", path: "/", host: nil, status: 404),
            Request(method: "GET", path: "/favicon.ico", host: nil, status: 404),
            Request(method: "GET", path: "/return/", host: nil, status: 404),
            Request(
                method: "GET", path: "/return/\(String(repeating: "0", count: 32))", host: nil,
                status: 404),
            Request(method: "GET", path: "/../return", host: nil, status: 404),
            Request(method: "GET", path: "*", host: nil, status: 404),
            Request(method: "POST", path: "/", host: nil, status: 404),
            Request(method: "POST", path: nil, host: nil, status: 405),
            Request(method: "HEAD", path: nil, host: nil, status: 405),
            Request(method: "PUT", path: nil, host: nil, status: 405),
            Request(method: "GET", path: nil, host: "shop.example", status: 404),
            Request(method: "GET", path: nil, host: "127.0.0.1", status: 404),
            Request(method: "GET", path: nil, host: "127.0.0.1.shop.example:80", status: 404),
        ])
    func refused(_ request: Request) throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let url = try PlainURL(listener.returnURL)
        let answer = url.send(request.method, path: request.path, host: request.host)
        #expect(answer?.status == request.status)
        #expect(answer?.field("Allow") == (request.status == 405 ? "GET" : nil))
        #expect(url.send()?.status == 200)
    }

    @Test("The return counts once, at either address")
    func once() async throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let url = try PlainURL(listener.returnURL)
        #expect(url.send("GET", "?status=succeeded")?.status == 200)
        #expect(url.send("GET", "?status=failed")?.status == 410)
        #expect(url.send("GET", "?status=failed", version6: true).map(\.status) ?? 410 == 410)
        let urls = Self.urls(listener)
        #expect(await Self.first(urls) == listener.returnURL + "?status=succeeded")
    }

    @Test("It listens at [::1] where the machine has that address")
    func version6() throws {
        guard PlainConnection(port: try PlainURL(LoopbackListener().returnURL).port) == nil else {
            Issue.record("a released listener still listens")
            return
        }
        let listener = try LoopbackListener(host: .localhost)
        defer { listener.close() }
        #expect(listener.returnURL.hasPrefix("http://localhost:"))
        let url = try PlainURL(listener.returnURL)
        // A machine without that address has nobody to ask.
        guard let answer = url.send(host: "localhost:\(url.port)", version6: true) else { return }
        #expect(answer.status == 200)
    }

    @Test("The page shows the host's words escaped, and nothing of the URL")
    func page() throws {
        let words = "<b>\"Tom & Jerry's\"</b>"
        let listener = try LoopbackListener(
            page: ReturnPage(title: words, message: words, language: "de\"><script>"))
        defer { listener.close() }
        let answer = try #require(
            try PlainURL(listener.returnURL).send("GET", "?status=%3Cscript%3E&email=mira"))
        let escaped = "&lt;b&gt;&quot;Tom &amp; Jerry&#39;s&quot;&lt;/b&gt;"
        #expect(answer.body.components(separatedBy: escaped).count == 4)
        for word in ["<b>", "<script", "mira", "script%3E", "href", "src"] {
            #expect(!answer.body.contains(word), "\(word)")
        }
    }

    @Test("The page may load its own style and nothing else, and is kept nowhere")
    func policy() throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let answer = try #require(try PlainURL(listener.returnURL).send())
        let style = try #require(
            answer.body.components(separatedBy: "<style>").last?
                .components(separatedBy: "</style>").first)
        let hash = Base64.encode(SHA256.hash(Array(style.utf8)).bytes)
        let policy = try #require(answer.field("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-\(hash)';"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(answer.field("Referrer-Policy") == "no-referrer")
        #expect(answer.field("X-Content-Type-Options") == "nosniff")
        #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
    }

    @Test("Bytes that no URL may hold are escaped before anybody reads them")
    func rawBytes() async throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let url = try PlainURL(listener.returnURL)
        let connection = try #require(PlainConnection(port: url.port))
        let query = Array("?name=".utf8) + [0xE4, 0xFF, 0x7F]
        connection.write(
            Array("GET \(url.path)".utf8) + query
                + Array(" HTTP/1.1\r\nHost: 127.0.0.1:\(url.port)\r\n\r\n".utf8))
        #expect(PlainAnswer(connection.read()).status == 200)
        let expected = listener.returnURL + "?name=%E4%FF%7F"
        #expect(await Self.first(Self.urls(listener)) == expected)
    }

    @Test("A request that is too long is refused, and the next one is answered")
    func tooLong() throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let url = try PlainURL(listener.returnURL)
        let long = url.send("GET", "?" + String(repeating: "a", count: 40_000))
        #expect([414, 431].contains(long?.status))
        let field = String(repeating: "a", count: 40_000)
        let wide = url.send(host: "127.0.0.1:\(url.port)\r\nX: \(field)")
        #expect([413, 431].contains(wide?.status))
        #expect(url.send()?.status == 200)
    }

    @Test("Clients that say nothing cannot keep the browser out")
    func idle() throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let url = try PlainURL(listener.returnURL)
        let silent = (0..<40).compactMap { _ in PlainConnection(port: url.port) }
        #expect(silent.count == 40)
        #expect(url.send()?.status == 200)
        #expect(silent[0].isCutOff(), "the oldest gave way")
    }

    @Test("A port that is taken is named, and is free again after the checkout")
    func portInUse() throws {
        let first = try LoopbackListener()
        let port = try PlainURL(first.returnURL).port
        let error = #expect(throws: CheckoutError.self) { _ = try LoopbackListener(port: port) }
        #expect(error?.code == .portInUse)
        #expect(error?.message.contains("\(port)") == true)
        first.close()
        #expect(try PlainURL(first.returnURL).send() == nil, "the port is closed")
        #expect(throws: CheckoutError.self) { try first.check() }
        let second = try LoopbackListener(port: port)
        #expect(try PlainURL(second.returnURL).port == port)
        second.close()
    }

    /// On a port that was free just before; another test may take it in between.
    private static func listenerOnChosenPort() throws -> (LoopbackListener, UInt16) {
        while true {
            let spare = try LoopbackListener()
            let port = try PlainURL(spare.returnURL).port
            spare.close()
            do {
                let listener = try LoopbackListener(
                    returnURL: "http://127.0.0.1:\(port)/done/7f3a/",
                    cancelURL: "http://127.0.0.1:\(port)/gone/7f3a")
                return (listener, port)
            } catch {
                guard error.code == .portInUse else { throw error }
            }
        }
    }

    @Test("A URL that the host chose is listened at, with or without a slash at its end")
    func givenURL() async throws {
        let (listener, port) = try Self.listenerOnChosenPort()
        defer { listener.close() }
        #expect(listener.returnURL == "http://127.0.0.1:\(port)/done/7f3a")
        #expect(try PlainURL(listener.returnURL).send("GET", "/?status=failed")?.status == 200)
        #expect(await Self.first(Self.urls(listener)) == listener.returnURL + "/?status=failed")
    }

    @Test(
        "A URL that does not lead to this machine's port is refused",
        arguments: [
            "https://127.0.0.1:8080/x", "http://127.0.0.1/x", "http://127.0.0.1:0/x",
            "http://127.0.0.1:99999/x", "http://127.0.0.1:8080", "http://127.0.0.1:8080/x?y",
            "http://127.0.0.1:8080/x#y", "http://127.0.0.1:8080/ä", "http://127.0.0.2:8080/x",
            "http://127.0.0.1.shop.example:8080/x", "http://u@127.0.0.1:8080/x", "shop://return",
            "http://127.0.0.1:+80/x", "",
        ])
    func badURL(_ url: String) {
        let error = #expect(throws: CheckoutError.self) {
            _ = try LoopbackListener(returnURL: url)
        }
        #expect(error?.code == .invalidReturnURL)
    }

    @Test("Two listeners have nothing in common")
    func unguessable() throws {
        let (first, second) = (try LoopbackListener(), try LoopbackListener())
        defer { for listener in [first, second] { listener.close() } }
        let paths = try [first, second].map { try PlainURL($0.returnURL).path }
        #expect(paths[0] != paths[1])
        #expect(paths[0].split(separator: "/").last?.count == 32)
        #expect(try PlainURL(second.returnURL).send(path: paths[0])?.status == 404)
    }
}
