import Cryptography
import HTTPServer
import Markup

/// The one page that anybody sees who reaches the server.
enum LoginPage {
    private static let style: Markup = """
        :root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}\
        body{max-width:22rem;margin:15vh auto;padding:0 1rem}\
        label,input,button{display:block;width:100%;box-sizing:border-box;font:inherit}\
        input,button{margin:.4rem 0 1rem;padding:.5rem}\
        p.bad{border-left:.3rem solid;padding-left:.6rem}
        """

    private static let policy =
        "default-src 'none'; style-src 'sha256-"
        + Base64.encode(SHA256.hash(Array(style.text.utf8)).bytes)
        + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    static func response(next: String?, complaint: String?, status: Int = 200) -> WebResponse {
        let complaint: Markup = complaint.map { "<p class=\"bad\" role=\"alert\">\($0)</p>" } ?? ""
        let page: Markup = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Checkout Ledger: log in</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style>\(style)</style></head>
            <body><main><h1>Checkout Ledger</h1>\(complaint)
            <form method="post" action="/login">
            <input type="hidden" name="next" value="\(place(next))">
            <label for="token">Token</label>
            <input id="token" name="token" type="password" autocomplete="current-password" required
              autofocus>
            <button>Log in</button></form>
            <p>The token stands in the file that the server was started with.</p>
            </main></body></html>
            """
        return WebResponse(
            status: status, type: "text/html; charset=utf-8", page.text,
            headers: [WebField("Content-Security-Policy", policy)])
    }

    /// Where to go afterwards: a place on this server, or its first page.
    static func place(_ next: String?) -> String {
        guard let next, next.hasPrefix("/"), !next.hasPrefix("//"), !next.hasPrefix("/login"),
            next.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return "/" }
        return next
    }
}
