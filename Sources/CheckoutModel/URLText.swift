/// A URL split into its parts, with its bytes unchanged.
///
/// Narrower than a browser's parser on purpose: nothing is repaired, resolved or looked up, and
/// text that a browser might read in another way is an error where it touches the host.
public struct URLText: Sendable, Hashable {
    /// The text as it came.
    public let bytes: [UInt8]
    let parts: URLParts

    /// Splits text.
    ///
    /// Throws `not_a_url`, `malformed_host`, `malformed_port`, `url_too_long`.
    public init(parsing text: some StringProtocol) throws(URLTextError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Splits bytes, which need not be UTF-8.
    ///
    /// Throws the same.
    public init(parsing bytes: [UInt8]) throws(URLTextError) {
        self.bytes = bytes
        let result = bytes.withUnsafeBufferPointer {
            buffer -> Result<URLParts, URLTextError> in
            do throws(URLTextError) {
                guard let base = buffer.baseAddress else { throw URLTextError(.notAURL) }
                return .success(try URLScanner(bytes: base, count: buffer.count).split())
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(var parts):
            let end = bytes[Int(parts.pathEnd)...].firstIndex(of: UInt8(ascii: "#"))
            parts.queryEnd = UInt32(end ?? bytes.count)
            self.parts = parts
        case .failure(let error): throw error
        }
    }

    /// As written; compare it without case.
    public var scheme: String { text(parts.scheme) }

    /// As written, without the `@`; nil when there is none, empty when there is only the `@`.
    public var userInfo: String? { parts.userInfo.map(text) }

    /// As written, IPv6 in its brackets; nil without `//`.
    public var host: String? { parts.hasAuthority ? text(parts.host) : nil }

    /// Nil when none is written.
    public var port: UInt16? { parts.port }

    /// As written, escapes and all.
    public var path: String { text(parts.path) }

    /// As written, without the `?`; nil when there is none.
    public var query: String? { parts.query.map(text) }

    /// The whole URL, scheme and host in lower case, with every character escaped that may not
    /// stand in a URL (`|` becomes `%7C`); existing escapes are left as they are.
    public var canonicalText: String {
        var bytes = bytes
        for index in parts.scheme { bytes[index] = URLNormal.fold(bytes[index]) }
        if parts.hasAuthority {
            for index in parts.host { bytes[index] = URLNormal.fold(bytes[index]) }
        }
        return String(decoding: URLNormal.escaped(bytes), as: UTF8.self)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
