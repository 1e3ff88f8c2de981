import Testing

@testable import CommandKit

@Suite("Usage errors")
struct UsageErrorTests {
    static let cases = [
        ParsingCase(
            "misspelt command", ["sesions"],
            """
            Error: Unknown command 'sesions'. Did you mean 'sessions'?
            Usage: ledger <command> [options]
              See 'ledger --help'.
            """),
        ParsingCase(
            "nothing like it", ["zzzzzz"],
            """
            Error: Unknown command 'zzzzzz'.
            Usage: ledger <command> [options]
              See 'ledger --help'.
            """),
        ParsingCase(
            "misspelt verb", ["sessions", "shwo"],
            """
            Error: Unknown command 'shwo' of 'sessions'. Did you mean 'show'?
            Usage: ledger sessions [<command>] [options]
              See 'ledger sessions --help'.
            """),
        ParsingCase(
            "misspelt option", ["timeline", "--rwa", "c"],
            """
            Error: Unknown option '--rwa'. Did you mean '--raw'?
            Usage: ledger timeline SESSION [options]
              See 'ledger timeline --help'.
            """),
        ParsingCase(
            "misspelt value", ["sessions", "--status", "faild"],
            """
            Error: --status cannot be 'faild'. Did you mean 'failed'?
              --status succeeded|failed|pending  Only these (may be repeated)
            Usage: ledger sessions list [options]
              See 'ledger sessions list --help'.
            """),
        ParsingCase(
            "unlike any value", ["--color", "zzz"],
            """
            Error: --color cannot be 'zzz'. It is one of 'auto', 'always', 'never'.
              --color auto|always|never  Colour the output (default auto)
            Usage: ledger <command> [options]
              See 'ledger --help'.
            """),
        ParsingCase(
            "option before its command", ["--limit", "5", "sessions"],
            """
            Error: '--limit' is an option of 'sessions' and stands after that word.
            Usage: ledger <command> [options]
              See 'ledger --help'.
            """),
        ParsingCase(
            "not a number", ["sessions", "-n", "many"],
            """
            Error: --limit needs a whole number from 1 to 1000, not 'many'.
              -n, --limit N  At most so many (default 50)
            Usage: ledger sessions list [options]
              See 'ledger sessions list --help'.
            """),
        ParsingCase(
            "out of range", ["sessions", "-n0"],
            """
            Error: --limit needs a whole number from 1 to 1000, not 0.
              -n, --limit N  At most so many (default 50)
            Usage: ledger sessions list [options]
              See 'ledger sessions list --help'.
            """),
        ParsingCase(
            "missing argument", ["timeline"],
            """
            Error: Missing argument 'SESSION'.
              SESSION  Its id or the first letters of it
            Usage: ledger timeline SESSION [options]
              See 'ledger timeline --help'.
            """),
        ParsingCase(
            "missing option", ["events"],
            """
            Error: Missing option '--reason'.
              --reason TEXT  Why you look (required)
            Usage: ledger events --reason TEXT [options]
              See 'ledger events --help'.
            """),
        ParsingCase(
            "value forgotten", ["demo", "--ledger", "--json"],
            """
            Error: --ledger needs a value; the next word is the option '--json'. If that is the \
            value, write --ledger=--json.
              --ledger PATH  Use the ledger in this folder
            Usage: ledger demo [options]
              See 'ledger demo --help'.
            """),
        ParsingCase(
            "value at the end forgotten", ["demo", "--ledger"],
            """
            Error: --ledger needs a value.
              --ledger PATH  Use the ledger in this folder
            Usage: ledger demo [options]
              See 'ledger demo --help'.
            """),
        ParsingCase(
            "flag with a value", ["demo", "--quiet=yes"],
            """
            Error: --quiet takes no value.
              -q, --quiet  Print data and errors only
            Usage: ledger demo [options]
              See 'ledger demo --help'.
            """),
        ParsingCase(
            "contradiction", ["demo", "--ledger=a", "--ledger=b"],
            """
            Error: --ledger was given twice.
              --ledger PATH  Use the ledger in this folder
            Usage: ledger demo [options]
              See 'ledger demo --help'.
            """),
        ParsingCase(
            "too many words", ["demo", "now"],
            """
            Error: Unexpected argument 'now'.
            Usage: ledger demo [options]
              See 'ledger demo --help'.
            """),
        ParsingCase(
            "moment", ["events", "--after", "yesterday"],
            """
            Error: --after needs a position ('@311'), a time ('2026-09-01T14:02:11Z') or an age \
            ('2h'), not 'yesterday'.
              --after WHEN  From here on
            Usage: ledger events --reason TEXT [options]
              See 'ledger events --help'.
            """),
        ParsingCase(
            "position", ["events", "--at", "-1"],
            """
            Error: --at needs a position ('311' or '@311'), not '-1'.
              --at POSITION  This one
            Usage: ledger events --reason TEXT [options]
              See 'ledger events --help'.
            """),
        ParsingCase(
            "empty path", ["init", ""],
            """
            Error: 'FOLDER' needs a path, but got an empty word.
              [FOLDER]  Where
            Usage: ledger init [FOLDER] [options]
              See 'ledger init --help'.
            """),
        ParsingCase(
            "unknown topic", ["help", "exit-code"],
            """
            Error: No help about 'exit-code'. Did you mean 'exit-codes'?
            Usage: ledger help [TOPIC…] [options]
              See 'ledger help --help'.
            """),
        ParsingCase(
            "control characters are shown, not sent", ["\u{1B}[2J\n"],
            """
            Error: Unknown command '\\u{1B}[2J\\n'.
            Usage: ledger <command> [options]
              See 'ledger --help'.
            """),
    ]

    @Test(
        "Say what is wrong, the help of that argument, the usage and where to read on",
        arguments: cases)
    func text(_ test: ParsingCase) {
        let error = #expect(throws: UsageError.self) { try sampleTree.parse(test.words) }
        #expect(error?.text() == test.expected + "\n")
    }

    @Test("A usage error as JSON is one line with a code")
    func json() {
        let error = #expect(throws: UsageError.self) { try sampleTree.parse(["sesions"]) }
        #expect(
            error.map { String(decoding: $0.json, as: UTF8.self) } == """
                {"schema":"error/1","code":"UNKNOWN_COMMAND",\
                "message":"Unknown command 'sesions'. Did you mean 'sessions'?",\
                "hint":"See 'ledger --help'."}

                """)
    }

    @Test("A command may refuse a combination with the help of the option it names")
    func fromTheCommand() throws {
        guard case .run(let command) = try sampleTree.parse(["sessions", "show", "c"]) else {
            Issue.record("not a command")
            return
        }
        #expect(
            command.usageError("Too short.", about: "session").text() == """
                Error: Too short.
                  SESSION  Its id or the first letters of it
                Usage: ledger sessions show SESSION [options]
                  See 'ledger sessions show --help'.

                """)
    }

    @Test("Help and errors use the name the program was called by")
    func calledBy() {
        var tree = sampleTree
        tree.name = "cl"
        let error = #expect(throws: UsageError.self) { try tree.parse(["x1"]) }
        #expect(error?.pointer == "See 'cl --help'.")
        #expect(tree.text(of: .completions(.bash)) == sampleTree.text(of: .completions(.bash)))
        #expect(tree.text(of: .manual) == sampleTree.text(of: .manual))
    }

    @Test(
        "The name is the wrapper's, else the last part of the path, else the usual one",
        arguments: [
            ("/usr/bin/ledger", String?.none, "ledger"), ("cl", "", "cl"), ("", nil, "fallback"),
            ("/", nil, "fallback"), ("/usr/bin/ledger", "./run cli", "./run cli"),
            ("/x/\u{1B}[31m", nil, "\\u{1B}[31m"),
        ])
    func name(_ path: String, _ wrapper: String?, _ expected: String) {
        let name = ProcessArguments.name(calledBy: path, wrapper: wrapper, fallback: "fallback")
        #expect(name == expected)
    }

    @Test("A complaint has a hint line only when there is a hint, and cannot move the cursor")
    func complaint() {
        let plain = Complaint(code: "X", message: "No \u{9B}2J.")
        #expect(plain.text() == "Error: No \\u{9B}2J.\n")
        let hinted = Complaint(code: "X", message: "No.", hint: "Try.")
        #expect(
            hinted.text(style: Style(colours: true))
                == "\u{1B}[31mError:\u{1B}[0m No.\nHint: Try.\n")
        #expect(String(decoding: plain.json, as: UTF8.self).hasSuffix("\"hint\":null}\n"))
    }
}
