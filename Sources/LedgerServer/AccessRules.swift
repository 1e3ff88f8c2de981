import CheckoutLedger
import Cryptography
import ProviderKit

/// Who may look at the pages, and under which names.
package struct AccessRules: Sendable {
    /// The names that a browser may have asked for, in lower case and without a port.
    ///
    /// A page of a stranger's whose name leads to this machine is refused by them, or it could read
    /// what a server on the loopback address shows.
    package var hosts: Set<String>
    /// Nil where only programs of this machine reach the server.
    package var token: AccessToken?
    /// True where the pages are reached by https, so that cookies are sent by nothing else.
    package var isSecure: Bool
    /// True where buttons may do something.
    package var allowsActions: Bool

    package init(
        hosts: Set<String>, token: AccessToken? = nil, isSecure: Bool = false,
        allowsActions: Bool = false
    ) {
        self.hosts = hosts
        self.token = token
        self.isSecure = isSecure
        self.allowsActions = allowsActions
    }

    /// The names of this machine's loopback.
    package static let loopbackHosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    /// True when a request's `Host` names this server; any port, because a forwarded one differs.
    func knows(host: String?) -> Bool {
        guard let host else { return false }
        return hosts.contains(Self.name(inHost: host))
    }

    /// `LOCALHOST:8787` as `localhost`.
    static func name(inHost host: String) -> String {
        let text = host.lowercased()
        if text.hasPrefix("[") { return String(text.prefix { $0 != "]" }) + "]" }
        return String(text.prefix { $0 != ":" })
    }

    /// The host of a URL or of an `Origin`; nil when there is none in it.
    package static func host(ofURL url: String) -> String? {
        guard let start = url.range(of: "://") else { return nil }
        let rest = url[start.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return rest.isEmpty || rest.contains("@") ? nil : name(inHost: String(rest))
    }
}

extension StringProtocol {
    fileprivate func range(of part: String) -> Range<Index>? { self.firstRange(of: part) }
}

/// The secret that opens the pages.
package struct AccessToken: Sendable, CustomStringConvertible {
    /// What cookies are signed with.
    let key: HMACKey
    private let comparison: HMACKey
    private let expected: [UInt8]

    /// Takes the text of a token file; nil when it is too short to be safe.
    package init?(_ text: String) {
        let lines = text.split { $0 == "\n" || $0 == "\r" }
        guard lines.count == 1, let token = lines.first.map({ Array($0.utf8) }),
            token.count >= ServingLimits.tokenBytes
        else { return nil }
        // Cookies stay good over a restart, and are worth nothing once the token is changed.
        key = HMACKey(
            sha256: HMACKey(sha256: token).authenticate(
                Array("checkout-ledger/browser-session/v1".utf8)))
        comparison = HMACKey(sha256: SecureRandom.bytes(32))
        expected = comparison.authenticate(token)
    }

    /// Compares in constant time, whatever the length.
    func isEqual(to text: String) -> Bool {
        ConstantTime.equal(comparison.authenticate(Array(text.utf8)), expected)
    }

    /// Shows nothing.
    package var description: String { "[token]" }
}

/// A browser's session: a cookie that says until when it is good, signed.
///
/// Nothing is stored, so a restart logs nobody out and a flood of logins costs no memory.
struct BrowserSession {
    static let cookie = "checkout_ledger_session"
    private static let nonceBytes = 16
    private static let bytes = nonceBytes + 8

    let text: String
    private let content: [UInt8]

    /// A new one, good for some hours from `now`, in seconds since 1970.
    init(now: Int64, key: HMACKey) {
        let end = UInt64(clamping: now + ServingLimits.sessionSeconds)
        content =
            SecureRandom.bytes(Self.nonceBytes)
            + (0..<8).map { UInt8(truncatingIfNeeded: end >> (8 * (7 - $0))) }
        text = Base64.encode(
            content + Self.code(of: content, key), alphabet: .urlSafe, padded: false)
    }

    /// The one in a cookie; nil when it is not ours or its time is over.
    init?(_ text: String, now: Int64, key: HMACKey) {
        guard text.utf8.count <= 128,
            let all = Base64.decode(text, padding: .optional, alphabet: .urlSafe),
            all.count == Self.bytes + 32
        else { return nil }
        content = Array(all.prefix(Self.bytes))
        guard ConstantTime.equal(Self.code(of: content, key), Array(all.dropFirst(Self.bytes)))
        else { return nil }
        let end = content.dropFirst(Self.nonceBytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard end > UInt64(clamping: now) else { return nil }
        self.text = text
    }

    /// What this session's forms carry back.
    func formToken(_ key: HMACKey) -> String {
        let code = key.authenticate(Array("form".utf8) + [0] + content)
        return Base64.encode(code, alphabet: .urlSafe, padded: false)
    }

    private static func code(of content: [UInt8], _ key: HMACKey) -> [UInt8] {
        key.authenticate(Array("session".utf8) + [0] + content)
    }
}
