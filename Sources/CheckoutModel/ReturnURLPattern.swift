/// The return URL an app registered, ready to be compared with URLs that come in.
///
/// Compared: scheme and host without ASCII case, the effective port, user info byte for byte, and
/// the path in its encoded form, with case, without slashes at the end. Ignored on both sides:
/// query and fragment. Only whole components are compared, so no suffix or prefix slips through.
public struct ReturnURLPattern: Sendable, Hashable {
    /// The whole URL in its compared form, and padding: one array, because copying a pattern costs
    /// a reference count for each.
    let text: [UInt8]
    let scheme: Range<Int>
    let host: Range<Int>
    let userInfo: Range<Int>?
    let path: Range<Int>
    let port: UInt16?
    let defaultPort: UInt16?
    let isHostASCII: Bool

    /// Checks and takes a return URL as an app writes it.
    ///
    /// `refusedHosts` are hosts no app can own, such as the provider's own pages, in lower case.
    /// Throws a `ReturnURLRefusal`.
    public init(
        registered text: some StringProtocol, refusedHosts: Set<String> = []
    ) throws(ReturnURLRefusal) {
        let url: URLText
        do throws(URLTextError) {
            url = try URLText(parsing: text)
        } catch {
            throw ReturnURLRefusal(.notAURL)
        }
        let scheme = url.bytes[url.parts.scheme].map(URLNormal.fold)
        let host = url.bytes[url.parts.host].map(URLNormal.fold)
        guard !Self.deadSchemes.contains(String(decoding: scheme, as: UTF8.self)) else {
            throw ReturnURLRefusal(.scheme)
        }
        guard url.parts.hasAuthority, !host.isEmpty else { throw ReturnURLRefusal(.missingHost) }
        guard Self.isHost(host) else { throw ReturnURLRefusal(.host) }
        guard !refusedHosts.contains(String(decoding: host, as: UTF8.self)) else {
            throw ReturnURLRefusal(.providerHost)
        }
        defaultPort = Self.defaultPort(of: scheme)
        port = url.parts.port ?? defaultPort
        var text = scheme
        self.scheme = 0..<scheme.count
        text += "://".utf8
        userInfo = url.parts.userInfo.map { Self.append(url.bytes[$0], to: &text) }
        if userInfo != nil { text.append(UInt8(ascii: "@")) }
        self.host = Self.append(host, to: &text)
        if let port, port != defaultPort { text += ":\(port)".utf8 }
        let path = URLNormal.withoutTrailingSlashes(url.bytes[url.parts.path])
        self.path = Self.append(URLNormal.path(path), to: &text)
        text.append(contentsOf: repeatElement(0, count: URLScanner.padding))
        self.text = text
        isHostASCII = host.allSatisfy { $0 < 0x80 }
    }

    /// Schemes that run, show or write something instead of coming back to an app.
    private static let deadSchemes: Set<String> = [
        "about", "blob", "chrome", "content", "cid", "data", "file", "filesystem", "ftp", "intent",
        "jar", "javascript", "mailto", "mid", "resource", "sms", "tel", "urn", "vbscript",
        "view-source", "ws", "wss",
    ]

    private static let hostCharacters = ByteSet("abcdefghijklmnopqrstuvwxyz0123456789-.")
    private static let addressCharacters = ByteSet("abcdef0123456789:.")

    /// Letters, digits, hyphens and dots, non-ASCII letters, or an IPv6 address in brackets.
    ///
    /// The underscore is refused because platforms disagree on whether such a host is one.
    private static func isHost(_ host: [UInt8]) -> Bool {
        if host.first == UInt8(ascii: "[") {
            return host.count > 3
                && host.dropFirst().dropLast().allSatisfy(addressCharacters.contains)
        }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.dropLast().allSatisfy { !$0.isEmpty }
            && host.allSatisfy { $0 >= 0x80 || hostCharacters.contains($0) }
    }

    private static func append(
        _ bytes: some Collection<UInt8>, to text: inout [UInt8]
    ) -> Range<Int> {
        text.append(contentsOf: bytes)
        return text.count - bytes.count..<text.count
    }

    private static func defaultPort(of scheme: [UInt8]) -> UInt16? {
        switch String(decoding: scheme, as: UTF8.self) {
        case "https": 443
        case "http": 80
        default: nil
        }
    }
}

/// Why an app cannot register a return URL.
public struct ReturnURLRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The text is no URL.
        case notAURL = "not_a_url"
        /// The scheme runs or shows something and cannot come back to an app.
        case scheme
        /// There is no host: `app:///return` or `app:/return`.
        case missingHost = "missing_host"
        /// The host has characters that platforms read differently.
        case host
        /// The host is the provider's own.
        case providerHost = "provider_host"
    }

    /// What was wrong.
    public let reason: Reason

    /// Makes the error of one reason.
    public init(_ reason: Reason) { self.reason = reason }

    /// The stable word for programs.
    public var code: String { reason.rawValue }

    /// One sentence for a person.
    public var message: String {
        switch reason {
        case .notAURL: "The return URL is not a URL."
        case .scheme: "A URL of this scheme cannot come back to an app."
        case .missingHost: "The return URL has no host."
        case .host: "The host of the return URL is not plain letters, digits, hyphens and dots."
        case .providerHost: "The return URL is on the payment provider's own host."
        }
    }

    /// What to try next.
    public var hint: String { "Use myapp://checkout/return or https://shop.example/return." }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}
