import Testing

@testable import CommandKit

@Suite("Tables")
struct TableTests {
    private let columns: [TableWriter.Column] = [
        .init("SESSION", shrinks: true), .init("STATUS"), .init("AMOUNT", .trailing), .init("WHY"),
    ]

    @Test("Columns align, numbers to the right, and no line ends in spaces")
    func aligned() throws {
        let text = try table([
            ["cks_7Qm", "succeeded", "EUR 5.00", "signed webhook"],
            ["cks_2", "failed", "JPY 1200", ""],
        ])
        #expect(
            text == """
                SESSION  STATUS       AMOUNT  WHY
                cks_7Qm  succeeded  EUR 5.00  signed webhook
                cks_2    failed     JPY 1200

                """)
    }

    @Test("Wide and combining characters take the columns a terminal gives them")
    func wide() throws {
        let text = try table([["注文一", "ok", "1", "x"], ["Zoe\u{301}", "ok", "22", "x"]])
        #expect(
            text == """
                SESSION  STATUS  AMOUNT  WHY
                注文一   ok           1  x
                Zoe\u{301}      ok          22  x

                """)
    }

    @Test("On a narrow terminal only columns that may shrink are cut")
    func truncates() throws {
        let narrow = Terminal(isTerminal: true, width: 40)
        let text = try table(
            [["cks_0123456789abcdef", "succeeded", "EUR 5.00", "webhook"]], on: narrow)
        #expect(
            text == """
                SESSION     STATUS       AMOUNT  WHY
                cks_01234…  succeeded  EUR 5.00  webhook

                """)
        #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 40 })
    }

    @Test("Away from a terminal every value is whole")
    func whole() throws {
        let long = String(repeating: "x", count: 200)
        let text = try table([[long, "a", "b", "c"]], on: Terminal(isTerminal: false, width: 40))
        #expect(text.contains(long + "  a"))
    }

    @Test("The plain form has one tab between cells and none inside")
    func plain() throws {
        let text = try table([["a\tb", "c\nd", "1", "\u{1B}[31m"]], format: .plain)
        #expect(text == "SESSION\tSTATUS\tAMOUNT\tWHY\na\\tb\tc\\nd\t1\t\\u{1B}[31m\n")
    }

    @Test(
        "CSV quotes what RFC 4180 says and defuses formulas",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""), ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"),
            ("+49 30", "'+49 30"), ("-5", "-5"), ("-5.25", "-5.25"), ("-5.", "'-5."),
            ("-2+3", "'-2+3"), ("\tx", "'\tx"), ("=\"a\",b", "\"'=\"\"a\"\",b\""), ("", ""),
            ("\r\n=1", "\"'\r\n=1\""),
        ])
    func csv(_ cell: String, _ expected: String) {
        #expect(CSV.line([cell, "z"]) == expected + ",z\r\n")
    }

    @Test("A table of any length needs the memory of its sample only")
    func streams() throws {
        let terminal = Terminal(isTerminal: false)
        let text = try captured(terminal) { output in
            var table = TableWriter([.init("N", .trailing), .init("X")], on: output)
            for number in 0..<(Limits.tableSample + 1) {
                try table.add([.init("\(number)"), "x"])
            }
            try table.add(["1234567", "late and wide"])
            try table.finish()
            #expect(table.count == Limits.tableSample + 2)
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count == Limits.tableSample + 3)
        #expect(lines.first == "  N  X")
        #expect(lines.dropFirst().first == "  0  x")
        #expect(lines.last == "1234567  late and wide")
    }

    @Test("An empty list is nothing as a table and a heading in the other forms")
    func empty() throws {
        #expect(try table([]) == "")
        #expect(try table([], format: .csv) == "SESSION,STATUS,AMOUNT,WHY\r\n")
        #expect(try table([], format: .plain) == "SESSION\tSTATUS\tAMOUNT\tWHY\n")
    }

    @Test("Colour does not move a column")
    func colour() throws {
        let style = Style(colours: true)
        let terminal = Terminal(isTerminal: true, style: style)
        let text = try captured(terminal) { output in
            var table = TableWriter([.init("A"), .init("B")], on: output)
            try table.add([.init("ok", .good), "1"])
            try table.add([.init("failed", .bad), "2"])
            try table.finish()
        }
        #expect(text.contains("\u{1B}[32mok\u{1B}[0m      1\n"))
        #expect(text.contains("\u{1B}[31mfailed\u{1B}[0m  2\n"))
    }

    private func table(
        _ rows: [[String]], format: TableWriter.Format = .table,
        on terminal: Terminal = Terminal(isTerminal: false)
    ) throws -> String {
        try captured(terminal) { output in
            var table = TableWriter(columns, format: format, on: output)
            for row in rows { try table.add(row.map { .init($0) }) }
            try table.finish()
        }
    }
}
