import CheckoutModel
import TestSupport
import Testing

@testable import CheckoutLedger

@Suite("Data keys are minted ahead, many at a time")
struct KeyMintingTests {
    @Test("Each of many sessions at once gets a key of its own, and the keys' rows stand together")
    func many() async throws {
        try await withPlace { place in
            let ledger = try place.create()
            let count = 1_500
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<30 {
                    group.addTask {
                        for index in 0..<count / 30 {
                            try await ledger.record(Fixture.opened("cks_\(part)_\(index)"))
                        }
                    }
                }
                try await group.waitForAll()
            }
            var sealing: Set<[UInt8]> = []
            for position in 0..<UInt64(count) {
                let event = try ledger.event(at: position)
                // The id stands behind the form.
                sealing.formUnion(event.payload.sealed.map { Array($0[1..<17]) })
                guard case .fields(let fields) = try ledger.privateFields(of: event) else {
                    Issue.record("position \(position) does not open")
                    continue
                }
                #expect(fields.customerEmail == Fixture.address)
            }
            #expect(sealing.count == count)
            let rows = try ledger.keystore.rows.rows(
                beginning: KeystoreLayout.keys, from: KeystoreLayout.keys, limit: 10_000)
            #expect(rows.count >= count && rows.count <= count + 4 * Limits.keyPoolCount)
            // One beginning for all keys of a commit, and few commits.
            let starts = Set(rows.map { $0.key.dropFirst().prefix(Limits.sharedKeyIDBytes) })
            #expect(starts.count <= 24, "\(starts.count) beginnings of \(rows.count) keys")
            ledger.close()
        }
    }
}
