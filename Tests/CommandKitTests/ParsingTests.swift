import CommandKit
import Testing

struct ParsingCase: CustomTestStringConvertible {
    let id: String
    let words: [String]
    let expected: String
    var testDescription: String { id }

    init(_ id: String, _ words: [String], _ expected: String) {
        self.id = id
        self.words = words
        self.expected = expected
    }
}

/// The whole of a parsed command as one line.
func described(_ invocation: Invocation) -> String {
    switch invocation {
    case .show(let page): return "show \(page)"
    case .run(let command):
        let options = command.options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let words = command.arguments.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        return ([command.path.joined(separator: "/")] + options + words).joined(separator: " ")
    }
}

@Suite("Reading a command line")
struct ParsingTests {
    static let cases = [
        ParsingCase("nothing", [], "show help(path: [])"),
        ParsingCase("command", ["demo"], "demo"),
        ParsingCase("argument", ["timeline", "cks_1"], #"timeline session:["cks_1"]"#),
        ParsingCase(
            "global before", ["--ledger", "x", "timeline", "c"],
            #"timeline ledger=["x"] session:["c"]"#),
        ParsingCase(
            "global after", ["timeline", "c", "--ledger=x"],
            #"timeline ledger=["x"] session:["c"]"#),
        ParsingCase(
            "value with equals", ["demo", "--ledger=a=b"], #"demo ledger=["a=b"]"#),
        ParsingCase("empty text value", ["events", "--reason="], #"events reason=[""]"#),
        ParsingCase("noun alone", ["sessions"], "sessions/list"),
        ParsingCase(
            "noun with the default verb's option", ["sessions", "-n5"],
            #"sessions/list limit=["5"]"#
        ),
        ParsingCase("short, next word", ["sessions", "-n", "5"], #"sessions/list limit=["5"]"#),
        ParsingCase("short, equals", ["sessions", "-n=5"], #"sessions/list limit=["5"]"#),
        ParsingCase("short cluster", ["demo", "-qv"], #"demo quiet=[""] verbose=[""]"#),
        ParsingCase(
            "cluster ending in a value", ["sessions", "list", "-qn7"],
            #"sessions/list limit=["7"] quiet=[""]"#),
        ParsingCase("verb", ["sessions", "show", "c"], #"sessions/show session:["c"]"#),
        ParsingCase(
            "repeated", ["sessions", "--status", "failed", "--status=pending"],
            #"sessions/list status=["failed", "pending"]"#),
        ParsingCase(
            "same value twice", ["demo", "--color=auto", "--color=auto"],
            #"demo color=["auto"]"#),
        ParsingCase("optional value left out", ["demo", "--json"], #"demo json=[""]"#),
        ParsingCase(
            "optional value does not take the next word", ["--json", "demo"], #"demo json=[""]"#),
        ParsingCase("optional value", ["demo", "--json=id,status"], #"demo json=["id,status"]"#),
        ParsingCase("dash is a word", ["import", "-"], #"import file:["-"]"#),
        ParsingCase("several", ["import", "a", "b"], #"import file:["a", "b"]"#),
        ParsingCase("after --", ["timeline", "--", "--raw"], #"timeline session:["--raw"]"#),
        ParsingCase("second -- is a word", ["import", "--", "--"], #"import file:["--"]"#),
        ParsingCase("negative number is a word", ["timeline", "-5"], #"timeline session:["-5"]"#),
        ParsingCase(
            "value that looks like an option", ["events", "--reason", "-5"],
            #"events reason=["-5"]"#),
        ParsingCase("argument left out", ["init"], "init folder:[]"),
        ParsingCase("empty word", ["timeline", ""], #"timeline session:[""]"#),
        ParsingCase("help", ["--help"], "show help(path: [])"),
        ParsingCase("help of a command", ["timeline", "-h"], #"show help(path: ["timeline"])"#),
        ParsingCase(
            "help command", ["help", "sessions", "show"],
            #"show help(path: ["sessions", "show"])"#),
        ParsingCase("topic", ["help", "exit-codes"], #"show topic("exit-codes")"#),
        ParsingCase("version", ["--version"], "show version"),
        ParsingCase(
            "completions", ["completions", "fish"],
            "show completions(CommandKit.Shell.fish)"),
        ParsingCase("manual", ["manual"], "show manual"),
    ]

    @Test("Options stand before or after the command, in every spelling", arguments: cases)
    func parses(_ test: ParsingCase) throws {
        #expect(described(try sampleTree.parse(test.words)) == test.expected)
    }

    @Test("Accessors give values of the declared kind, and defaults")
    func accessors() throws {
        let command = try run([
            "events", "--reason", "audit", "--after=2h", "--at=@311", "--older-than", "3d", "-q",
        ])
        #expect(command.value("reason") == "audit")
        #expect(command.moment("after") == .ago(microseconds: 7_200_000_000))
        #expect(command.position("at") == 311)
        #expect(command.microseconds("older-than") == 259_200_000_000)
        #expect(command.has("quiet"))
        #expect(!command.has("verbose"))
        #expect(command.values("type") == [])
        #expect(command.choice("color", as: ColorPolicy.self) == .auto)
        #expect(try run(["sessions"]).integer("limit") == 50)
        #expect(try run(["sessions", "-n9"]).integer("limit") == 9)
        #expect(try run(["demo", "--json"]).value("json") == nil)
        #expect(try run(["demo", "--json"]).has("json"))
        #expect(try run(["demo", "--json=id"]).value("json") == "id")
        #expect(try run(["init"]).argument(ifAny: "folder") == nil)
        #expect(try run(["init", "x"]).argument("folder") == "x")
        #expect(try run(["import", "a", "b"]).words("file") == ["a", "b"])
    }

    @Test("Asking a command for an option it does not have stops the program")
    func unknownAccessor() async {
        await #expect(processExitsWith: .failure) {
            guard case .run(let command) = try sampleTree.parse(["demo"]) else { return }
            _ = command.value("limit")
        }
    }

    @Test("Words that are not UTF-8 are refused, not repaired into another name")
    func invalidUTF8() {
        let error = #expect(throws: UsageError.self) {
            try sampleTree.parse(bytes: [Array("init".utf8), [0x66, 0xFF]])
        }
        #expect(error?.code == .notUTF8)
        #expect(error?.message.hasPrefix("Word 2 of the command line is not UTF-8.") == true)
    }

    @Test("A command line beyond its limits is refused")
    func limits() {
        let cases: [[String]] = [
            Array(repeating: "x", count: Limits.words + 1),
            [String(repeating: "x", count: Limits.wordBytes + 1)],
            Array(repeating: String(repeating: "x", count: Limits.wordBytes), count: 17),
        ]
        for words in cases {
            let error = #expect(throws: UsageError.self) { try sampleTree.parse(words) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test("An error is written as JSON when the words ask for JSON, readable or not")
    func asksForJSON() {
        func asks(_ words: String...) -> Bool {
            sampleTree.asksForJSON(words.map { Array($0.utf8) })
        }
        #expect(asks("sesions", "--json"))
        #expect(asks("--json=id", "x"))
        #expect(!asks("x", "--", "--json"))
        #expect(!asks("x", "--jsonl"))
        #expect(sampleTree.asksForJSON([[0xFF], Array("--json".utf8)]))
    }

    @Test("The sample tree is sound, and mistakes in a tree are named")
    func problems() {
        #expect(sampleTree.problems() == [])
        let tree = CommandTree(
            name: "x", version: "1", summary: "s",
            sections: [
                .init(
                    "A",
                    [
                        Command(
                            "a", "Do it.",
                            arguments: [
                                Argument("f", .path, .any, "F"), Argument("g", .text, .one, "G"),
                            ],
                            options: [
                                .flag("help", "H"),
                                .value("n", .integer(1...5), default: "9", "N"),
                            ]), Command("a", "Again"), Command("b", "B", verbs: [], default: "c"),
                    ])
            ])
        #expect(
            tree.problems() == [
                "'a' stands twice in the program.",
                "'help' stands twice in 'a'.",
                "'a': only the last argument may take several words.",
                "'a': a required argument follows an optional one.",
                "'a': help ends with a period: Do it.",
                "'a': the default of --n needs a whole number from 1 to 5, not 9.",
                "'b': its default verb is not among its verbs.",
            ])
    }

    private func run(_ words: [String]) throws -> ParsedCommand {
        guard case .run(let command) = try sampleTree.parse(words) else {
            throw NotACommand()
        }
        return command
    }

    private struct NotACommand: Error {}
}
