import CheckoutModel
import Testing

@testable import CheckoutLedger
@testable import EventLog

@Suite("Every id that a record names can be looked up")
struct LostNameTests {
    /// The chunks of identities that have no row yet, as all of a small ledger's.
    private static func chunks(
        _ ledger: Ledger<InMemoryStore>
    ) throws -> [(key: UInt64, bytes: [UInt8])] {
        try ledger.log.store.read { (reader) throws(LogError) in
            var chunks: [(UInt64, [UInt8])] = []
            try reader.scan(.fresh, from: 0) { key, value in
                chunks.append((key, value.copied()))
                return .more
            }
            return chunks
        }
    }

    @Test(
        "An id whose letters were changed in the tables is missed by verify",
        arguments: ["cks_1", "pay_1", "o-1"])
    func changed(_ name: String) async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(
            CheckoutEvent(
                .sessionCreated, source: .host, provider: "dodo",
                ids: ProviderIDs(session: "cks_1", order: "o-1")))
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1"), id: "msg_1")
        // Told once more, with a name that no record has: nothing is wrong with that.
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1"), id: "msg_1")
        #expect(try ledger.log.verify().isSound)
        let chunks = try Self.chunks(ledger)
        var count = 0
        try ledger.log.store.write { (writer) throws(LogError) in
            for (key, bytes) in chunks {
                guard let range = bytes.firstRange(of: Array(name.utf8)) else { continue }
                var changed = bytes
                changed[range.lowerBound] ^= 0x01
                try writer.put(.fresh, key, changed)
                count += 1
            }
        }
        #expect(count > 0)
        let report = try ledger.log.verify()
        #expect(!report.isSound)
        #expect(Set(report.findings.map(\.word)) == [.identityLost])
        ledger.close()
    }
}
