#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A client that sends bytes as a test writes them, right or wrong, over one connection.
///
/// Blocks its thread. Its patience of five minutes is for machines with much else to do: a test
/// that needs it has failed.
public final class RawClient {
    /// What came back.
    public struct Reply: Sendable, Hashable {
        /// The status code.
        public let status: Int
        /// Names in lower case.
        public let headers: [String: String]
        /// The body, put together where it came in chunks.
        public let body: [UInt8]
        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let socket: Int32
    private var buffer: [UInt8] = []

    /// Connects to a port of this machine; nil when nobody listens.
    public init?(port: UInt16) {
        #if canImport(Darwin)
            socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket = Glibc.socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var patience = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let descriptor = socket
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return nil }
    }

    deinit { close(socket) }

    /// Sends bytes; false when the other side has closed.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                #if canImport(Darwin)
                    Darwin.send(socket, $0.baseAddress, $0.count, 0)
                #else
                    Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends a text.
    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Says that nothing more will be sent.
    public func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Sends a request with a body of known length.
    @discardableResult
    public func request(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) -> Bool {
        var lines = ["\(method) \(target) HTTP/1.1"]
        if !headers.contains(where: { $0.0 == "Host" }) { lines.append("Host: localhost") }
        lines += headers.map { "\($0.0): \($0.1)" }
        if let body { lines.append("Content-Length: \(body.count)") }
        return send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
    }

    /// The next reply; nil when the connection ends first.
    ///
    /// The reply to a HEAD has no body.
    public func reply(toHead isHead: Bool = false) -> Reply? {
        while let head = takeHead() {
            let lines = head.split(separator: "\r\n")
            let words = lines.first?.split(separator: " ") ?? []
            guard words.count > 1, let status = Int(words[1]) else { return nil }
            // An interim reply is followed by the real one.
            if status == 100 { continue }
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
            }
            guard let body = isHead ? [] : takeBody(headers) else { return nil }
            return Reply(status: status, headers: headers, body: body)
        }
        return nil
    }

    /// The head of the next reply alone, for one whose body never ends.
    public func takeHead() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let bounds = buffer.firstRange(of: end) {
                let head = String(decoding: buffer[..<bounds.lowerBound], as: UTF8.self)
                buffer.removeFirst(bounds.upperBound)
                return head
            }
            guard fill() else { return nil }
        }
    }

    /// The next piece of a body in chunks; empty at its end, nil when the connection ends first.
    public func takeChunk() -> [UInt8]? {
        let lineEnd = Array("\r\n".utf8)
        while true {
            if let bounds = buffer.firstRange(of: lineEnd) {
                let text = String(decoding: buffer[..<bounds.lowerBound], as: UTF8.self)
                guard let size = Int(text, radix: 16) else { return nil }
                let end = bounds.upperBound + size + 2
                while buffer.count < end { guard fill() else { return nil } }
                let chunk = Array(buffer[bounds.upperBound..<(end - 2)])
                buffer.removeFirst(end)
                return chunk
            }
            guard fill() else { return nil }
        }
    }

    private func takeBody(_ headers: [String: String]) -> [UInt8]? {
        if headers["transfer-encoding"] != nil {
            var body: [UInt8] = []
            while let chunk = takeChunk() {
                if chunk.isEmpty { return body }
                body += chunk
            }
            return nil
        }
        guard let length = headers["content-length"].flatMap({ Int($0) }) else { return [] }
        while buffer.count < length { guard fill() else { return nil } }
        defer { buffer.removeFirst(length) }
        return Array(buffer.prefix(length))
    }

    /// Waits until the other side closes, whatever it still sends; false when it does not.
    public func isClosedByPeer() -> Bool {
        while fill() {}
        // Otherwise it is the wait that was over.
        return errno != EAGAIN
    }

    /// Sends a piece again and again with pauses, until the other side closes; false when it has
    /// not after five minutes.
    public func isCutOff(dripping piece: String) -> Bool {
        for _ in 0..<30_000 {
            var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, 10) == 0, send(piece) else { return true }
        }
        return false
    }

    private func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        errno = 0
        let count = recv(socket, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }
}
