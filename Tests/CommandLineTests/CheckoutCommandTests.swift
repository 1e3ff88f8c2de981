import DesktopCheckout
import Foundation
import ProviderKit
import TestSupport
import Testing

/// The built program with a ledger and a browser that is a script, in a directory of its own.
struct CheckoutShop {
    let program: BuiltProgram
    let folder: URL

    static let page = "https://test.checkout.dodopayments.com/session/cks_1"

    init(_ folder: URL) throws {
        program = try #require(BuiltProgram())
        self.folder = folder
        #expect(try run(["init", "--ledger", "shop.ledger"]).code == 0)
    }

    var environment: [String: String] {
        ["CHECKOUT_LEDGER_PATH": folder.appendingPathComponent("shop.ledger").path]
    }

    func run(_ words: [String]) throws -> BuiltProgram.Result {
        try program(words, in: folder, environment: environment)
    }

    func checkout(_ words: [String], page: String = page) throws -> BuiltProgram.Result {
        try run(["checkout", "--provider", "dodo", "--checkout-url", page] + words)
    }

    /// Makes a browser: a script that is given the page's URL.
    ///
    /// A shell writes it, so that no process started meanwhile keeps it from being run.
    func browser(_ script: String) throws -> String {
        let text = "cat > browser <<'END'\n#!/bin/bash\n\(script)\nEND\nchmod 755 browser"
        #expect(try program.script(text, in: folder).code == 0)
        return folder.appendingPathComponent("browser").path
    }

    /// A browser that goes where the page would send it.
    func browser(returning url: String, _ query: String) throws -> String {
        let parts = try #require(URLComponents(string: url))
        let (host, port) = (parts.host ?? "", parts.port ?? 0)
        return try browser(
            """
            exec 3<>/dev/tcp/\(host)/\(port)
            printf 'GET %s HTTP/1.1\\r\\nHost: \(host):\(port)\\r\\n\\r\\n' \\
            '\(parts.path)\(query)' >&3
            cat <&3 > answer
            """)
    }

    /// A return URL at a port that was free a moment ago.
    func returnURL() throws -> String {
        let listener = try LoopbackListener()
        listener.close()
        return listener.returnURL
    }

    /// Type and reason of each of the session's events.
    func events(_ session: String = "cks_1") throws -> [String] {
        let result = try run(["events", "--session", session, "--json=type,reason"])
        return result.output.split(separator: "\n").compactMap { line in
            guard let value = try? JSONValue(json: Array(line.utf8)) else { return nil }
            return [value["type"]?.text, value["reason"]?.text].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    func code(_ result: BuiltProgram.Result) -> String? {
        let line = result.errors.split(separator: "\n").last.map { Array($0.utf8) } ?? []
        return (try? JSONValue(json: line))?["code"]?.text
    }
}

@Suite("checkout and handle-url")
struct CheckoutCommandTests {
    @Test(
        "A checkout that comes back says how it ended, by its exit code too",
        arguments: [
            ("?status=succeeded&payment_id=pay_1", Int32(0), "succeeded", ", payment pay_1"),
            ("?status=failed", 0, "failed", ""), ("?status=expired", 0, "expired", ""),
            ("?status=processing", 5, "pending", ""), ("", 5, "pending", ""),
        ])
    func comesBack(_ query: String, _ code: Int32, _ status: String, _ rest: String) throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            let url = try shop.returnURL()
            let browser = try shop.browser(returning: url, query)
            let result = try shop.checkout(["--return-url", url, "--browser", browser])
            #expect(result.code == code, "\(result.errors)")
            #expect(result.output == "dodo/cks_1: \(status), the browser came back\(rest).\n")
            #expect(
                try shop.events() == [
                    "session.created", "session.opened", "session.returned",
                    "note.added acknowledged",
                ])
            let answer = try String(
                contentsOf: folder.appendingPathComponent("answer"), encoding: .utf8)
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(try shop.run(["abandoned"]).output.contains("cks_1"), "a hint is no outcome")
        }
    }

    @Test("With --json the result is one row, and nothing private is in it")
    func json() throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            let url = try shop.returnURL()
            let query = "?status=succeeded&payment_id=pay_1&email=mira%40mail.example"
            let browser = try shop.browser(returning: url, query + "&license_key=LK-1")
            let result = try shop.checkout(["--return-url", url, "--browser", browser, "--json"])
            #expect(
                result.output == """
                    {"session":"cks_1","provider":"dodo","status":"succeeded","ending":"returned",\
                    "settled":true,"late":false,"payment":"pay_1","subscription":null}

                    """)
            #expect(result.errors.isEmpty)
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let code: String
        var page = CheckoutShop.page
        var words: [String] = []
        /// The browser's script; nil for none.
        var browser: String?
        var events: [String] = []
        var testDescription: String { "\(code) \(words.joined(separator: " "))" }
    }

    @Test(
        "What cannot work is said in a word, and no page is left open",
        arguments: [
            Refusal(code: "BROWSER_UNAVAILABLE", words: ["--browser", "no-such-browser"]),
            Refusal(
                code: "BROWSER_UNAVAILABLE", browser: "exit 3",
                events: ["session.created", "session.failed_to_open BROWSER_UNAVAILABLE"]),
            Refusal(code: "INVALID_CHECKOUT_URL", page: "https://shop.example/session/cks_1"),
            Refusal(
                code: "INVALID_RETURN_URL", words: ["--return-url", "https://shop.example/done"]),
            Refusal(code: "INVALID_RETURN_URL", words: ["--return-url", "http://127.0.0.1:1x/"]),
            Refusal(
                code: "INVALID_RETURN_URL",
                words: [
                    "--return-url", "http://127.0.0.1:18731/a", "--cancel-url",
                    "http://127.0.0.1:18732/b",
                ]),
            Refusal(code: "SCHEME_NOT_REGISTERED", words: ["--return-url", "shop://return"]),
        ])
    func refused(_ refusal: Refusal) throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            let script = try shop.browser(refusal.browser ?? "exit 0")
            let browser = refusal.words.contains("--browser") ? [] : ["--browser", script]
            let result = try shop.checkout(
                refusal.words + browser + ["--json", "--quiet"], page: refusal.page)
            #expect(result.code == 1)
            #expect(shop.code(result) == refusal.code, "\(result.errors)")
            #expect(result.output.isEmpty)
            #expect(try shop.events() == refusal.events)
        }
    }

    @Test("A port that is taken is said so before anything is noted")
    func portInUse() throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            let listener = try LoopbackListener()
            defer { listener.close() }
            let port = try #require(URLComponents(string: listener.returnURL)?.port)
            for words in [["--port", "\(port)"], ["--return-url", listener.returnURL]] {
                let result = try shop.checkout(
                    words + ["--browser", "/bin/true", "--json", "--quiet"])
                #expect(shop.code(result) == "PORT_IN_USE")
            }
            #expect(try shop.events().isEmpty)
        }
    }

    @Test("A checkout that nobody ends is given up in time, and may have been paid")
    func timeLimit() throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            let result = try shop.checkout(["--browser", "/bin/true", "--time-limit", "1s"])
            #expect(result.code == 5)
            #expect(result.output == "dodo/cks_1: pending, the time ran out.\n")
            #expect(result.errors.contains("Return URL: http://127.0.0.1:"))
            #expect(result.errors.contains("may have been paid"))
            #expect(
                try shop.events().suffix(2) == ["note.added timed_out", "note.added acknowledged"])
            #expect(try shop.run(["abandoned"]).output.contains("cks_1"))
        }
    }

    @Test("Once its return URL is known the session can be made, and its page is read then")
    func laterPage() throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            // The "browser" goes to the return URL that stands in the page's query.
            let browser = try shop.browser(
                """
                [[ $1 =~ back=http://([0-9.]+):([0-9]+)(.*) ]]
                exec 3<>"/dev/tcp/${BASH_REMATCH[1]}/${BASH_REMATCH[2]}"
                printf 'GET %s?status=failed HTTP/1.1\\r\\nHost: %s:%s\\r\\n\\r\\n' \
                "${BASH_REMATCH[3]}" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&3
                cat <&3 > answer
                """)
            let result = try shop.program.script(
                """
                mkfifo pages notices
                checkout-ledger checkout --provider dodo --checkout-url - --browser '\(browser)' \
                  < pages 2> notices &
                exec 4> pages
                read -r word1 word2 url < notices
                echo "\(CheckoutShop.page)?back=$url" >&4
                exec 4>&-
                wait $!
                """, in: folder, environment: shop.environment)
            #expect(result.code == 0, "\(result.errors)")
            #expect(result.output == "dodo/cks_1: failed, the browser came back.\n")
        }
    }

    @Test("Ctrl-C ends the wait, and is not taken for the customer's wish")
    func interrupted() throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            let browser = try shop.browser("kill -INT $(cat pid); exit 0")
            let result = try shop.program.script(
                """
                status=0
                sh -c 'echo $$ > pid; exec "$@"' - checkout-ledger checkout --provider dodo \
                  --checkout-url \(CheckoutShop.page) --browser '\(browser)' || status=$?
                exit $status
                """, in: folder, environment: shop.environment)
            #expect(result.code == 130, "\(result.errors)")
            #expect(try shop.events().contains("session.closed cancelled_by_app"))
            let story = try shop.run(["timeline", "cks_1"]).output
            #expect(story.contains("the app took the page away"))
            #expect(story.contains("the app has the result"))
            #expect(!story.contains("customer"))
        }
    }

    @Test("A checkout whose program was killed is found by its return, once")
    func killed() throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            let browser = try shop.browser("kill -KILL $(cat pid)")
            let url = try shop.returnURL()
            let result = try shop.program.script(
                """
                sh -c 'echo $$ > pid; exec "$@"' - checkout-ledger checkout --provider dodo \
                  --checkout-url \(CheckoutShop.page) --return-url \(url) \
                  --browser '\(browser)' || exit 0
                exit 9
                """, in: folder, environment: shop.environment)
            #expect(result.code == 0, "\(result.errors)")
            // It died before it could say that the page was there.
            #expect(try shop.events() == ["session.created"])
            #expect(try shop.run(["abandoned"]).output.contains("cks_1"))
            // What stands in the browser's address bar, now that nobody listens there.
            let late = url + "?status=succeeded&payment_id=pay_1"
            let first = try shop.run(["handle-url", late])
            #expect(first.code == 0, "\(first.errors)")
            #expect(
                first.output
                    == "dodo/cks_1: succeeded, the browser came back, late, payment pay_1.\n")
            #expect(try shop.events().last == "session.returned late")
            let second = try shop.run(["handle-url", late, "--json"])
            #expect(second.code == 1)
            #expect(shop.code(second) == "NO_CHECKOUT")
        }
    }

    @Test(
        "A registered scheme brings the return to the checkout that waits, and late ones home",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/xdg-mime"),
            "needs Debian's xdg-utils"))
    func scheme() throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            let registered = try shop.run(["handle-url", "--register", "shop"])
            #expect(registered.code == 0, "\(registered.errors)")
            let file = folder.appendingPathComponent(
                ".local/share/applications/checkout-ledger-shop.desktop")
            let entry = try String(contentsOf: file, encoding: .utf8)
            #expect(entry.contains("handle-url --ledger \(folder.path)/shop.ledger %u"))
            // What the desktop does with such a URL: what stands behind Exec.
            let command = try #require(
                entry.split(separator: "\n").first { $0.hasPrefix("Exec=") })
            let words = command.dropFirst(5).replacingOccurrences(
                of: "%u", with: "'shop://return?status=succeeded'")
            let browser = try shop.browser("\(words) > handed")
            let result = try shop.checkout(["--return-url", "shop://return", "--browser", browser])
            #expect(result.code == 0, "\(result.errors)")
            #expect(result.output == "dodo/cks_1: succeeded, the browser came back.\n")
            let handed = try String(
                contentsOf: folder.appendingPathComponent("handed"), encoding: .utf8)
            #expect(handed == "Handed to the program that waits for URLs of this scheme.\n")
            let stray = try shop.run(["handle-url", "shop://return?status=failed", "--json"])
            #expect(shop.code(stray) == "NO_CHECKOUT")
        }
    }

    @Test("handle-url takes a URL or a scheme to register, and only such a one")
    func usage() throws {
        try withTemporaryDirectory { folder in
            let shop = try CheckoutShop(folder)
            #expect(try shop.run(["handle-url"]).code == 2)
            #expect(try shop.run(["handle-url", "shop://x", "--register", "shop"]).code == 2)
            for scheme in ["https", "javascript", "a b", ""] {
                let result = try shop.run(["handle-url", "--register", scheme, "--json"])
                #expect(shop.code(result) == "INVALID_RETURN_URL", "\(scheme)")
            }
        }
    }
}
