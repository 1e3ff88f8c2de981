import CheckoutLedger
import CheckoutModel
import EventLog
import Testing

@Suite("The report on erasures tells of a real ledger what was done to it")
struct ErasureReportTests {
    /// What the story below must come to, row by row.
    private static func expected(after seconds: Int64) -> [[String]] {
        let isLate = seconds > 2_592_000
        return [
            ["privacy.hold_placed", "held", "cks_4", "", "0", "0", "ada"],
            ["privacy.hold_placed", "released", "cks_3", "", "0", "0", "bob"],
            ["privacy.hold_released", "released", "cks_3", "", "0", "0", "ada"],
            ["privacy.erase_requested", "done", "cks_1", "contact commercial", "0", "0", "ada"],
            ["privacy.subject_erased", "receipt", "cks_1", "contact commercial", "2", "2", "ada"],
            [
                "privacy.erase_requested", isLate ? "overdue" : "open", "cks_2",
                "contact commercial", "0", "0", "",
            ],
        ]
    }

    @Test(
        "Held, released, done with its receipt, open, and overdue after a month",
        arguments: [3_600, 2_592_000, 2_592_060] as [Int64])
    func story(seconds: Int64) async throws {
        try await withPlace { place in
            let ledger = try place.create()
            for number in 1...4 {
                try await Fixture.pay("cks_\(number)", "pay_\(number)", in: ledger)
            }
            try ledger.hold(
                .session("cks_4"), reason: "a court", actor: "ada", at: Fixture.now)
            try ledger.hold(
                .session("cks_3"), reason: "a dispute", actor: "bob", at: Fixture.now)
            try ledger.release(
                .session("cks_3"), reason: "settled", actor: "ada", at: Fixture.now)
            var order = ErasureOrder(.session("cks_1"))
            order.actor = "ada"
            try ledger.erase(order, at: Fixture.now)
            ledger.close()
            // One that dies with the request in the log, and is not taken up again.
            let peer = try PrivacyPeer(place, dyingAt: .requested)
            #expect(peer.ask("erase cks_2") == "")
            #expect(peer.end(), "it was not killed")

            let looked = try place.open { $0.isReadOnly = true }
            defer { looked.close() }
            let report = try #require(AuditReport.named("Q20"))
            let last = try looked.event(at: looked.endPosition() - 1)
            let now = Instant(microseconds: last.recordedAt.microseconds + seconds * 1_000_000)
            var rows: [[String: String]] = []
            let coverage = try looked.audit(report, AuditScope(now: now)) {
                (values) throws(LedgerError) in
                rows.append(
                    Dictionary(uniqueKeysWithValues: zip(report.columns, values.map(\.text))))
            }
            let columns = ["type", "state", "session", "classes", "keys", "events", "actor"]
            let told = rows.map { row in columns.map { row[$0] ?? "" } }
            #expect(told == Self.expected(after: seconds))
            #expect(rows.last?["ageSeconds"] == "\(seconds)")
            #expect(rows.map { $0["level"] ?? "" } == ["", "", "", "", "root-replaced", ""])
            #expect(rows[3]["request"] == rows[4]["request"])
            #expect(rows[3]["request"] != rows[5]["request"])
            #expect(coverage.rows == 6)
        }
    }
}
