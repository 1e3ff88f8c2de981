import Cryptography

/// The page that the customer sees when the browser comes back: a title and one sentence.
///
/// Shows nothing of the URL that came in, loads nothing, runs nothing.
public struct ReturnPage: Sendable, Hashable {
    /// The heading, plain text in the customer's language.
    public var title: String
    /// The sentence below it, plain text.
    public var message: String
    /// The language of both, such as `en`; for screen readers.
    public var language: String

    /// Says in English that the window may be closed, unless told otherwise.
    public init(
        title: String = "Back in the app",
        message: String = "You can close this window.", language: String = "en"
    ) {
        self.title = title
        self.message = message
        self.language = language
    }

    private static let style = """
        body{font:1.1em/1.5 system-ui,sans-serif;margin:20vh auto 0;max-width:30em;\
        padding:0 1em;text-align:center}@media(prefers-color-scheme:dark)\
        {body{background:#111;color:#eee}}
        """

    /// What the page may load: its own style, known by its hash, and nothing else.
    static let contentSecurityPolicy =
        "default-src 'none'; style-src 'sha256-\(styleHash)'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"

    private static let styleHash = Base64.encode(SHA256.hash(Array(style.utf8)).bytes)

    /// The page as it is sent.
    var html: [UInt8] {
        let title = Self.escaped(title)
        return Array(
            """
            <!doctype html>
            <html lang="\(Self.escaped(language))">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            <h1>\(title)</h1>
            <p>\(Self.escaped(message))</p>
            </html>

            """.utf8)
    }

    /// Text that stands for itself in HTML, in quotes too.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
