import Testing

@Suite("The scanner behind the tidy tests")
struct ScannerTests {
    @Test("Comments and the inside of strings are no code; interpolations are")
    func blanks() {
        let text = ##"""
            let a = "try! \(b as! C) x" // as!
            /* outer /* try! */ as! */ let d = #"\(no) "quoted" \#(yes)"#
            let e = """
                try! "quoted" \(f("as!"))
                """
            let g = "\\" + h
            """##
        #expect(
            SwiftSource(path: "x", text: text).code == [
                #"let a = "     \(b as! C)  "       "#,
                ##"                           let d = #"               \#(yes)"#"##,
                #"let e = """"#,
                #"                  \(f("   "))"#,
                #"    """"#,
                #"let g = "  " + h"#,
            ])
    }

    @Test("Imports are found with any access and kind, and not in comments or strings")
    func imports() {
        let text = """
            public import Foundation
            @testable import CommandKit
            @_exported public import struct CheckoutModel.Money
            import Glibc
            // import LMDB
            let text = "import CLMDB"
            """
        let source = SwiftSource(path: "x", text: text)
        #expect(
            source.imports.map(\.module) == ["Foundation", "CommandKit", "CheckoutModel", "Glibc"])
        #expect(source.imports.map(\.line) == [1, 2, 3, 4])
    }

    @Test("A function is as long as its braces are apart")
    func functions() {
        let text = """
            struct S {
                init?(_ a: Int) {
                }
                func short() { x = [1].map { $0 } }
                func long(_ body: () -> Void = { }) async throws -> [Int: (Int)] where A == B
                {
                    let s = "}"
                    if a { } // }
                    func inner<T>() {
                        self.init(b)
                    }
                }
                subscript(index: Int) -> Int {
                    index
                }
                static func == (a: S, b: S) -> Bool { true }
                deinit {
                }
            }
            protocol P {
                func required() -> Int
                init()
                var x: Int { get }
            }
            """
        let found = FunctionScanner.functions(in: SwiftSource(path: "x", text: text).code)
        #expect(
            found == [
                .init(name: "init", line: 2, length: 2), .init(name: "short", line: 4, length: 1),
                .init(name: "long", line: 5, length: 7), .init(name: "inner", line: 9, length: 3),
                .init(name: "subscript", line: 13, length: 3),
                .init(name: "operator", line: 16, length: 1),
                .init(name: "deinit", line: 17, length: 2),
            ])
    }

    @Test("Each length has its limit, and the limit itself is allowed")
    func lengths() {
        func findings(_ text: String) -> [Int] {
            TextRules.lengths(SwiftSource(path: "x", text: text)).map(\.line)
        }
        func function(_ lines: Int) -> String {
            "func f() {\n" + String(repeating: "x\n", count: lines - 2) + "}\n"
        }
        #expect(findings(function(60)) == [])
        #expect(findings("\n" + function(61)) == [2])
        #expect(findings(String(repeating: "x\n", count: 500)) == [])
        #expect(findings(String(repeating: "x\n", count: 501)) == [501])
        #expect(findings(String(repeating: "é", count: 100)) == [])
        #expect(findings("\n" + String(repeating: "é", count: 101)) == [2])
    }
}

@Suite("The tidy rules themselves")
struct RuleTests {
    struct RuleCase: CustomTestStringConvertible {
        let id: String
        let path: String
        let text: String
        let lines: [Int]
        var testDescription: String { id }

        init(_ id: String, _ path: String, _ text: String, _ lines: [Int]) {
            (self.id, self.path, self.text, self.lines) = (id, path, text, lines)
        }
    }

    static let banCases: [RuleCase] = [
        RuleCase("try!", "Sources/LMDB/A.swift", "let a = try! b()", [1]),
        RuleCase("try?", "Sources/LMDB/A.swift", "let a = try? b()", []),
        RuleCase("as!", "Sources/LMDB/A.swift", "\nlet a = b as! C", [2]),
        RuleCase("has!", "Sources/LMDB/A.swift", "let a = has!", []),
        RuleCase("date", "Sources/EventLog/Log.swift", "let now = Date()", [1]),
        RuleCase("other date", "Sources/EventLog/Log.swift", "let now = LogDate()", []),
        RuleCase("date in a clock", "Sources/EventLog/SystemClock.swift", "Date()", []),
        RuleCase("uuid", "Sources/EventLog/Log.swift", "let id = UUID()", [1]),
        RuleCase("print", "Sources/EventLog/Log.swift", "print(x)", [1]),
        RuleCase("method print", "Sources/EventLog/Log.swift", "x.print(y)\nfingerprint(z)", []),
        RuleCase("print in the program", "Sources/checkout-ledger/Main.swift", "print(x)", []),
        RuleCase("float near money", "Plugins/Stripe/A.swift", "let a: Double = 1", [1]),
        RuleCase("float type name", "Plugins/Stripe/A.swift", "DoublePayment()", []),
        RuleCase("float elsewhere", "Sources/LMDB/A.swift", "let a: Double = 1", []),
        RuleCase("silent fatalError", "Sources/LMDB/A.swift", "fatalError()", [1]),
        RuleCase("fatalError", "Sources/LMDB/A.swift", "fatalError(\"why\")", []),
        RuleCase("comment", "Sources/LMDB/A.swift", "// try! as! Date() print(", []),
    ]

    @Test("Banned words are found in code only, and where they are banned", arguments: banCases)
    func bans(_ test: RuleCase) {
        let source = SwiftSource(path: test.path, text: test.text)
        #expect(TextRules.bannedWords(source).map(\.line) == test.lines)
    }

    @Test("Marks of unfinished work are found in comments too")
    func unfinished() {
        let mark = "TO" + "DO"
        let source = SwiftSource(path: "x", text: "// \(mark): x\nlet \(mark)S = 1\n/// \(mark)")
        #expect(TextRules.unfinished(source).map(\.line) == [1, 3])
    }

    static let safetyCases: [RuleCase] = [
        RuleCase("bare", "x", "final class A: @unchecked Sendable {}", [1]),
        RuleCase("said", "x", "// Behind a lock.\nfinal class A: @unchecked Sendable {}", []),
        RuleCase(
            "attribute between", "x", "/// Guarded.\n@frozen\nclass A: @unchecked Sendable {}", []),
        RuleCase("head between", "x", "/// Guarded.\nclass A:\n    B, @unchecked Sendable\n{", []),
        RuleCase(
            "comment of another", "x", "// One.\nlet a = 1\nnonisolated(unsafe) var b = 2", [3]),
        RuleCase("empty line between", "x", "// One.\n\nnonisolated(unsafe) var b = 2", [3]),
        RuleCase("in a string", "x", "let a = \"@unchecked Sendable\"", []),
    ]

    @Test("A promise to the compiler needs a comment right above", arguments: safetyCases)
    func safety(_ test: RuleCase) {
        let source = SwiftSource(path: test.path, text: test.text)
        #expect(TextRules.unprovenSafety(source).map(\.line) == test.lines)
    }

    @Test("Absolute paths of a machine are found in strings and comments, addresses are none")
    func paths() {
        let (work, tmp) = ("/wo" + "rk/", "/t" + "mp/")
        let text = """
            let a = "\(tmp)x"
            // see \(work)y
            let b = "https://example.com\(work)"
            let c = "a\(tmp)b"
            """
        let source = SwiftSource(path: "x", text: text)
        #expect(TextRules.machinePaths(source).map(\.line) == [1, 2])
    }

    @Test(
        "Imports go upwards only",
        arguments: [
            ("Sources/EventLog/A.swift", "LMDB", true),
            ("Sources/EventLog/A.swift", "CLMDB", false),
            ("Sources/LMDB/A.swift", "CLMDB", true),
            ("Sources/LMDB/A.swift", "EventLog", false),
            ("Sources/EventLog/A.swift", "CheckoutModel", false),
            ("Sources/CheckoutLedger/A.swift", "CheckoutModel", true),
            ("Sources/CheckoutLedger/A.swift", "Stripe", false),
            ("Sources/CheckoutLedger/A.swift", "CommandKit", false),
            ("Sources/checkout-ledger/A.swift", "Stripe", true),
            ("Sources/checkout-ledger/A.swift", "CLMDB", false),
            ("Sources/CommandKit/A.swift", "Glibc", true),
            ("Sources/CommandKit/A.swift", "Foundation", false),
            ("Sources/CommandKit/A.swift", "FoundationEssentials", false),
            ("Sources/Unheard/A.swift", "Glibc", false),
            ("Plugins/Stripe/A.swift", "ProviderKit", true),
            ("Plugins/Stripe/A.swift", "CheckoutModel", true),
            ("Plugins/Stripe/A.swift", "CheckoutLedger", false),
            ("Plugins/Stripe/A.swift", "DodoPayments", false),
            ("Plugins/Stripe/A.swift", "Foundation", false),
        ])
    func imports(_ path: String, _ module: String, _ isFine: Bool) {
        let fault = ImportRules.fault(of: module, in: path, plugins: ["Stripe", "DodoPayments"])
        #expect((fault == nil) == isFine, "\(fault ?? "no fault")")
    }
}
