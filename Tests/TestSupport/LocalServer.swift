import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An HTTP server on 127.0.0.1 that answers, or misbehaves, as a test says; one thread for each
/// connection.
public final class LocalServer: Sendable {
    /// What was asked.
    public struct Request: Sendable {
        /// The method.
        public let method: String
        /// Path and query as they came.
        public let path: String
        /// Names as they came, with their values.
        public let headers: [(name: String, value: String)]
        /// The body, by `Content-Length`.
        public let body: [UInt8]
        /// Which connection it came over, from 0.
        public let connection: Int

        /// The first value of a header.
        public func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// One thing that the server does with a connection.
    public enum Step: Sendable {
        /// Writes bytes.
        case write([UInt8])
        /// Waits until the other side closes.
        case waitForClose
        /// Ends the connection.
        case close

        /// A whole reply.
        public static func reply(
            _ status: Int, _ body: String, headers: [(String, String)] = []
        ) -> Step {
            .write(
                LocalServer.head(status, headers + [("Content-Length", "\(body.utf8.count)")])
                    + Array(body.utf8))
        }
    }

    private struct State {
        var requests: [Request] = []
        var connections: [Int32] = []
    }

    /// Where it listens.
    public let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())
    private let handler: @Sendable (Request) -> [Step]

    /// Starts to listen; nil when there is no port.
    public init?(_ handler: @escaping @Sendable (Request) -> [Step]) {
        self.handler = handler
        #if canImport(Darwin)
            listener = socket(AF_INET, SOCK_STREAM, 0)
        #else
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard isBound == 0, listen(listener, 64) == 0 else { return nil }
        var length = size
        let isNamed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        guard isNamed == 0 else { return nil }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self, descriptor] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, let self else { return }
                self.serve(connection)
            }
        }
    }

    deinit { stop() }

    /// Ends all connections and listens no more.
    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in state.withLock({ $0.connections }) {
            shutdown(connection, Int32(SHUT_RDWR))
        }
    }

    /// Its address without a path.
    public var address: String { "http://127.0.0.1:\(port)" }

    /// What was asked so far.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// Status line and headers.
    public static func head(_ status: Int, _ headers: [(String, String)]) -> [UInt8] {
        let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) Said\r\n\(lines)\r\n".utf8)
    }

    private func serve(_ connection: Int32) {
        let number = state.withLock { state in
            state.connections.append(connection)
            return state.connections.count - 1
        }
        Thread.detachNewThread { [handler, state = Shared(self)] in
            var reader = ConnectionReader(connection)
            while let request = reader.request(connection: number) {
                state.value?.note(request)
                for step in handler(request) {
                    guard Self.take(step, connection) else {
                        shutdown(connection, Int32(SHUT_RDWR))
                        return
                    }
                }
            }
            shutdown(connection, Int32(SHUT_RDWR))
        }
    }

    private func note(_ request: Request) { state.withLock { $0.requests.append(request) } }

    /// False when the connection is to end.
    private static func take(_ step: Step, _ connection: Int32) -> Bool {
        switch step {
        case .close: return false
        case .waitForClose:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            return false
        case .write(let bytes):
            var sent = 0
            while sent < bytes.count {
                #if canImport(Darwin)
                    let flags: Int32 = 0
                #else
                    let flags = Int32(MSG_NOSIGNAL)
                #endif
                let count = bytes[sent...].withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, flags)
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    /// Does not keep the server alive.
    private final class Shared: @unchecked Sendable {  // weak references may be read anywhere
        weak var value: LocalServer?
        init(_ value: LocalServer) { self.value = value }
    }
}

/// Takes requests off a connection.
private struct ConnectionReader {
    private let connection: Int32
    private var buffer: [UInt8] = []

    init(_ connection: Int32) { self.connection = connection }

    mutating func request(connection number: Int) -> LocalServer.Request? {
        let end = Array("\r\n\r\n".utf8)
        var bounds = buffer.firstRange(of: end)
        while bounds == nil {
            guard fill() else { return nil }
            bounds = buffer.firstRange(of: end)
        }
        guard let bounds else { return nil }
        let lines = String(decoding: buffer[..<bounds.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (
                name: String(parts.first ?? ""),
                value: (parts.count > 1 ? String(parts[1]) : "").trimmingCharacters(
                    in: .whitespaces)
            )
        }
        let length =
            headers.first { $0.name.lowercased() == "content-length" }
            .flatMap { Int($0.value) } ?? 0
        while buffer.count < bounds.upperBound + length { guard fill() else { return nil } }
        let body = Array(buffer[bounds.upperBound..<(bounds.upperBound + length)])
        buffer.removeFirst(bounds.upperBound + length)
        return LocalServer.Request(
            method: words.first.map { String($0) } ?? "",
            path: words.count > 1 ? String(words[1]) : "", headers: headers, body: body,
            connection: number)
    }

    private mutating func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }
}
