/// Which URLs are one provider's hosted checkout pages, as data.
///
/// A checkout page is https on a listed host, at the path prefix and one id segment, with
/// at most one slash after it. Query and fragment are free. Everything that a browser could read
/// as another page is refused: user info, other ports, dot segments, encoded slashes, backslashes.
public struct CheckoutURLRule: Sendable {
    private let modes: [String: ProviderMode]
    /// What stands behind the star, dot included, with its mode.
    private let families: [(suffix: String, mode: ProviderMode)]
    private let prefix: [UInt8]
    /// The query parameter that holds the id; nil where it stands in the path.
    private let idParameter: [UInt8]?
    private let idPrefix: String?

    /// Takes the hosts in lower case with their modes, and the path before the id.
    ///
    /// A host `*.shop.example` stands for every host with exactly one label in the star's place,
    /// for providers that give each merchant a name. `pathPrefix` begins and ends with a slash. Ids
    /// that do not begin with `idPrefix` are accepted and flagged: the provider may change its ids
    /// sooner than apps are updated.
    public init(
        hosts: KeyValuePairs<String, ProviderMode>, pathPrefix: String, idPrefix: String? = nil
    ) {
        (modes, families) = Self.sorted(hosts)
        prefix = Array(pathPrefix.utf8)
        idParameter = nil
        self.idPrefix = idPrefix
    }

    /// The same for pages that name the session in their query: the path is exactly `path`, at most
    /// one slash after it, and one parameter holds the id.
    ///
    /// Repeated with one value it is one id; two different values name no session.
    public init(
        hosts: KeyValuePairs<String, ProviderMode>, path: String, idParameter: String,
        idPrefix: String? = nil
    ) {
        (modes, families) = Self.sorted(hosts)
        prefix = Array(path.utf8)
        self.idParameter = Array(idParameter.utf8)
        self.idPrefix = idPrefix
    }

    private static func sorted(
        _ hosts: KeyValuePairs<String, ProviderMode>
    ) -> ([String: ProviderMode], [(suffix: String, mode: ProviderMode)]) {
        let exact = hosts.filter { !$0.key.hasPrefix("*.") }
        let families = hosts.filter { $0.key.hasPrefix("*.") }
            .map { (suffix: String($0.key.dropFirst()), mode: $0.value) }
        return (Dictionary(exact.map { ($0.key, $0.value) }) { first, _ in first }, families)
    }

    /// The hosts that are listed in full, which no app can register as its return URL.
    public var hosts: Set<String> { Set(modes.keys) }

    /// Reads a checkout URL.
    ///
    /// Throws a `CheckoutURLRefusal`.
    public func read(_ text: some StringProtocol) throws(CheckoutURLRefusal) -> CheckoutURL {
        try read(bytes: Array(text.utf8))
    }

    /// The same out of bytes, which need not be UTF-8.
    public func read(bytes: [UInt8]) throws(CheckoutURLRefusal) -> CheckoutURL {
        let url: URLText
        do throws(URLTextError) {
            url = try URLText(parsing: bytes)
        } catch {
            throw CheckoutURLRefusal(error)
        }
        guard bytes[url.parts.scheme].map(URLNormal.fold).elementsEqual("https".utf8) else {
            throw CheckoutURLRefusal(.scheme)
        }
        let host = String(
            decoding: bytes[url.parts.host].map(URLNormal.fold), as: UTF8.self)
        guard url.parts.hasAuthority, let mode = mode(ofHost: host) else {
            throw CheckoutURLRefusal(.host)
        }
        guard !url.parts.hasUserInfo else { throw CheckoutURLRefusal(.userInfo) }
        guard url.parts.port == nil || url.parts.port == 443 else {
            throw CheckoutURLRefusal(.port)
        }
        let id =
            if let idParameter {
                try sessionID(named: idParameter, of: url, in: bytes)
            } else {
                try sessionID(inPath: bytes[url.parts.path])
            }
        return CheckoutURL(
            url: url, sessionID: id, mode: mode,
            hasUsualID: idPrefix.map(id.hasPrefix) ?? true)
    }

    private func mode(ofHost host: String) -> ProviderMode? {
        if let mode = modes[host] { return mode }
        return families.first { family in
            guard host.hasSuffix(family.suffix) else { return false }
            let label = host.utf8.dropLast(family.suffix.utf8.count)
            return !label.isEmpty
                && label.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                        || $0 == UInt8(ascii: "-")
                }
        }?.mode
    }

    private func sessionID(inPath raw: ArraySlice<UInt8>) throws(CheckoutURLRefusal) -> String {
        // Normal form first: `/%73ession/` is the same path, `/session%2F` is not.
        let path = URLNormal.path(raw)
        let slash = UInt8(ascii: "/")
        guard path.starts(with: prefix) else { throw CheckoutURLRefusal(.path) }
        var segment = path[prefix.count...]
        guard !segment.isEmpty else { throw CheckoutURLRefusal(.missingSession) }
        if segment.last == slash { segment.removeLast() }
        guard !segment.isEmpty, !segment.contains(slash) else { throw CheckoutURLRefusal(.path) }
        guard !segment.elementsEqual(".".utf8), !segment.elementsEqual("..".utf8) else {
            throw CheckoutURLRefusal(.path)
        }
        // The normal form turns a stray percent sign into %25, so look at the escapes as written.
        guard URLNormal.decoded(raw) != nil else { throw CheckoutURLRefusal(.malformedEscape) }
        return try Self.sessionID(written: segment)
    }

    private func sessionID(
        named name: [UInt8], of url: URLText, in bytes: [UInt8]
    ) throws(CheckoutURLRefusal) -> String {
        let raw = bytes[url.parts.path]
        guard URLNormal.decoded(raw) != nil else { throw CheckoutURLRefusal(.malformedEscape) }
        var path = URLNormal.path(raw)[...]
        if path.count == prefix.count + 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        guard path.elementsEqual(prefix) else { throw CheckoutURLRefusal(.path) }
        var found: ArraySlice<UInt8>?
        for pair in bytes[url.parts.query ?? 0..<0].split(separator: UInt8(ascii: "&")) {
            let sides = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[1].isEmpty, URLNormal.decoded(sides[0]) == name else {
                continue
            }
            guard found.map({ $0 == sides[1] }) ?? true else {
                throw CheckoutURLRefusal(.missingSession)
            }
            found = sides[1]
        }
        guard let found else { throw CheckoutURLRefusal(.missingSession) }
        return try Self.sessionID(written: found)
    }

    private static func sessionID(
        written: some Collection<UInt8>
    ) throws(CheckoutURLRefusal) -> String {
        guard let decoded = URLNormal.decoded(written),
            let id = String(validating: decoded, as: UTF8.self)
        else { throw CheckoutURLRefusal(.malformedEscape) }
        let slash = UInt8(ascii: "/")
        guard !decoded.contains(slash), !decoded.contains(UInt8(ascii: "\\")) else {
            throw CheckoutURLRefusal(.path)
        }
        guard !id.unicodeScalars.contains(where: isInvisible) else {
            throw CheckoutURLRefusal(.controlCharacter)
        }
        return id
    }

    /// Controls, direction marks and blanks: an id that prints unlike its bytes misleads people.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate:
            true
        default: false
        }
    }
}

/// A hosted checkout page that a rule recognised.
public struct CheckoutURL: Sendable, Hashable {
    /// The URL in parts.
    public let url: URLText
    /// The provider's id of the session, decoded; never empty.
    public let sessionID: String
    /// By host.
    public let mode: ProviderMode
    /// False when the id lacks the prefix the provider documents.
    public let hasUsualID: Bool

    /// What to open: scheme and host in lower case, stray characters escaped.
    public var canonicalText: String { url.canonicalText }
}

/// Why a URL is not one of the provider's checkout pages.
///
/// Carries no part of it.
public struct CheckoutURLRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong; the first in the order of the URL.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The text is no URL.
        case notAURL = "not_a_url"
        /// Longer than `ModelLimits.urlBytes`.
        case tooLong = "url_too_long"
        /// Not https.
        case scheme
        /// Not exactly a listed host: another one, a look-alike, a root dot, not ASCII.
        case host
        /// There is a user name or password, or at least an `@`.
        case userInfo = "user_info"
        /// A port other than 443, or none that is a number.
        case port
        /// Not the path of a checkout page, or more behind it.
        case path
        /// The id is empty.
        case missingSession = "missing_session"
        /// An escape in the path is no escape or no UTF-8.
        case malformedEscape = "malformed_escape"
        /// The id has a control, direction mark or blank.
        case controlCharacter = "control_character"
    }

    /// What was wrong.
    public let reason: Reason

    /// Makes the error of one reason.
    public init(_ reason: Reason) { self.reason = reason }

    init(_ error: URLTextError) {
        switch error.reason {
        case .notAURL, .tooManyParameters: reason = .notAURL
        case .malformedHost: reason = .host
        case .malformedPort: reason = .port
        case .tooLong: reason = .tooLong
        }
    }

    /// The stable word for programs.
    public var code: String { reason.rawValue }

    /// One sentence for a person.
    public var message: String {
        switch reason {
        case .notAURL: "The checkout URL is not a URL."
        case .tooLong: "The checkout URL is longer than \(ModelLimits.urlBytes) bytes."
        case .scheme: "The checkout URL is not https."
        case .host: "The checkout URL is not on the provider's host."
        case .userInfo: "The checkout URL has a user name in front of its host."
        case .port: "The checkout URL has an unusual port."
        case .path: "The checkout URL's path is not that of a checkout page."
        case .missingSession: "The checkout URL has no session id."
        case .malformedEscape: "The checkout URL's path has a malformed escape."
        case .controlCharacter: "The session id in the checkout URL has an invisible character."
        }
    }

    /// What to try next.
    public var hint: String {
        "Pass the URL that the provider's API gave for the session, unchanged. Short and static"
            + " links must be resolved on your server first."
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}
