import CheckoutModel
import CommandKit
import Markup

/// What a page is made for, beside the value that it shows.
struct PageView: Sendable {
    /// This moment: ages are counted to it.
    var now: Instant
    /// The token of its forms; nil where nothing may be done.
    var formToken: String?
    /// Where a stored webhook would be sent again; nil where nowhere.
    var resendTarget: String?
    /// How the program is called in commands.
    var program: String
    /// What stands behind `--ledger` in commands.
    var ledgerPath: String?
    /// A sentence about what was just done.
    var notice: DashboardReply?

    init(
        now: Instant, formToken: String? = nil, resendTarget: String? = nil,
        program: String = "checkout-ledger", ledgerPath: String? = nil,
        notice: DashboardReply? = nil
    ) {
        self.now = now
        self.formToken = formToken
        self.resendTarget = resendTarget
        self.program = program
        self.ledgerPath = ledgerPath
        self.notice = notice
    }

    /// A command as one line for a shell; words with other than plain characters are quoted.
    func command(_ words: String...) -> String { command(words: words) }

    func command(words: [String]) -> String {
        var line = [program] + words.map { ShellWord.quoted($0) }
        if let ledgerPath { line += ["--ledger", ShellWord.quoted(ledgerPath)] }
        return line.joined(separator: " ")
    }

    /// How long ago, in one number and one unit.
    func age(_ instant: Instant) -> String {
        Wording.duration(.microseconds(max(0, now.microseconds &- instant.microseconds)))
    }
}

/// Text as one word of a POSIX shell.
enum ShellWord {
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:=@,+%".utf8.contains(byte)
            }
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + SafeText.visible(word).replacing("'", with: "'\\''") + "'"
    }
}

/// One page: its own content, and where it stands among the others.
struct Page: Sendable {
    /// The first words of the window's title.
    var title: String
    /// The address of the entry of the navigation that it belongs to.
    var section: String
    /// The address of the same as JSON; nil for a page that has none.
    var json: String?
    /// The same in the terminal: the exact command.
    var command: String?
    var content: Markup
    /// True when a part of it is marked to be brought up to date.
    var isLive: Bool

    init(
        _ title: String, section: String, json: String? = nil, command: String? = nil,
        isLive: Bool = false, content: Markup
    ) {
        self.title = title
        self.section = section
        self.json = json
        self.command = command
        self.isLive = isLive
        self.content = content
    }
}

extension Page {
    private static let sections: [(address: String, name: String)] = [
        ("/", "Overview"), ("/sessions", "Sessions"), ("/funnel", "Funnel"),
        ("/abandoned", "Abandoned"), ("/discrepancies", "Discrepancies"),
        ("/webhooks", "Webhooks"), ("/verify", "Verify"), ("/projections", "Projections"),
        ("/providers", "Providers"), ("/glossary", "Glossary"),
    ]

    /// The whole document.
    func document(_ view: PageView) -> Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(title) · Checkout Ledger</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="/icon.svg" type="image/svg+xml">
        <style>\(StyleSheet.sheet)</style>
        <script src="/live.js" defer></script>
        </head>
        <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
        <div class="bar"><a class="brand" href="/">\(Icon.mark)Checkout Ledger</a>\(jump)</div>
        <nav aria-label="Pages">\(navigation)</nav>
        </header>
        <main id="main">
        \(view.notice.map(Self.note))
        \(content)
        </main>
        <footer>
        \(command.map(Self.terminal))
        <p>\(json.map(Self.twin))Times are in UTC. This page is as of \(time: view.now).
        <span id="live" hidden></span></p>
        </footer>
        </body>
        </html>

        """
    }

    private var jump: Markup {
        """
        <form class="jump" action="/jump" method="get" role="search">\
        <input type="search" name="q" maxlength="1024" autocomplete="off" spellcheck="false" \
        aria-label="Go to a session, payment, order or @position" \
        placeholder="Session, payment, order or @311">\
        <button>Go</button><button type="button" id="zone" hidden>UTC</button></form>
        """
    }

    private var navigation: Markup {
        Markup(
            Self.sections.map { address, name in
                address == section
                    ? "<a href=\"\(address)\" aria-current=\"page\">\(name)</a>"
                    : "<a href=\"\(address)\">\(name)</a>"
            })
    }

    private static func note(_ reply: DashboardReply) -> Markup {
        let mood = reply.isDone ? "note good" : "note bad"
        return "<p class=\"\(mood)\" role=\"status\">\(reply.message)</p>"
    }

    private static func terminal(_ command: String) -> Markup {
        """
        <p class="cmd">The same in the terminal: <code data-copy>\(command)</code></p>
        """
    }

    private static func twin(_ address: String) -> Markup {
        "<a href=\"\(address)\">This page as JSON</a> · "
    }
}

/// The mark of the product: entries in a book, the last one ticked.
enum Icon {
    static let mark: Markup = """
        <svg width="17" height="17" viewBox="0 0 16 16" aria-hidden="true">\
        <rect x="1" y="1" width="14" height="14" rx="3" class="f-none"/>\
        <path d="M4 5.2h8M4 8.2h3" stroke="#fff" stroke-width="1.5" fill="none"/>\
        <path d="M7.6 10.6l1.7 1.7 3.2-3.7" stroke="#fff" stroke-width="1.7" fill="none"/></svg>
        """

    /// The same as a file of its own.
    static let file: Markup = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">\
        <rect x="1" y="1" width="14" height="14" rx="3" fill="#3d8fc4"/>\
        <path d="M4 5.2h8M4 8.2h3" stroke="#fff" stroke-width="1.5" fill="none"/>\
        <path d="M7.6 10.6l1.7 1.7 3.2-3.7" stroke="#fff" stroke-width="1.7" fill="none"/></svg>
        """
}
