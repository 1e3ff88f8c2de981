import ProviderKit

/// The place a request goes to, checked before anything is sent.
struct RequestTarget: Sendable, Hashable {
    /// The host's name or address in lower case, IPv6 without its brackets.
    let host: String
    let port: UInt16
    let isEncrypted: Bool
    /// Path and query, at least `/`.
    let path: String

    /// Throws `malformed_request` for text that is no absolute URL of plain ASCII, or that names a
    /// user; says nothing about what is allowed.
    init(url: String) throws(TransportError) {
        let isPlain = url.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !#""<>\^`{|}#"#.utf8.contains(byte)
        }
        guard isPlain, url.utf8.count <= Limits.urlBytes, let isEncrypted = Self.isEncrypted(url)
        else {
            throw TransportError(.malformedRequest, host: "")
        }
        let rest = url.dropFirst(isEncrypted ? "https://".count : "http://".count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let (host, port) = Self.split(authority) else {
            throw TransportError(.malformedRequest, host: "")
        }
        self.host = host
        self.port = port ?? (isEncrypted ? 443 : 80)
        self.isEncrypted = isEncrypted
        let path = String(rest.dropFirst(authority.count))
        self.path = path.hasPrefix("/") ? path : "/" + path
    }

    /// True for addresses that lead to this machine by their form alone, and for `localhost`.
    var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy(Self.isDigit) }
    }

    /// Host and port as a `Host` header has them.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isEncrypted ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// Nil for other schemes than the two.
    private static func isEncrypted(_ url: String) -> Bool? {
        if url.hasPrefix("https://") { return true }
        return url.hasPrefix("http://") ? false : nil
    }

    private static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let address = authority[authority.index(after: authority.startIndex)..<end]
            let isAddress =
                address.contains(":")
                && address.utf8.allSatisfy { isHexDigit($0) || $0 == 0x3A || $0 == 0x2E }
            guard isAddress else { return nil }
            let rest = authority[authority.index(after: end)...]
            return port(rest).map { (address.lowercased(), $0) }
        }
        let name = authority.prefix { $0 != ":" }
        let isName =
            !name.isEmpty && !name.hasPrefix(".")
            && name.utf8.allSatisfy { isHostByte($0) } && !name.contains("..")
        guard isName else { return nil }
        return port(authority.dropFirst(name.count)).map { (name.lowercased(), $0) }
    }

    /// The port behind a colon; an inner nil where there is none, nil where it is no port.
    private static func port(_ text: Substring) -> UInt16?? {
        guard let colon = text.first else { return .some(nil) }
        let digits = text.dropFirst()
        guard colon == ":", digits.utf8.allSatisfy(isDigit), let port = UInt16(digits), port > 0
        else { return nil }
        return .some(port)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x2E
            || byte == 0x5F
    }
}
