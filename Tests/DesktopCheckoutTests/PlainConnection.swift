import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connection to this machine that sends exactly the bytes it is told to.
final class PlainConnection {
    private let handle: Int32

    /// Nil when nobody listens there.
    init?(port: UInt16, version6: Bool = false) {
        var hints = addrinfo()
        hints.ai_family = version6 ? AF_INET6 : AF_INET
        hints.ai_flags = AI_NUMERICHOST
        #if canImport(Darwin)
            hints.ai_socktype = SOCK_STREAM
        #else
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        getaddrinfo(version6 ? "::1" : "127.0.0.1", "\(port)", &hints, &found)
        defer { freeaddrinfo(found) }
        guard let address = found?.pointee else { return nil }
        handle = socket(address.ai_family, address.ai_socktype, 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            handle, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard handle >= 0, connect(handle, address.ai_addr, address.ai_addrlen) == 0 else {
            close(handle)
            return nil
        }
    }

    deinit { close(handle) }

    func write(_ bytes: [UInt8]) { _ = send(handle, bytes, bytes.count, 0x4000) }

    func write(_ text: String) { write(Array(text.utf8)) }

    /// True when the other side has ended the connection; waits for it, and not for ever.
    func isCutOff() -> Bool {
        var byte: UInt8 = 0
        let count = recv(handle, &byte, 1, 0)
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    /// Everything up to the end of the connection.
    func read() -> String {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(handle, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: content, as: UTF8.self) }
            content += buffer[..<count]
        }
    }
}

/// An answer, taken apart.
struct PlainAnswer {
    let status: Int
    let head: String
    let body: String

    init(_ text: String) {
        let end = text.range(of: "\r\n\r\n")
        head = String(text[..<(end?.lowerBound ?? text.endIndex)])
        body = end.map { String(text[$0.upperBound...]) } ?? ""
        status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    /// The value of a header field.
    func field(_ name: String) -> String? {
        head.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ": ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }
}

/// A loopback URL in parts, and what a browser does with it.
struct PlainURL {
    let host: String
    let port: UInt16
    let path: String

    init(_ url: String) throws {
        let parts = try #require(URLComponents(string: url))
        host = try #require(parts.host)
        port = UInt16(try #require(parts.port))
        path = parts.path
    }

    /// Sends a request; nil when nobody listens.
    func send(
        _ method: String = "GET", _ query: String = "", path: String? = nil, host: String? = nil,
        version6: Bool = false
    ) -> PlainAnswer? {
        guard let connection = PlainConnection(port: port, version6: version6) else { return nil }
        let host = host ?? "127.0.0.1:\(port)"
        connection.write("\(method) \(path ?? self.path)\(query) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        return PlainAnswer(connection.read())
    }
}
