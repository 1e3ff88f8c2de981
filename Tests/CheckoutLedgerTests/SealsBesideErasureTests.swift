import CheckoutLedger
import CheckoutModel
import EventLog
import TestSupport
import Testing

@Suite("Seals beside erasures")
struct SealsBesideErasureTests {
    @Test("A ledger is sealed rightly, and late news is erased, while another process erases")
    func together() async throws {
        try await withPlace { place in
            try place.create().close()
            let key = place.ledgerPath + ".seal.key"
            let ledger = try place.open { $0.sealKeyPath = key }
            let names = ["cks_1", "cks_2", "cks_3"]
            for name in names { try await Fixture.pay(name, "pay_\(name)", in: ledger) }
            let peer = try PrivacyPeer(place)
            let erasing = Task.detached { names.map { peer.ask("erase \($0)") } }
            // News of the same checkouts comes all the while, and is sealed as it comes.
            var sizes: [UInt64] = []
            for round in 0..<40 {
                try await ledger.record(Fixture.opened(names[round % 3]))
                sizes.append(try ledger.seal().head.size)
            }
            let answers = await erasing.value
            #expect(answers.allSatisfy { !$0.isEmpty }, "\(answers)")
            peer.end()
            // What was sealed under a key that the other process removed is found again.
            try await ledger.record(Fixture.opened("cks_4"))
            let last = try ledger.seal()
            _ = try ledger.sweepReturnedKeys(at: Fixture.now)

            #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
            let anchor = Anchor(last.head, keptAt: "elsewhere", isOutside: true)
            let report = try ledger.log.verify(
                against: [anchor], sealedBy: ledger.sealVerifiers)
            #expect(report.isSound, "\(report.findings)")
            #expect(report.seals > 40 && report.signedSeals == report.seals)
            #expect(report.provenEnd == last.head.size)
            let entries = try ledger.erasures()
            #expect(entries.count == 3 && entries.allSatisfy { !$0.isUnderWay })
            // A receipt tells of what is done, and a seal covers it.
            for position in 0..<last.head.size {
                let event = try ledger.event(at: position)
                guard let session = event.event.ids.session, names.contains(session),
                    event.hasSealedFields || event.payload.discarded != nil
                else { continue }
                #expect(
                    try ledger.answer(at: position).lossWord == "erased", "\(session) @\(position)")
            }
            ledger.close()
        }
    }
}
