import CheckoutLedger
import CheckoutModel
import Cryptography
import EventLog
import Foundation
import LMDB
import ProviderKit
import TestSupport
import Testing

@Suite("A ledger of before private fields had classes")
struct OlderLedgerTests {
    /// Puts back what an earlier version wrote: its export, the rows of its keystore that count,
    /// and its root key.
    private static func place(_ place: PrivacyPlace) throws {
        let saved = try JSONValue(json: [UInt8](try Vectors.own("ledger-before-classes.json")))
        let export = place.directory.appendingPathComponent("export").path
        try Files.writeNew(export, Array((saved["export"]?.text ?? "").utf8))
        var lines = try LineReader(export)
        let first = try #require(try lines.next())
        _ = try Ledger<LMDBStore>.restore(at: place.ledgerPath, from: &lines, first: first)
        try Files.writeNew(place.keyPath, Array((saved["rootKey"]?.text ?? "").utf8))
        var options = EnvironmentOptions(databases: [DatabaseDeclaration("keys", keys: .bytes)])
        options.mapBytes = 1 << 30
        let environment = try Environment.open(directory: place.keysPath, options)
        defer { environment.close() }
        let keys = try environment.byteDatabase("keys")
        try environment.write { transaction in
            for row in saved["rows"]?.elements ?? [] {
                try transaction.put(
                    keys, try #require(Hex.decode(row["key"]?.text ?? "")),
                    try #require(Hex.decode(row["value"]?.text ?? "")))
            }
        }
    }

    @Test("Opens, reads what was sealed, seals more, and can be erased")
    func older() async throws {
        try await withPlace { place in
            try Self.place(place)
            let ledger = try place.open()
            guard case .fields(let paid) = try ledger.answer(at: 1),
                case .fields(let returned) = try ledger.answer(at: 2)
            else {
                Issue.record("what was sealed before does not open")
                return
            }
            #expect(paid.customerEmail == "mira@mail.example")
            #expect(paid.customerName == "Mira")
            #expect(try ledger.body(of: try ledger.event(at: 0))?.isEmpty == false)
            #expect(returned.returnURL?.contains("license_key=LK-1") == true)
            // Licence keys were sealed together with the rest then: erasing contact takes them.
            let more = try await ledger.record(Fixture.opened("cks_1", license: "KEY-2"))
            let entry = try ledger.erase(
                ErasureOrder(.session("cks_1"), classes: .contact), at: Fixture.now
            ).entry
            #expect(entry?.level == .rootReplaced)
            #expect(entry?.receipt?.keys.allSatisfy { $0.commitment.count == 32 } == true)
            for position in [0, 2] as [UInt64] {
                #expect(try ledger.answer(at: position).lossWord == "erased")
            }
            #expect(
                try ledger.answer(at: more.position)
                    == .fields(PrivateFields(licenseKeys: ["KEY-2"])))
            #expect(try ledger.log.verify().findings.isEmpty)
            ledger.close()
        }
    }
}
