import Cryptography
import Markup

/// The one style sheet of the sandbox's pages, and the frame of each.
enum SandboxStyle {
    private static let sheet: Markup = """
        :root{color-scheme:light dark;--ground:#f6f5f2;--card:#fff;--ink:#1c1b19;--quiet:#5d5a54;\
        --line:#d8d4cb;--main:#1f5f4a;--on-main:#fff;--warn-ground:#fff3cd;--warn:#5c4400}
        @media(prefers-color-scheme:dark){:root{--ground:#191917;--card:#232320;--ink:#ecebe6;\
        --quiet:#a5a29a;--line:#3c3b36;--main:#7fd1b2;--on-main:#10231c;--warn-ground:#3b3110;\
        --warn:#ffe08a}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--ground);color:var(--ink);\
        font:16px/1.5 system-ui,sans-serif}
        .pretend{margin:0;background:var(--warn-ground);color:var(--warn);padding:.5rem 1rem;\
        text-align:center;font-weight:600}
        main{width:min(30rem,100% - 1.5rem);margin:1.25rem auto;padding:1.25rem;\
        background:var(--card);\
        border:1px solid var(--line);border-radius:.75rem}
        main.wide{width:min(62rem,100% - 1.5rem)}
        h1{font-size:1.35rem;line-height:1.25;margin:0 0 .75rem}
        h2{font-size:1.05rem;margin:1.75rem 0 .5rem}
        a{color:var(--main)}
        .quiet{color:var(--quiet);font-size:.9rem}
        .notice{background:var(--warn-ground);color:var(--warn);padding:.6rem .8rem;\
        border-radius:.5rem}
        dl.summary{display:grid;grid-template-columns:1fr auto;gap:.25rem 1rem;margin:0 0 1.25rem}
        dt{overflow-wrap:anywhere}dd{margin:0;overflow-wrap:anywhere;text-align:right}
        .amount{font-weight:700;font-variant-numeric:tabular-nums}
        button,.button{display:block;width:100%;margin:.5rem 0;padding:.7rem 1rem;\
        font:inherit;text-align:center;text-decoration:none;color:var(--ink);\
        background:var(--card);border:1px solid var(--line);border-radius:.5rem;cursor:pointer}
        button.main{background:var(--main);border-color:var(--main);color:var(--on-main);\
        font-weight:600}
        button:focus-visible,.button:focus-visible,a:focus-visible,input:focus-visible,\
        select:focus-visible{outline:3px solid var(--main);outline-offset:2px}
        label{display:block;margin:.6rem 0}
        label.flag{display:flex;gap:.5rem;align-items:center}
        input,select{width:100%;padding:.5rem;font:inherit;color:inherit;background:var(--ground);\
        border:1px solid var(--line);border-radius:.4rem}
        label.flag input{width:auto}
        .row{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:0 1rem}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-size:.92rem}
        th,td{text-align:left;padding:.4rem .6rem .4rem 0;border-bottom:1px solid var(--line);\
        vertical-align:top}
        td form{display:inline}
        td button{display:inline-block;width:auto;margin:0 .25rem .25rem 0;padding:.25rem .6rem;\
        font-size:.88rem}
        code{overflow-wrap:anywhere}.scroll code{white-space:nowrap}
        @media(max-width:44rem){thead{display:none}tr{display:block;padding:.5rem 0;\
        border-bottom:1px solid var(--line)}td{display:block;padding:.1rem 0;border:0}}
        """

    /// The source that a Content-Security-Policy allows: this sheet and no other.
    static let hash = "sha256-" + Base64.encode(SHA256.hash(Array(sheet.text.utf8)).bytes)

    /// A whole page; `isWide` for pages with tables.
    static func document(_ title: String, isWide: Bool, _ content: Markup) -> Markup {
        let opening: Markup = isWide ? "<main class=\"wide\">" : "<main>"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <title>\(title) · Sandbox: pretend money</title><style>\(sheet)</style></head>
            <body><p class="pretend">Sandbox: pretend money. Nothing here is real.</p>
            \(opening)
            \(content)
            </main>
            </body></html>
            """
    }
}
