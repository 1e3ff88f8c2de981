import CheckoutFlow
import CheckoutModel

/// The scheme of an app's own return URLs, such as `shopdemo`.
struct SchemeName: Sendable, Hashable {
    /// Lower case.
    let text: String

    /// Throws `INVALID_RETURN_URL` for a scheme that no app can have.
    init(_ scheme: String) throws(CheckoutError) {
        let text = scheme.lowercased()
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || "+-.".utf8.contains(byte)
        }
        guard isPlain, text.first?.isLetter ?? false, text.utf8.count <= DesktopLimits.schemeBytes,
            !["http", "https"].contains(text),
            (try? ReturnURLPattern(registered: "\(text)://checkout/return")) != nil
        else {
            throw CheckoutError(
                .invalidReturnURL, "No app can have return URLs of this scheme.",
                hint: "Use a scheme of your own, such as myapp or com.example.myapp.")
        }
        self.text = text
    }

    /// The scheme of a URL; throws `INVALID_RETURN_URL`.
    init(of url: String) throws(CheckoutError) {
        guard let colon = url.firstIndex(of: ":") else {
            throw CheckoutError(
                .invalidReturnURL, "The text is no URL.",
                hint: "Hand it over as the system gave it.")
        }
        try self.init(String(url[..<colon]))
    }

    /// The word under which a desktop knows who handles it.
    var mimeType: String { "x-scheme-handler/\(text)" }
}
