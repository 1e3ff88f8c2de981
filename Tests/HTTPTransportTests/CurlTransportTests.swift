import Foundation
import HTTPTransport
import ProviderKit
import TestSupport
import Testing

/// The reason for which a request has no reply; nil when it has one.
func refusal(
    of transport: some HTTPTransport, _ plan: HTTPRequestPlan, deadline: Duration = .seconds(20)
) async -> TransportError.Reason? {
    do throws(TransportError) {
        _ = try await transport.send(plan, deadline: deadline)
        return nil
    } catch {
        return error.reason
    }
}

func get(_ url: String, headers: HeaderList = [:]) -> HTTPRequestPlan {
    HTTPRequestPlan(method: "GET", url: url, headers: headers)
}

func post(
    _ url: String, _ body: String, headers: HeaderList = [:], isRepeatable: Bool? = nil
) -> HTTPRequestPlan {
    HTTPRequestPlan(
        method: "POST", url: url, headers: headers, body: Array(body.utf8),
        isRepeatable: isRepeatable)
}

extension CurlTransport {
    /// One that may talk plain HTTP to this machine.
    static func local(_ change: (inout CurlTransportOptions) -> Void = { _ in }) -> CurlTransport {
        var options = CurlTransportOptions()
        options.allowsLoopbackHTTP = true
        // A busy machine may let minutes pass between two requests of a test.
        options.connectionReuseTime = .seconds(86_400)
        change(&options)
        return CurlTransport(options: options)
    }
}

@Suite("Requests over libcurl")
struct CurlTransportTests {
    private let transport = CurlTransport.local()

    private func server(
        _ handler: @escaping @Sendable (LocalServer.Request) -> [LocalServer.Step]
    ) throws -> LocalServer { try #require(LocalServer(handler)) }

    @Test("A reply comes with its status, its headers in order and its body byte for byte")
    func reply() async throws {
        let server = try server { _ in
            [
                .reply(
                    402, "body \u{0} ü",
                    headers: [("X-One", " 1 "), ("x-two", "2"), ("X-One", "3")])
            ]
        }
        let reply = try await transport.send(get(server.address + "/a?b=c"), deadline: .seconds(20))
        #expect(reply.status == 402)
        #expect(reply.body == Array("body \u{0} ü".utf8))
        #expect(
            reply.headers.fields.prefix(3) == [
                .init(name: "X-One", value: "1"), .init(name: "x-two", value: "2"),
                .init(name: "X-One", value: "3"),
            ])
        #expect(server.requests.map(\.path) == ["/a?b=c"])
    }

    @Test("A request arrives as it was planned, with nothing that nobody asked for")
    func request() async throws {
        let server = try server { _ in [.reply(200, "")] }
        let plan = post(
            server.address + "/p", "a=1", headers: ["Authorization": "Bearer k", "X-Empty": ""])
        _ = try await transport.send(plan, deadline: .seconds(20))
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.body == Array("a=1".utf8))
        #expect(request.header("Authorization") == "Bearer k")
        #expect(request.header("X-Empty") == "")
        #expect(request.header("User-Agent") == "checkout-ledger")
        for name in ["Expect", "Content-Type", "Cookie", "Accept-Encoding", "Proxy-Connection"] {
            #expect(request.header(name) == nil, "\(name)")
        }
        _ = try await transport.send(post(server.address, ""), deadline: .seconds(20))
        #expect(server.requests.last?.header("Content-Length") == "0")
    }

    @Test("Redirects are replies and are not followed")
    func redirects() async throws {
        let server = try server { request in
            request.path == "/"
                ? [.reply(302, "", headers: [("Location", "/elsewhere")])] : [.reply(200, "")]
        }
        let reply = try await transport.send(get(server.address + "/"), deadline: .seconds(20))
        #expect(reply.status == 302)
        #expect(server.requests.count == 1)
    }

    @Test("What breaks on the way has a name of its own")
    func breakage() async throws {
        let half = LocalServer.head(200, [("Content-Length", "100")]) + Array("half".utf8)
        let huge = [UInt8](repeating: 0x61, count: 3_000_000)
        let cases: [(id: String, steps: [LocalServer.Step], reason: TransportError.Reason)] = [
            ("nothing", [.close], .closedEarly),
            ("half a body", [.write(half), .close], .closedEarly),
            ("half a head", [.write(Array("HTTP/1.1 200 O".utf8)), .close], .closedEarly),
            ("no HTTP", [.write(Array("SSH-2.0-x\r\n\r\n".utf8)), .close], .malformedReply),
            (
                "chunks that break off",
                [
                    .write(
                        LocalServer.head(200, [("Transfer-Encoding", "chunked")])
                            + Array("5\r\nhello\r\n".utf8)), .close,
                ], .closedEarly
            ),
            (
                "a huge body",
                [.write(LocalServer.head(200, [("Content-Length", "3000000")]) + huge), .close],
                .tooLarge
            ),
            (
                "a huge body of no stated length",
                [.write(LocalServer.head(200, []) + huge), .close], .tooLarge
            ),
            (
                "huge headers",
                [.reply(200, "", headers: [("X", String(repeating: "y", count: 70_000))])],
                .headersTooLarge
            ),
        ]
        let transport = CurlTransport.local { $0.replyBodyBytes = 1_000_000 }
        for (id, steps, reason) in cases {
            let server = try server { _ in steps }
            #expect(await refusal(of: transport, get(server.address)) == reason, "\(id)")
        }
    }

    @Test("A body of exactly the limit is read")
    func bodyAtTheLimit() async throws {
        let transport = CurlTransport.local { $0.replyBodyBytes = 10 }
        let server = try server { _ in [.reply(200, "0123456789")] }
        let reply = try await transport.send(get(server.address), deadline: .seconds(20))
        #expect(reply.body.count == 10)
    }

    @Test("The deadline ends a request that waits, also in the middle of a body")
    func deadlines() async throws {
        let head = LocalServer.head(200, [("Content-Length", "100")])
        for steps in [[.waitForClose], [.write(head), .waitForClose]] as [[LocalServer.Step]] {
            let server = try server { _ in steps }
            let reason = await refusal(
                of: transport, get(server.address), deadline: .milliseconds(150))
            #expect(reason == .timeout)
        }
        #expect(await refusal(of: transport, get("http://127.0.0.1:1"), deadline: .zero) != nil)
    }

    @Test("Requests beyond the number that may be under way wait, and time out while they wait")
    func waiting() async throws {
        let transport = CurlTransport.local { $0.concurrentTransfers = 1 }
        let server = try server { request in
            request.path == "/hang" ? [.waitForClose] : [.reply(200, "")]
        }
        let address = server.address
        let first = Task {
            await refusal(of: transport, get(address + "/hang"), deadline: .seconds(60))
        }
        while server.requests.isEmpty { await Task.yield() }
        #expect(
            await refusal(of: transport, get(address + "/"), deadline: .milliseconds(100))
                == .timeout)
        let later = Task { await refusal(of: transport, get(address + "/later")) }
        first.cancel()
        #expect(await first.value == .cancelled)
        #expect(await later.value == nil)
        #expect(server.requests.map(\.path) == ["/hang", "/later"])
    }

    @Test("A cancelled task ends its request, whether it waits or is under way")
    func cancellation() async throws {
        let transport = CurlTransport.local { $0.concurrentTransfers = 1 }
        let server = try server { _ in [.waitForClose] }
        let address = server.address
        let underWay = Task { await refusal(of: transport, get(address), deadline: .seconds(60)) }
        while server.requests.isEmpty { await Task.yield() }
        let waiting = Task { await refusal(of: transport, get(address), deadline: .seconds(60)) }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        underWay.cancel()
        #expect(await underWay.value == .cancelled)
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await refusal(of: transport, get(address), deadline: .seconds(60))
        }
        #expect(await before.value == .cancelled)
    }

    @Test("A closed transport ends what is under way and takes nothing more")
    func closing() async throws {
        let transport = CurlTransport.local()
        let server = try server { _ in [.waitForClose] }
        let address = server.address
        let underWay = Task { await refusal(of: transport, get(address), deadline: .seconds(60)) }
        while server.requests.isEmpty { await Task.yield() }
        transport.close()
        #expect(await underWay.value == .cancelled)
        #expect(await refusal(of: transport, get(address)) == .cancelled)
    }

    @Test("Connections are kept and used again, but not for what must not be sent twice")
    func reuse() async throws {
        let server = try server { _ in [.reply(200, "")] }
        for _ in 0..<3 {
            _ = try await transport.send(get(server.address), deadline: .seconds(20))
        }
        #expect(server.requests.map(\.connection) == [0, 0, 0])
        _ = try await transport.send(post(server.address, "once"), deadline: .seconds(20))
        #expect(server.requests.last?.connection == 1)
    }

    @Test("Two hundred requests at once are all answered, each with its own reply")
    func manyAtOnce() async throws {
        let server = try server { [.reply(200, $0.path)] }
        let (address, transport) = (server.address, transport)
        let bodies = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<200 {
                group.addTask {
                    let reply = try await transport.send(
                        get("\(address)/\(number)"), deadline: .seconds(60))
                    return (number, String(decoding: reply.body, as: UTF8.self))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(bodies.count == 200)
        #expect(bodies.allSatisfy { $0.value == "/\($0.key)" })
    }

    @Test("A name without an address and a port without a server are told apart")
    func unreachable() async throws {
        let server = try server { _ in [] }
        server.stop()
        #expect(await refusal(of: transport, get(server.address)) == .refused)
        #expect(await refusal(of: transport, get("https://no-such-host.invalid/")) == .dns)
    }

    @Test(
        "Only https is sent, and http to this machine where that is allowed",
        arguments: [
            ("http://shop.example/", true), ("http://127.0.0.1.example/", true),
            ("http://127.0.0.1:9/", false), ("http://localhost:9/", false),
            ("http://[::1]:9/", false), ("http://10.0.0.1/", true),
        ])
    func insecure(url: String, isAlwaysRefused: Bool) async {
        #expect(await refusal(of: CurlTransport(), get(url)) == .insecure)
        if isAlwaysRefused {
            #expect(await refusal(of: transport, get(url)) == .insecure)
        } else {
            #expect(await refusal(of: transport, get(url)) != .insecure)
        }
    }

    @Test(
        "A request that cannot be sent as it stands is refused before anything is sent",
        arguments: [
            get("https://user:secret@shop.example/"), get("https:///path"), get("ftp://x.example"),
            get("https://shop.example/a b"), get("https://shop.example/#f"), get("file:///etc"),
            get("https://shop.example:0/"), get("https://shop.example:99999/"), get(""),
            get("https://shop.example/\r\nX: y"), get("https://shop.example\\@evil.example/"),
            get("https://shop.example/", headers: ["X": "a\r\nInjected: b"]),
            get("https://shop.example/", headers: ["X: a": "b"]),
            get("https://shop.example/", headers: ["": "b"]),
            HTTPRequestPlan(method: "DELETE", url: "https://shop.example/", headers: [:]),
            HTTPRequestPlan(method: "GET", url: "https://shop.example/", headers: [:], body: [1]),
        ])
    func malformed(plan: HTTPRequestPlan) async {
        #expect(await refusal(of: transport, plan) == .malformedRequest)
    }

    @Test("A host can be played by a server on this machine, and adapters keep their own URLs")
    func loopbackRoute() async throws {
        let server = try server { _ in [.reply(200, "played")] }
        let transport = CurlTransport.local {
            $0.allowsLoopbackHTTP = false
            $0.loopbackRoutes = ["api.provider.example": LoopbackRoute(port: server.port)]
        }
        let reply = try await transport.send(
            get("https://API.provider.example/v1?x=1"), deadline: .seconds(20))
        #expect(reply.body == Array("played".utf8))
        #expect(server.requests.first?.header("Host") == "api.provider.example")
        #expect(server.requests.first?.path == "/v1?x=1")
    }

    @Test("An error names the host and nothing else of the request")
    func privacy() async throws {
        let server = try server { _ in [.close] }
        let plan = get(
            server.address + "/sessions/cks_private?q=1",
            headers: ["Authorization": "Bearer topsecret"])
        do throws(TransportError) {
            _ = try await transport.send(plan, deadline: .seconds(20))
            Issue.record("the server sent nothing")
        } catch {
            var dumped = ""
            dump(error, to: &dumped)
            for text in ["\(error)", dumped, error.message, error.hint] {
                #expect(!text.contains("cks_private") && !text.contains("topsecret"))
            }
            #expect(error.message.contains("127.0.0.1"))
        }
    }

    @Test("Every reason has its own code, a sentence and a hint")
    func words() {
        let errors = TransportError.Reason.allCases.map { TransportError($0, host: "h.example") }
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(Set(errors.map(\.message)).count == errors.count)
        #expect(errors.allSatisfy { $0.message.hasSuffix(".") && $0.hint.hasSuffix(".") })
        #expect(errors.allSatisfy { !($0.isPassing && $0.reason == .cancelled) })
    }
}
