import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Many at once, streams, and the end")
struct StoppingTests {
    @Test("Requests that wait for their answer occupy no thread")
    func waiting() async throws {
        let count = 64
        let inside = Atomic<Int>(0)
        let full = Gate()
        let handler = TestHandler { _ in
            // Nobody gets an answer until all are there, on two threads.
            if inside.add(1, ordering: .relaxed).newValue == count { full.open() }
            while inside.load(ordering: .relaxed) < count { await Task.yield() }
            return WebResponse(type: "text/plain", "together")
        }
        try await withServer(handler) { _, port in
            let texts = try await onThread {
                let clients = try (0..<count).map { _ in try #require(RawClient(port: port)) }
                for client in clients { client.request("GET", "/") }
                return clients.map { $0.reply()?.text }
            }
            #expect(texts == Array(repeating: "together", count: count))
        }
    }

    @Test("Many connections are served, one after the other and at the same time")
    func many() async throws {
        try await withServer { server, port in
            let found = try await onThread {
                let clients = try (0..<96).map { _ in try #require(RawClient(port: port)) }
                var statuses: [Int?] = []
                for _ in 0..<3 {
                    for client in clients { client.request("GET", "/") }
                    statuses += clients.map { $0.reply()?.status }
                }
                return statuses
            }
            #expect(found == Array(repeating: 200, count: 288))
        }
    }

    @Test("A stream's pieces arrive as they are made, and its source ends when the reader goes")
    func streams() async throws {
        let (pieces, source) = AsyncStream.makeStream(of: [UInt8].self)
        let ended = Gate()
        source.onTermination = { _ in ended.open() }
        let handler = TestHandler { _ in
            WebResponse(
                status: 200, headers: [WebField("Content-Type", "text/event-stream")],
                body: .stream(pieces))
        }
        try await withServer(handler) { _, port in
            let client = try await onThread {
                let client = try #require(RawClient(port: port))
                client.request("GET", "/live")
                #expect(client.takeHead()?.hasPrefix("HTTP/1.1 200") == true)
                return Kept(client)
            }
            for number in 0..<3 {
                source.yield(Array("data: \(number)\n\n".utf8))
                let chunk = try await onThread { client.value?.takeChunk() }
                #expect(chunk == Array("data: \(number)\n\n".utf8))
            }
            client.value = nil
            await ended.pass()
        }
    }

    @Test("Stopping ends streams, lets requests under way finish, and takes no more")
    func graceful() async throws {
        let (pieces, source) = AsyncStream.makeStream(of: [UInt8].self)
        let arrived = Gate()
        let allowed = Gate()
        let handler = TestHandler { request in
            if request.path == ["live"] { return WebResponse(status: 200, body: .stream(pieces)) }
            if request.path == ["slow"] {
                arrived.open()
                await allowed.pass()
            }
            return WebResponse(type: "text/plain", "done")
        }
        try await withServer(handler) { server, port in
            let (live, idle, slow) = try await onThread {
                let live = try #require(RawClient(port: port))
                live.request("GET", "/live")
                _ = live.takeHead()
                let idle = try #require(RawClient(port: port))
                idle.request("GET", "/")
                _ = idle.reply()
                let slow = try #require(RawClient(port: port))
                slow.request("GET", "/slow")
                return (Kept(live), Kept(idle), Kept(slow))
            }
            await arrived.pass()
            let stopping = Task { await server.stop() }
            let ends = try await onThread {
                (live.value?.takeChunk(), idle.value?.isClosedByPeer())
            }
            #expect(ends.0 == [])
            #expect(ends.1 == true)
            #expect(server.counts.requests == 1)
            allowed.open()
            let last = try await onThread { slow.value?.reply() }
            #expect(last?.text == "done")
            #expect(last?.headers["connection"]?.lowercased() == "close")
            await stopping.value
            #expect(server.counts.connections == 0)
            let newcomer = try await onThread { RawClient(port: port) == nil }
            #expect(newcomer)
        }
        source.finish()
    }

    @Test("A request that does not finish in time is told so, and cut off")
    func deadline() async throws {
        let arrived = Gate()
        let cancelled = Gate()
        let handler = TestHandler { _ in
            arrived.open()
            await withTaskCancellationHandler {
                await Gate().pass()
            } onCancel: {
                cancelled.open()
            }
            return WebResponse(type: "text/plain", "never")
        }
        try await withServer(handler, limits: { $0.stopTime = .milliseconds(20) }) { server, port in
            let client = try await onThread {
                let client = try #require(RawClient(port: port))
                client.request("GET", "/")
                return Kept(client)
            }
            await arrived.pass()
            await server.stop()
            await cancelled.pass()
            #expect(try await onThread { client.value?.reply() } == nil)
        }
    }

    @Test("A port in use, a foreign address and a text that is none are named")
    func listening() async throws {
        try await withServer { _, port in
            let taken = #expect(throws: ServerError.self) {
                try ListeningSocket(at: SocketAddress("127.0.0.1", port: port))
            }
            #expect(taken?.code == .portInUse)
            #expect(taken?.message.contains("127.0.0.1:\(port)") == true)
        }
        let foreign = #expect(throws: ServerError.self) {
            try ListeningSocket(at: SocketAddress("203.0.113.7", port: 0))
        }
        #expect(foreign?.code == .addressUnavailable)
        let text = #expect(throws: ServerError.self) {
            try SocketAddress("shop.example", port: 0)
        }
        #expect(text?.code == .invalidAddress)
    }

    @Test("Sockets that a service manager opened are taken over, and nothing else is")
    func inherited() async throws {
        func sockets(_ variables: [String: String]) throws -> [ListeningSocket] {
            try ListeningSocket.inherited(
                variable: { variables[$0] }, processID: 7, firstDescriptor: 0)
        }
        #expect(try sockets([:]).isEmpty)
        #expect(try sockets(["LISTEN_PID": "8", "LISTEN_FDS": "1"]).isEmpty)
        let error = #expect(throws: ServerError.self) {
            try sockets(["LISTEN_PID": "7", "LISTEN_FDS": "1"])
        }
        #expect(error?.code == .notASocket)
        let socket = try ListeningSocket(at: SocketAddress("127.0.0.1", port: 0))
        let found = try ListeningSocket.inherited(
            variable: { ["LISTEN_PID": "7", "LISTEN_FDS": "1"][$0] }, processID: 7,
            firstDescriptor: socket.descriptor)
        #expect(found.map(\.address) == [socket.address])
        let server = try HTTPServer.start(on: found, handler: TestHandler.echo)
        let texts = try await replies(
            socket.address.port, to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        ).map(\.text)
        #expect(texts == ["GET / "])
        await server.stop()
    }

    @Test("Addresses of IPv4 and IPv6 say whether only this machine reaches them")
    func addresses() throws {
        let cases: [(text: String, shown: String, isLoopback: Bool)] = [
            ("127.0.0.1", "127.0.0.1:80", true), ("localhost", "127.0.0.1:80", true),
            ("127.1.2.3", "127.1.2.3:80", true), ("::1", "[::1]:80", true),
            ("[::1]", "[::1]:80", true), ("0.0.0.0", "0.0.0.0:80", false),
            ("::", "[::]:80", false), ("192.0.2.1", "192.0.2.1:80", false),
        ]
        for (text, shown, isLoopback) in cases {
            let address = try SocketAddress(text, port: 80)
            #expect(address.description == shown)
            #expect(address.isLoopback == isLoopback, "\(text)")
        }
    }
}
