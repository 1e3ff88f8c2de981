import HTTPServer
import TestSupport
import Testing

/// A handler made of closures.
struct TestHandler: WebHandler {
    var bodyLimit = 1_024
    var refusal: (@Sendable (WebRequest) -> WebResponse?) = { _ in nil }
    let answer: @Sendable (WebRequest) async -> WebResponse

    func admission(of request: WebRequest) -> WebAdmission {
        refusal(request).map { .refuse($0) } ?? .accept(bodyLimit: bodyLimit)
    }

    func respond(to request: WebRequest) async -> WebResponse { await answer(request) }

    /// Says back what came.
    static let echo = TestHandler { request in
        WebResponse(
            type: "text/plain",
            "\(request.method) \(request.target) " + String(decoding: request.body, as: UTF8.self))
    }
}

/// Runs a server on a free port while `body` talks to it, and stops it.
func withServer(
    _ handler: TestHandler = .echo, limits: (inout ServerLimits) -> Void = { _ in },
    _ body: (HTTPServer, UInt16) async throws -> Void
) async throws {
    var bounds = ServerLimits()
    bounds.watchInterval = .milliseconds(5)
    limits(&bounds)
    let socket = try ListeningSocket(at: SocketAddress("127.0.0.1", port: 0))
    let server = try HTTPServer.start(on: [socket], limits: bounds, handler: handler)
    do {
        try await body(server, try #require(server.addresses.first).port)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

/// What a new connection answers to these bytes.
func replies(_ port: UInt16, to bytes: String, count: Int = 1) async throws -> [RawClient.Reply] {
    try await onThread {
        guard let client = RawClient(port: port) else { return [] }
        client.send(bytes)
        return (0..<count).compactMap { _ in client.reply() }
    }
}

/// A client handed from one thread to the next.
final class Kept: @unchecked Sendable {
    var value: RawClient?
    init(_ value: RawClient) { self.value = value }
}

/// Opens once; whoever came before waits.
final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }
    func pass() async { for await _ in stream {} }
}
