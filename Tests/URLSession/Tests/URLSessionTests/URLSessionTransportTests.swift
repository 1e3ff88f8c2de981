import Foundation
import HTTPTransport
import ProviderKit
import TestSupport
import Testing

/// Over plain HTTP, but for what refuses a certificate: this client cannot be given roots.
@Suite("Requests over Foundation's client")
struct URLSessionTransportTests {
    private let transport = URLSessionTransport(allowsLoopbackHTTP: true)

    private func get(_ url: String) -> HTTPRequestPlan {
        HTTPRequestPlan(method: "GET", url: url, headers: ["X-Word": "tea"])
    }

    /// Why a request got no reply; nil when it got one.
    private func reason(
        _ transport: URLSessionTransport, _ url: String, deadline: Duration = .seconds(20)
    ) async -> TransportError.Reason? {
        do throws(TransportError) {
            _ = try await transport.send(get(url), deadline: deadline)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Request and reply go over whole, and every status is a reply")
    func replies() async throws {
        let server = try #require(
            LocalServer { request in
                let status = Int(request.path.dropFirst()) ?? 0
                return [.reply(status, "said", headers: [("Retry-After", "17")])]
            })
        for status in [200, 201, 401, 404, 429, 500] {
            let plan = HTTPRequestPlan(
                method: "POST", url: "\(server.address)/\(status)", headers: ["X-Word": "tea"],
                body: Array("body".utf8))
            let reply = try await transport.send(plan, deadline: .seconds(20))
            #expect(reply.status == status)
            #expect(reply.body == Array("said".utf8))
            #expect(reply.retryAfterSeconds == 17)
            let request = try #require(server.requests.last)
            #expect(request.method == "POST" && request.header("X-Word") == "tea")
            #expect(request.body == Array("body".utf8))
        }
    }

    @Test("A redirect is a reply and is not followed")
    func redirect() async throws {
        let server = try #require(
            LocalServer { _ in [.reply(302, "", headers: [("Location", "/elsewhere")])] })
        let reply = try await transport.send(get("\(server.address)/"), deadline: .seconds(20))
        #expect(reply.status == 302)
        #expect(server.requests.map(\.path) == ["/"])
    }

    @Test("Nothing goes out unencrypted unless it was allowed, and then only to this machine")
    func insecure() async throws {
        let server = try #require(LocalServer { _ in [.reply(200, "")] })
        #expect(await reason(URLSessionTransport(), "\(server.address)/") == .insecure)
        #expect(await reason(transport, "http://api.example/") == .insecure)
        #expect(server.requests.isEmpty)
    }

    @Test("A certificate that leads to no trusted root gets no request")
    func certificate() async throws {
        try await withTemporaryDirectory { directory in
            let authority = try TestAuthority(in: directory)
            let server = try LocalTLSServer(authority.issue("localhost"))
            let found = await reason(transport, "https://localhost:\(server.port)/")
            // On Linux Foundation has no word of its own for it.
            #expect([.untrusted, .tls, .network].contains(found))
        }
    }

    @Test("A reply that is longer than may be, or is cut off, is none")
    func broken() async throws {
        let long = try #require(
            LocalServer { _ in [.reply(200, String(repeating: "x", count: 100_000))] })
        let small = URLSessionTransport(replyBodyBytes: 16, allowsLoopbackHTTP: true)
        #expect(await reason(small, "\(long.address)/") == .tooLarge)
        let short = try #require(
            LocalServer { _ in
                [.write(LocalServer.head(200, [("Content-Length", "9")]) + [0x61]), .close]
            })
        #expect(await reason(transport, "\(short.address)/") != nil)
    }

    @Test("A server that says nothing is given up at the deadline, or when the task is cancelled")
    func silence() async throws {
        let mute = try #require(LocalServer { _ in [.waitForClose] })
        let patient = URLSessionTransport(connectTimeout: .seconds(60), allowsLoopbackHTTP: true)
        let url = "\(mute.address)/"
        #expect(await reason(patient, url, deadline: .milliseconds(200)) == .timeout)
        let task = Task { await reason(patient, url) }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("A port that nobody listens on is told as such")
    func refused() async throws {
        let server = try #require(LocalServer { _ in [.close] })
        let address = server.address
        server.stop()
        let found = await reason(transport, "\(address)/")
        #expect([.refused, .closedEarly].contains(found))
    }
}
