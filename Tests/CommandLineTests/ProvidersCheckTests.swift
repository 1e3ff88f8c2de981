import Foundation
import LedgerViews
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("Checking adapters from the command line")
struct ProvidersCheckTests {
    /// Adapters whose other side nobody has written yet: the command says so for each of them.
    ///
    /// Take a name out when its fixtures are there; the test fails until that is done.
    static let withoutFixtures: Set<String> = []

    @Test("Every adapter with fixtures is checked and sound, and one without is a finding")
    func all() throws {
        try withTemporaryDirectory { folder in
            let program = try #require(BuiltProgram())
            let run = try program(["providers", "check"], in: folder)
            #expect(run.code == (Self.withoutFixtures.isEmpty ? 0 : 1))
            #expect(run.errors.split(separator: "\n").count == Self.withoutFixtures.count)
            let rows = run.output.split(separator: "\n").map {
                $0.split(separator: "\t", omittingEmptySubsequences: false)
            }
            #expect(
                rows[0] == [
                    "PROVIDER", "U", "R", "W", "E", "Q", "X", "O", "HELD", "FINDINGS",
                ])
            let listed = try program(["providers", "--json=provider"], in: folder).output
            #expect(rows.count - 1 == listed.split(separator: "\n").count)
            for row in rows.dropFirst() {
                #expect(listed.contains("\"\(row[0])\""))
                let isChecked = !Self.withoutFixtures.contains(String(row[0]))
                #expect(row.last == (isChecked ? "0" : "1"), "\(row[0])")
                #expect(try #require(Int(row[8])) >= (isChecked ? 20 : 0))
            }
        }
    }

    @Test("One adapter is shown check by check, with the reason where one does not apply")
    func one() throws {
        try withTemporaryDirectory { folder in
            let program = try #require(BuiltProgram())
            let run = try program(["providers", "check", "stripe"], in: folder)
            #expect(run.code == 0)
            let lines = run.output.split(separator: "\n")
            #expect(lines.count > 60)
            let bits = lines.first { $0.hasPrefix("PC-W04\t") } ?? ""
            #expect(bits.hasPrefix("PC-W04\theld\t256\t"))
            let signed = lines.first { $0.hasPrefix("PC-R10\t") } ?? ""
            #expect(signed.contains("not claimed"))
            #expect(signed.hasSuffix("(its returns are not signed)"))
        }
    }

    @Test("Under --json nothing is printed when nothing is found, and =? lists the members")
    func json() throws {
        try withTemporaryDirectory { folder in
            let program = try #require(BuiltProgram())
            let run = try program(["providers", "check", "dodo", "--json"], in: folder)
            #expect(run.code == 0)
            #expect(run.output == "")
            let asked = try program(["providers", "check", "--json=?"], in: folder)
            let names = asked.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            #expect(names.map(String.init) == providerFindingShape.names)
        }
    }

    @Test("An adapter that is not there cannot be checked")
    func unknown() throws {
        try withTemporaryDirectory { folder in
            let program = try #require(BuiltProgram())
            let run = try program(["providers", "check", "nobody"], in: folder)
            #expect(run.code == 1)
            #expect(run.output == "")
            #expect(run.errors.contains("no adapter called nobody"))
        }
    }
}
