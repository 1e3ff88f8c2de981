import CheckoutLedger
import Foundation
import LMDB
import ProviderKit
import TestSupport
import Testing

@Suite("A ledger whose lists an earlier version built")
struct OutdatedLedgerTests {
    /// Has the ledger say that its projections are of another version of the fold.
    private static func age(_ ledger: String) throws {
        var options = EnvironmentOptions(databases: [DatabaseDeclaration("meta", keys: .bytes)])
        options.mapBytes = 1 << 30
        let environment = try Environment.open(directory: ledger, options)
        defer { environment.close() }
        let meta = try environment.byteDatabase("meta")
        let key = Array("projections".utf8)
        var row = try environment.read { transaction in try transaction.getBytes(meta, key) }
        row?[4] = 0
        let aged = try #require(row)
        try environment.write { transaction in try transaction.put(meta, key, aged) }
    }

    @Test("is brought up to date by the first command, also by one that only reads")
    func reading() throws {
        try withTemporaryDirectory { folder in
            let program = try #require(BuiltProgram())
            func run(_ words: String...) throws -> BuiltProgram.Result {
                try program(words + ["--ledger", "shop.ledger"], in: folder)
            }
            #expect(try run("init").code == 0)
            let recorded = try run(
                "record", "session", "--provider", "dodo", "--session", "cks_1", "--state",
                "opened")
            #expect(recorded.code == 0, "\(recorded.errors)")
            let path = folder.appendingPathComponent("shop.ledger").path
            try Self.age(path)
            var options = LedgerOptions(providers: try ProviderRegistry([]))
            options.isReadOnly = true
            let error = #expect(throws: LedgerError.self) {
                _ = try Ledger.open(at: path, options: options)
            }
            #expect(error?.code.rawValue == "FOLD_VERSION_CHANGED")
            #expect(error?.hint == "Open the ledger once for writing, which builds them anew.")
            let list = try run("abandoned")
            #expect(list.code == 0, "\(list.errors)")
            #expect(list.output.contains("cks_1"))
            try Ledger.open(at: path, options: options).close()
        }
    }
}
