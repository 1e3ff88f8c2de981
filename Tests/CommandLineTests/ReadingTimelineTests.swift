import Foundation
import TestSupport
import Testing

@Suite("Timelines")
struct ReadingTimelineTests {
    @Test("A story says what each event changed")
    func effects() async throws {
        try await ReadingShop.with { shop in
            let rows = try shop.rows("timeline", "cks_paid")
            #expect(
                rows.map { "\($0["type"] ?? "") | \($0["effect"] ?? "")" } == [
                    "session.created | ", "session.opened | ",
                    "session.closed | hint: cancelled", "delivery.received | kept",
                    "payment.succeeded | outcome: succeeded; discrepancy: hint_disagrees",
                    "delivery.received | kept",
                    "payment.succeeded | duplicate, counted once",
                    "delivery.received | kept",
                    "refund.succeeded | refunded: EUR 5.00",
                ])
            #expect(rows.last?["offset"] as? Int == 5_000_000)
        }
    }

    @Test(
        "A session is found by any of its ids, by an order of its own, and by a beginning",
        arguments: ["cks_paid", "dodo/cks_paid", "pay_1", "ref_1", "cks_p"])
    func names(word: String) async throws {
        try await ReadingShop.with { shop in
            let rows = try shop.rows("timeline", word)
            #expect(rows.count == 9)
            #expect(try shop.rows("timeline", "ORDER-3").count == 4)
        }
    }

    @Test("A name that fits several sessions is refused, and so is one that fits none")
    func ambiguity() async throws {
        try await ReadingShop.with { shop in
            for (word, code) in [
                ("ORDER-1", "AMBIGUOUS_NAME"), ("cks", "AMBIGUOUS_NAME"), ("x", "NOT_FOUND"),
            ] {
                let run = try shop.run("timeline", word, "--json")
                #expect(run.status == 1)
                #expect(run.output.isEmpty)
                let error = try JSONSerialization.jsonObject(with: Data(run.errors.utf8))
                #expect((error as? [String: Any])?["code"] as? String == code)
                #expect(run.errors.filter { $0 == "\n" }.count == 1)
            }
        }
    }

    @Test("Sealed fields show only when they are asked for, and not without the root key")
    func privacy() async throws {
        try await ReadingShop.with { shop in
            for words in [["timeline", "cks_paid"], ["events"], ["sessions"], ["stats"]] {
                for form in [[], ["--json"]] {
                    let run = try shop.program.run(
                        words + form + ["--ledger", shop.path, "--root-key", shop.keyPath])
                    #expect(run.status == 0)
                    #expect(!run.output.contains("mail.example"), "\(words)")
                }
            }
            let open = try shop.run("timeline", "cks_paid", "--private")
            #expect(open.output.contains("mira@mail.example"))
            let blind = try shop.program.run(
                ["timeline", "cks_paid", "--private", "--ledger", shop.path])
            #expect(blind.status == 4)
            #expect(!blind.output.contains("mail.example"))
        }
    }

    @Test("A moment of the past counts only what was recorded by then")
    func past() async throws {
        try await ReadingShop.with { shop in
            #expect(try shop.rows("timeline", "cks_paid", "--as-of", "@2").count == 3)
            let row = try #require(
                try shop.rows("as-of", "2026-03-04T05:06:10Z", "cks_paid").first)
            #expect(row["positions"] as? [Int] == [0, 1, 2])
            #expect(row["outcome"] is NSNull)
            #expect(row["status"] as? String == "cancelled")
        }
    }
}
