import CommandKit
import EventLog
import Foundation
import LedgerViews
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("Reading commands")
struct ReadingCommandTests {
    @Test("The command tree has no mistakes")
    func tree() {
        #expect(CommandTable.tree.problems() == [])
    }

    @Test("Every reading command prints exactly the members that its help promises")
    func members() async throws {
        let cases: [(words: [String], shape: RowShape)] = [
            (["sessions"], SessionRow.shape), (["abandoned"], AbandonedRow.shape),
            (["outcomes"], outcomeShape), (["discrepancies"], DiscrepancyRow.shape),
            (["as-of", "@6", "cks_paid"], asOfShape), (["verify"], verifyShape),
            (["stats"], statsShape), (["providers"], providerShape),
            (["replay"], replayShape), (["timeline", "cks_paid", "--private"], StoryEntry.shape),
        ]
        try await ReadingShop.with { shop in
            for (words, shape) in cases {
                let run = try shop.program.run(
                    words + ["--json", "--ledger", shop.path, "--root-key", shop.keyPath])
                #expect(run.status == 0, "\(words): \(run.errors)")
                for line in run.lines {
                    let row = try #require(
                        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                    #expect(Set(row.keys) == Set(shape.names), "\(words)")
                }
                #expect(!run.lines.isEmpty, "\(words)")
                let asked = try shop.program.run([words[0], "--json=?"] + words.dropFirst())
                let names = asked.lines.map { String($0.prefix { $0 != "\t" }) }
                #expect(names == shape.names)
            }
            for row in try shop.rows("events") {
                #expect(Set(row.keys).isSubset(of: EventRow.shape.names))
            }
            let single = try #require(try shop.rows("events", "--at", "3", "--private").first)
            #expect(Set(single.keys).isSubset(of: eventDetailShape.names))
            #expect((single["leafHash"] as? String)?.count == 64)
        }
    }

    @Test("A row of sessions is byte for byte what the format says")
    func sessionRow() async throws {
        try await ReadingShop.with { shop in
            let run = try shop.run("sessions", "--json", "--order", "ORDER-1")
            #expect(
                run.lines.first == """
                    {"session":"cks_paid","provider":"dodo","status":"succeeded",\
                    "outcome":"succeeded","evidence":"verified",\
                    "amount":{"minorUnits":2500,"currency":"EUR"},"refunded":500,\
                    "needsReview":true,"reasons":["hint_disagrees","order_paid_twice"],\
                    "orders":["ORDER-1"],"payments":["pay_1"],"subscriptions":[],\
                    "openedAt":"2026-03-04T05:06:09.000000Z",\
                    "lastEventAt":"2026-03-04T05:06:13.000000Z","events":9}
                    """)
            #expect(run.lines.count == 2)
        }
    }

    @Test("Two sessions that paid one order both need review, and both say why")
    func orderPaidTwice() async throws {
        try await ReadingShop.with { shop in
            let rows = try shop.rows("sessions", "--needs-review")
            let twice = rows.filter {
                ($0["reasons"] as? [String])?.contains("order_paid_twice") == true
            }
            #expect(twice.compactMap { $0["session"] as? String } == ["cks_paid", "cks_again"])
            #expect(twice.allSatisfy { $0["needsReview"] as? Bool == true })
            // Before the second was paid nothing was wrong with the first.
            let then = try #require(try shop.rows("as-of", "@16", "cks_paid").first)
            #expect(then["needsReview"] as? Bool == false)
            let found = try shop.rows("discrepancies", "--code", "order_paid_twice")
            #expect(found.count == 2)
        }
    }

    @Test(
        "Sessions are filtered by what is shown, what is held true, and when it was",
        arguments: [
            (["--status", "cancelled"], ["cks_shut"]),
            (["--outcome", "none"], ["cks_silent", "cks_shut", "cks_unsure", "cks_less"]),
            (["--outcome", "failed"], ["cks_told"]),
            (["--order", "ORDER-3"], ["cks_less"]),
            (["--provider", "stripe"], []),
            (["--limit", "1"], ["cks_paid"]),
            (["--as-of", "@9"], ["cks_paid", "cks_silent"]),
        ] as [([String], [String])])
    func filters(words: [String], expected: [String]) async throws {
        try await ReadingShop.with { shop in
            let run = try shop.program.run(
                ["sessions", "--json=session"] + words
                    + ["--ledger", shop.path, "--root-key", shop.keyPath])
            let names = try run.rows().compactMap { $0["session"] as? String }
            #expect(names == expected)
        }
    }

    @Test("Abandoned sessions say why nothing is known, as of any moment")
    func abandoned() async throws {
        try await ReadingShop.with { shop in
            let rows = try shop.rows("abandoned", "--as-of", "2026-03-04T06:00:00Z")
            #expect(
                rows.map { "\($0["session"] ?? "") \($0["reason"] ?? "")" } == [
                    "cks_silent no_return", "cks_shut closed", "cks_unsure unconfirmed",
                    "cks_less needs_review",
                ])
            #expect(rows.first?["ageSeconds"] as? Int == 3_226)
            // Position 2 is the closed page of what is paid by now.
            let then = try shop.rows("abandoned", "--as-of", "@2")
            #expect(then.compactMap { $0["session"] as? String } == ["cks_paid"])
            let old = try shop.rows(
                "abandoned", "--as-of", "2026-03-04T06:00:00Z", "--older-than", "2h")
            #expect(old.isEmpty)
        }
    }

    @Test("Outcomes name the position of the evidence that made them")
    func outcomes() async throws {
        try await ReadingShop.with { shop in
            let rows = try shop.rows("outcomes")
            let told = rows.map {
                "\($0["session"] ?? "") \($0["outcome"] ?? "") \($0["evidence"] ?? "")"
            }
            #expect(
                told == [
                    "cks_paid succeeded verified", "cks_again succeeded verified",
                    "cks_told failed operator",
                ])
            #expect(rows.first?["position"] as? Int == 4)
            let behind = try shop.rows("outcomes", "--after", "@4")
            #expect(behind.count == 2)
        }
    }
}
