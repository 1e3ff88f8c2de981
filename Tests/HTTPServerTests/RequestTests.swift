import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Requests and answers")
struct RequestTests {
    @Test("One connection carries many requests, and an answer names its date and no program")
    func keepAlive() async throws {
        try await withServer { _, port in
            let found = try await onThread {
                let client = try #require(RawClient(port: port))
                return (0..<5).compactMap { number in
                    client.request("POST", "/a?b=\(number)", body: Array("body \(number)".utf8))
                    return client.reply()
                }
            }
            #expect(found.map(\.text) == (0..<5).map { "POST /a?b=\($0) body \($0)" })
            for reply in found {
                #expect(reply.status == 200)
                #expect(reply.headers["date"] != nil)
                #expect(reply.headers["server"] == nil)
                #expect(reply.headers["x-content-type-options"] == "nosniff")
                #expect(reply.headers["cache-control"] == "no-store")
            }
        }
    }

    @Test("HEAD is answered with the head of GET's answer alone")
    func head() async throws {
        try await withServer { _, port in
            let found = try await onThread {
                let client = try #require(RawClient(port: port))
                client.request("HEAD", "/page")
                let head = client.reply(toHead: true)
                client.request("GET", "/page")
                return (head, client.reply())
            }
            #expect(found.0?.status == 200)
            #expect(found.0?.headers["content-length"] == found.1?.headers["content-length"])
            #expect(found.1?.text == "GET /page ")
        }
    }

    @Test("Requests sent all at once are answered in their order")
    func pipelined() async throws {
        try await withServer { _, port in
            let bytes = (0..<8).map { "GET /\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined()
            let found = try await replies(port, to: bytes, count: 8)
            #expect(found.map(\.text) == (0..<8).map { "GET /\($0) " })
        }
    }

    @Test("What two readers could understand in two ways is refused, and the connection closed")
    func malformed() async throws {
        let calls = Atomic<Int>(0)
        let handler = TestHandler { _ in
            calls.add(1, ordering: .relaxed)
            return WebResponse(type: "text/plain", "")
        }
        let cases: [(id: String, lines: [String])] = [
            ("no host", ["GET / HTTP/1.1"]),
            ("no host in the old version", ["GET / HTTP/1.0"]),
            ("two hosts", ["GET / HTTP/1.1", "Host: a", "Host: b"]),
            (
                "the same length twice",
                ["POST / HTTP/1.1", "Host: a", "Content-Length: 2", "Content-Length: 2"]
            ),
            (
                "two lengths",
                ["POST / HTTP/1.1", "Host: a", "Content-Length: 2", "Content-Length: 3"]
            ),
            ("two lengths in one", ["POST / HTTP/1.1", "Host: a", "Content-Length: 2, 3"]),
            ("a length with a sign", ["POST / HTTP/1.1", "Host: a", "Content-Length: +2"]),
            ("a length below nothing", ["POST / HTTP/1.1", "Host: a", "Content-Length: -2"]),
            (
                "a length beside chunks",
                [
                    "POST / HTTP/1.1", "Host: a", "Content-Length: 2",
                    "Transfer-Encoding: chunked",
                ]
            ),
            (
                "another coding",
                ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: gzip, chunked"]
            ),
            ("no coding", ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: identity"]),
            ("no path", ["GET http://elsewhere/ HTTP/1.1", "Host: a"]),
            ("a broken escape", ["GET /%zz HTTP/1.1", "Host: a"]),
            ("a zero byte", ["GET /%00 HTTP/1.1", "Host: a"]),
            ("a path that is no UTF-8", ["GET /%ff HTTP/1.1", "Host: a"]),
        ]
        try await withServer(handler) { _, port in
            for (id, lines) in cases {
                let found = try await onThread {
                    let client = try #require(RawClient(port: port))
                    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                    return (client.reply()?.status, client.isClosedByPeer())
                }
                #expect(found == (400, true), "\(id)")
            }
        }
        #expect(calls.load(ordering: .relaxed) == 0)
    }

    @Test("Noise that is no HTTP is answered 400 or cut off, and the next client is served")
    func noise() async throws {
        try await withServer { _, port in
            for noise in [
                "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\r\n\r\n",
            ] {
                let status = try await onThread {
                    let client = try #require(RawClient(port: port))
                    client.send(noise)
                    client.finishSending()
                    return client.reply()?.status
                }
                #expect(status ?? 400 >= 400)
            }
            let next = try await replies(port, to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(next.count == 1)
        }
    }

    @Test("Paths and queries are decoded once, doubles kept in order")
    func decoded() async throws {
        let handler = TestHandler { request in
            let query = request.query.map { "\($0.name)=\($0.value)" }
            return WebResponse(
                type: "text/plain", (request.path + ["?"] + query).joined(separator: "|"))
        }
        try await withServer(handler) { _, port in
            let found = try await replies(
                port,
                to: "GET /a%2Fb/%25/c+d?x=1+2&x=%26&y HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(found.map(\.text) == ["a/b|%|c+d|?|x=1 2|x=&|y="])
        }
    }

    @Test("A form is read only as what it says it is")
    func forms() throws {
        func form(_ type: String?, _ body: String) -> WebForm? {
            WebForm(
                WebRequest(
                    method: "POST", target: "/", path: [],
                    headers: type.map { [WebField("content-type", $0)] } ?? [],
                    body: Array(body.utf8)))
        }
        let usual = "application/x-www-form-urlencoded"
        #expect(form(usual, "a=1&b=x+y%21")?["b"] == "x y!")
        #expect(form(usual + "; charset=utf-8", "a=1")?["a"] == "1")
        #expect(form("text/plain", "a=1") == nil)
        #expect(form(nil, "a=1") == nil)
        #expect(form(usual, "a=%9") == nil)
        #expect(form(usual, "")?.fields == [])
    }
}
