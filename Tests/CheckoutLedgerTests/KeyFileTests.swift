import CheckoutLedger
import Foundation
import TestSupport
import Testing

@Suite("Files of keys that were changed")
struct KeyFileTests {
    @Test("No change to the root key's file opens anything else, or is taken for an erasure")
    func rootKey() async throws {
        try await withPlace { place in
            let ledger = try place.create()
            try await ledger.record(Fixture.opened("cks_1"))
            guard case .fields(let sound) = try ledger.answer(at: 0) else {
                Issue.record("nothing is sealed")
                return
            }
            ledger.close()
            let file = URL(fileURLWithPath: place.keyPath)
            let bytes = try Data(contentsOf: file)
            var refused = 0
            for index in bytes.indices {
                for bit in [0, 5] as [UInt8] {
                    var changed = bytes
                    changed[index] ^= 1 << bit
                    try changed.write(to: file)
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o600], ofItemAtPath: place.keyPath)
                    guard let opened = try? place.open({ $0.isReadOnly = true }) else {
                        refused += 1
                        continue
                    }
                    defer { opened.close() }
                    // The case of a hexadecimal digit says nothing.
                    guard let answer = try? opened.answer(at: 0) else {
                        refused += 1
                        continue
                    }
                    #expect(answer == .fields(sound), "byte \(index), bit \(bit): \(answer)")
                }
            }
            #expect(refused >= bytes.count)
            try bytes.write(to: file)
        }
    }

    @Test("No change to a seal key's file makes a key that signs under the log's name")
    func sealKey() async throws {
        try await withPlace { place in
            try place.create().close()
            let path = place.ledgerPath + ".seal.key"
            let ledger = try place.open { $0.sealKeyPath = path }
            let verifiers = ledger.sealVerifiers
            #expect(verifiers.count == 2)
            ledger.close()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 0x01
                try changed.write(to: URL(fileURLWithPath: path))
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: path)
                guard
                    let opened = try? place.open({
                        $0.sealKeyPath = path
                        $0.isReadOnly = true
                    })
                else { continue }
                let known = opened.sealVerifiers
                #expect(known.isEmpty || known == verifiers, "byte \(index): \(known)")
                opened.close()
            }
        }
    }
}
