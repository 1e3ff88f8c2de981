import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Bounds of a server")
struct LimitTests {
    @Test("A body that is announced too long is answered 413 before a byte of it is read")
    func announced() async throws {
        try await withServer { _, port in
            let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1025\r\n\r\n"
            let found = try await onThread {
                let client = try #require(RawClient(port: port))
                client.send(head)
                return (client.reply()?.status, client.isClosedByPeer())
            }
            #expect(found == (413, true))
            let fits = String(repeating: "x", count: 1_024)
            let whole = head.replacing("1025", with: "1024") + fits
            let texts = try await replies(port, to: whole).map(\.text)
            #expect(texts == ["POST / " + fits])
        }
    }

    @Test("A sender that asks first is told 413 instead of being told to go on")
    func expectation() async throws {
        try await withServer { _, port in
            let found = try await replies(
                port,
                to: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n"
                    + "Expect: 100-continue\r\n\r\n")
            #expect(found.map(\.status) == [413])
        }
    }

    @Test("A body in chunks is counted while it comes, and refused or cut off beyond its bound")
    func chunks() async throws {
        try await withServer { _, port in
            func chunked(_ sizes: [Int]) -> String {
                let chunks = sizes.map {
                    String($0, radix: 16) + "\r\n" + String(repeating: "x", count: $0) + "\r\n"
                }
                return "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + chunks.joined() + "0\r\n\r\n"
            }
            let fits = try await replies(port, to: chunked([1_000, 24]))
            #expect(fits.map(\.text.utf8.count) == [7 + 1_024])
            let over = try await replies(port, to: chunked([1_000, 25]))
            #expect(over.map(\.status) == [413])
            let far = try await replies(port, to: chunked([1_000, 1_000, 1_000, 1_000]))
            #expect(far.allSatisfy { $0.status == 413 })
        }
    }

    @Test("Header fields and targets beyond a connection's memory are answered 431 and 414")
    func heads() async throws {
        try await withServer(limits: { $0.headerBytes = 8_192 }) { _, port in
            let long = String(repeating: "x", count: 20_000)
            let field = try await replies(
                port, to: "GET / HTTP/1.1\r\nHost: a\r\nX-Long: \(long)\r\n\r\n")
            #expect(field.map(\.status) == [431])
            let target = try await replies(port, to: "GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(target.map(\.status) == [414])
        }
    }

    @Test("A handler refuses on the head alone")
    func admission() async throws {
        let handler = TestHandler(
            refusal: { $0.path == ["closed"] ? .plain(404, "Nothing here") : nil },
            answer: { _ in WebResponse(type: "text/plain", "ok") })
        try await withServer(handler) { _, port in
            let head = "POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"
            let statuses = try await replies(port, to: head).map(\.status)
            #expect(statuses == [404])
        }
    }

    @Test("Header fields that drip are cut off at their deadline")
    func headDrip() async throws {
        try await withServer(limits: { $0.headTime = .milliseconds(100) }) { _, port in
            let isCutOff = try await onThread {
                let client = try #require(RawClient(port: port))
                client.send("GET / HTTP/1.1\r\nHost: a\r\n")
                return client.isCutOff(dripping: "X-Drip: 1\r\n")
            }
            #expect(isCutOff)
        }
    }

    @Test("A request line that drips is cut off at its deadline")
    func lineDrip() async throws {
        try await withServer(limits: { $0.headTime = .milliseconds(100) }) { _, port in
            let isCutOff = try await onThread {
                try #require(RawClient(port: port)).isCutOff(dripping: "G")
            }
            #expect(isCutOff)
        }
    }

    @Test("A body that drips is cut off at its deadline")
    func bodyDrip() async throws {
        try await withServer(limits: { $0.bodyTime = .milliseconds(100) }) { _, port in
            let isCutOff = try await onThread {
                let client = try #require(RawClient(port: port))
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
                return client.isCutOff(dripping: "x")
            }
            #expect(isCutOff)
        }
    }

    @Test("A peer that does not read its answer is cut off at its deadline")
    func unread() async throws {
        let arrived = Gate()
        let handler = TestHandler { _ in
            arrived.open()
            return WebResponse(status: 200, body: .bytes([UInt8](repeating: 0x78, count: 64 << 20)))
        }
        try await withServer(handler, limits: { $0.answerTime = .milliseconds(100) }) {
            server, port in
            let client = try await onThread {
                let client = try #require(RawClient(port: port))
                client.request("GET", "/")
                return Kept(client)
            }
            await arrived.pass()
            while server.counts.requests > 0 { await Task.yield() }
            #expect(try await onThread { client.value?.reply() } == nil)
        }
    }

    @Test("A connection without requests is closed after a while")
    func idle() async throws {
        try await withServer(limits: { $0.idleTime = .milliseconds(50) }) { _, port in
            let found = try await onThread {
                // On a machine with much else to do a connection may be idle before it asks.
                while true {
                    let client = try #require(RawClient(port: port))
                    client.request("GET", "/")
                    guard let status = client.reply()?.status else { continue }
                    return (status, client.isClosedByPeer())
                }
            }
            #expect(found == (200, true))
        }
    }

    @Test(
        "One connection too many cuts off the one that has owed a request longest",
        arguments: [true, false])
    func connections(perAddress: Bool) async throws {
        try await withServer { limits in
            if perAddress { limits.connectionsPerAddress = 4 } else { limits.connections = 4 }
        } _: { _, port in
            let found = try await onThread {
                let idle = try (0..<4).map { _ in
                    let client = try #require(RawClient(port: port))
                    client.request("GET", "/")
                    _ = client.reply()
                    return client
                }
                // A head that is never finished is no request.
                idle[0].send("GET /slow HTTP/1.1\r\nHost: a\r\n")
                let newcomer = try #require(RawClient(port: port))
                newcomer.request("GET", "/new")
                let reply = newcomer.reply()
                let isFirstGone = idle[0].isClosedByPeer()
                idle[3].request("GET", "/still")
                return (reply?.text, isFirstGone, idle[3].reply()?.text)
            }
            #expect(found == ("GET /new ", true, "GET /still "))
        }
    }

    @Test(
        "Bodies of all requests together have a bound, and who is beyond it is told to come again")
    func room() async throws {
        try await withServer(limits: { $0.bodyBytesInAll = 600 }) { _, port in
            let found = try await onThread {
                let client = try #require(RawClient(port: port))
                return [601, 600, 1_000, 600].map { count in
                    client.request("POST", "/", body: [UInt8](repeating: 0x78, count: count))
                    return client.reply()
                }
            }
            // What one request took is there again for the next.
            #expect(found.map { $0?.status } == [503, 200, 503, 200])
            #expect(found[0]?.headers["retry-after"] != nil)
        }
    }
}
