import CheckoutModel
import ProviderKit

/// The way back to the shop.
enum ReturnLink {
    /// Schemes that run something in the page or read this machine instead of leading to a shop.
    private static let refused: Set<String> = [
        "javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source",
    ]

    /// True for an absolute URL of plain ASCII that a `Location` header can carry.
    static func isUsable(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !#""'<>\^`{|}"#.utf8.contains(byte)
        }
        guard isPlain, let url = try? URLText(parsing: text) else { return false }
        let scheme = url.scheme.lowercased()
        guard !scheme.isEmpty, !refused.contains(scheme) else { return false }
        return url.host.map { !$0.isEmpty } ?? !["http", "https"].contains(scheme)
    }

    /// The shop's URL with the sandbox's parameters behind its own, before a fragment.
    ///
    /// The shop's own parameters stay as they are, also where one has the same name: so do the real
    /// providers, and readers must cope.
    static func adding(
        _ parameters: KeyValuePairs<String, String?>, to url: String
    ) -> String {
        let pairs = parameters.compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
        let added = String(decoding: URLSegment.form(pairs), as: UTF8.self)
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let head = String(parts[0])
        let mark = head.hasSuffix("?") || head.hasSuffix("&") ? "" : head.contains("?") ? "&" : "?"
        return head + mark + added + (parts.count > 1 ? "#\(parts[1])" : "")
    }

    /// What a page's `form-action` must allow, so that the browser follows the redirect.
    static func formAction(_ text: String) -> String? {
        guard let url = try? URLText(parsing: text) else { return nil }
        let scheme = url.scheme.lowercased()
        guard ["http", "https"].contains(scheme), let host = url.host else { return "\(scheme):" }
        let isHost = host.utf8.allSatisfy {
            $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "*")
        }
        guard isHost else { return nil }
        return "\(scheme)://\(host.lowercased())" + (url.port.map { ":\($0)" } ?? "")
    }
}
