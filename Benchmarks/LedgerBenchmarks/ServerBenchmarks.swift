// The whole way of a webhook: over a socket, verified, durable, answered.

import CheckoutLedger
import CheckoutModel
import EventLog
import HTTPServer
import LedgerServer
import ProviderKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Verified durable webhooks over loopback, beside the same server answering 200 at once.
func serverRows(_ options: BenchmarkOptions, in place: Workplace) async throws -> [ReportRow] {
    let connections = 64
    let count = options.pick(short: 16, standard: 128) * connections
    let directory = try place.directory("server")
    defer { place.remove("server") }
    let ledger = try benchmarkLedger(in: directory)
    let receiver = try receiver(ledger)
    let socket = try ListeningSocket(at: SocketAddress("127.0.0.1", port: 0))
    let ours = try HTTPServer.start(on: [socket], handler: receiver)
    let plainSocket = try ListeningSocket(at: SocketAddress("127.0.0.1", port: 0))
    let plain = try HTTPServer.start(on: [plainSocket], handler: PlainAnswers())
    var next = 1 << 32
    let times = try await medians(
        rounds: options.pick(short: 3, standard: 7),
        of: [
            {
                let requests = (0..<count).map { signedRequest(number: next + $0) }
                next += count
                return try await deliver(requests, to: socket.address.port, over: connections)
            },
            {
                let requests = (0..<count).map { signedRequest(number: $0) }
                return try await deliver(requests, to: plainSocket.address.port, over: connections)
            },
        ])
    await ours.stop()
    await plain.stop()
    ledger.close()
    let micros = times.map { $0 / Double(count) / 1_000 }
    return [
        ReportRow(
            "verified durable webhooks over loopback, \(connections) connections / the same server "
                + "answering 200", ours: micros[0], peer: micros[1], unit: "µs/webhook",
            target: .atLeast(0.5))
    ]
}

private func receiver(_ ledger: Ledger<LMDBStore>) throws -> WebhookReceiver<LMDBStore> {
    let configuration = try benchmarkConfiguration()
    return WebhookReceiver(
        ledger: ledger, endpoints: WebhookEndpoints(configuration), keys: FixedKeys(),
        metrics: ServerMetrics(), health: ServerHealth(), now: { benchmarkNow },
        hinted: { _ in false })
}

/// Reads the body and answers 200.
private struct PlainAnswers: WebHandler {
    func admission(of request: WebRequest) -> WebAdmission { .accept(bodyLimit: 1 << 20) }
    func respond(to request: WebRequest) async -> WebResponse { WebResponse(status: 200) }
}

private func signedRequest(number: Int) -> [UInt8] {
    let delivery = benchmarkDelivery(number: number, byteCount: 1_024)
    var head = "POST /webhooks/dodo HTTP/1.1\r\nHost: localhost\r\n"
    for field in delivery.headers.fields { head += "\(field.name): \(field.value)\r\n" }
    head += "Content-Length: \(delivery.body.count)\r\n\r\n"
    return Array(head.utf8) + delivery.body
}

/// Sends all requests over so many connections, one at a time on each; the time in nanoseconds.
///
/// Four threads, so that the client costs little beside the server on the same machine.
private func deliver(
    _ requests: [[UInt8]], to port: UInt16, over connections: Int
) async throws -> Double {
    let threads = 4
    let lanes = requests.inBatches(of: requests.count / threads)
    return try await nanoseconds {
        let clients = try lanes.map { lane in
            try ClientThread(port: port, connections: connections / threads, requests: lane)
        }
        for client in clients { try await client.finish() }
    }
}

/// A thread that keeps several connections busy.
private final class ClientThread: @unchecked Sendable {  // read by its thread, then by who waits
    private let requests: [[UInt8]]
    private var sockets: [Int32] = []
    private let (done, end) = AsyncStream.makeStream(of: Bool.self)

    init(port: UInt16, connections: Int, requests: [[UInt8]]) throws {
        self.requests = requests
        for _ in 0..<connections { sockets.append(try connectedSocket(port)) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let client = Unmanaged<ClientThread>.fromOpaque(context).takeRetainedValue()
                client.end.yield(client.run())
                return nil
            }, context)
        guard status == 0 else { throw BenchmarkFailure("no thread") }
        pthread_detach(thread)
    }

    func finish() async throws {
        for await isGood in done {
            guard isGood else { throw BenchmarkFailure("a webhook was not acknowledged") }
            return
        }
    }

    private func run() -> Bool {
        defer { for socket in sockets { close(socket) } }
        for round in requests.inBatches(of: sockets.count) {
            for (request, socket) in zip(round, sockets) {
                guard send(socket, request, request.count, 0) == request.count else { return false }
            }
            for socket in sockets.prefix(round.count) where !isAcknowledged(socket) { return false }
        }
        return true
    }

    /// Reads an answer without a body.
    private func isAcknowledged(_ socket: Int32) -> Bool {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 2_048)
        while !answer.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            answer += buffer[..<count]
        }
        return answer.starts(with: Array("HTTP/1.1 200".utf8))
    }
}

private func connectedSocket(_ port: UInt16) throws -> Int32 {
    #if canImport(Darwin)
        let handle = socket(AF_INET, SOCK_STREAM, 0)
    #else
        let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
    guard isConnected else { throw BenchmarkFailure("no connection") }
    return handle
}
