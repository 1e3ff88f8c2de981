import CheckoutLedger
import CheckoutModel
import Foundation
import TestSupport
import Testing

@Suite("Verification and replay from the command line")
struct ReadingProofTests {
    @Test("A sound ledger is called self-consistent, never proven")
    func sound() async throws {
        try await ReadingShop.with { shop in
            let run = try shop.run("verify")
            #expect(run.status == 0)
            #expect(run.output.contains("self-consistent only, not proven"))
            let row = try #require(try shop.rows("verify").first)
            #expect(row["sound"] as? Bool == true)
            #expect(row["anchored"] as? Bool == false)
            #expect(row["events"] as? Int == 27)
        }
    }

    @Test("A changed byte in a record is found, and the exit code says integrity")
    func damage() async throws {
        try await ReadingShop.with { shop in
            let file = URL(fileURLWithPath: shop.path).appendingPathComponent("data.mdb")
            var bytes = try Data(contentsOf: file)
            // The order's name stands in the payload of record 0, in each page that still has it.
            let needle = Data("ORDER-2".utf8)
            var found = 0
            var range = bytes.range(of: needle)
            while let place = range {
                bytes[place.lowerBound + 6] = UInt8(ascii: "9")
                found += 1
                range = bytes.range(of: needle)
            }
            #expect(found > 0)
            try bytes.write(to: file)
            let run = try shop.run("verify", "--json")
            #expect(run.status == 3)
            let row = try #require(try run.rows().first)
            let findings = try #require(row["findings"] as? [[String: Any]])
            #expect(findings.contains { $0["word"] as? String == "edited" })
            #expect(findings.contains { $0["position"] as? Int == 10 })
        }
    }

    @Test("An empty ledger proves nothing, which is a failure unless it is allowed")
    func empty() async throws {
        try await ReadingShop.with(stories: false) { shop in
            let run = try shop.run("verify")
            #expect(run.status == 1)
            #expect(run.errors.contains("Nothing to verify: the log is empty."))
            #expect(try shop.run("verify", "--json").errors.contains("EMPTY_LOG"))
            #expect(try shop.run("verify", "--allow-empty").status == 0)
            for command in ["sessions", "events", "abandoned", "outcomes", "stats", "replay"] {
                #expect(try shop.run(command).status == 0, "\(command)")
            }
        }
    }

    @Test("A replay changes nothing, whatever the clock, the zone and the number of workers")
    func replay() async throws {
        try await ReadingShop.with { shop in
            let before = try shop.run("sessions", "--json").output
            let first = try shop.run("replay", "--json")
            let second = try shop.run(
                "replay", "--json", "--workers", "7", environment: ["TZ": "Asia/Tokyo"])
            #expect(first.status == 0)
            #expect(first.output == second.output)
            #expect(try first.rows().first?["differences"] as? Int == 0)
            #expect(try shop.run("sessions", "--json").output == before)
            let dry = try #require(try shop.rows("replay", "--dry-run").first)
            #expect(dry["swapped"] as? Bool == false)
            #expect(try shop.run("verify").status == 0)
        }
    }

    @Test("An event of a type not known here ends the replay with 5, unless it is to be skipped")
    func unknown() async throws {
        try await ReadingShop.with { shop in
            let writer = try ShopWriter(shop)
            try await writer.app(EventType(rawValue: 999), "cks_silent")
            writer.ledger.close()
            let run = try shop.run("replay", "--json")
            #expect(run.status == 5)
            #expect(try run.rows().first?["notUnderstood"] as? [Int] == [27])
            #expect(try shop.run("replay", "--skip-unknown").status == 0)
            #expect(try shop.rows("events").last?["type"] as? String == "unknown.999")
        }
    }

    @Test("Control totals count each payment and each refund once")
    func totals() async throws {
        try await ReadingShop.with { shop in
            let row = try #require(try shop.rows("stats").first)
            let totals = try #require((row["totals"] as? [[String: Any]])?.first)
            #expect(totals["paid"] as? Int == 2500 + 2500 + 490)
            #expect(totals["refunded"] as? Int == 500)
            #expect(row["sessions"] as? Int == 7)
            #expect((row["types"] as? [String: Int])?["delivery.refused"] == 1)
        }
    }

    @Test("The list of providers names the scheme that their webhooks were verified by")
    func schemes() async throws {
        try await ReadingShop.with { shop in
            let listed = try shop.rows("providers").first { $0["provider"] as? String == "dodo" }
            let used = try shop.rows("events", "--type", "delivery.received").first
            #expect(listed?["webhookScheme"] as? String == used?["scheme"] as? String)
            let map = try #require(listed?["statusMap"] as? String)
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            #expect(
                FileManager.default.fileExists(atPath: root.appendingPathComponent(map).path))
        }
    }

    @Test("Reading works while another process has the ledger open for writing")
    func besideWriter() async throws {
        try await ReadingShop.with { shop in
            let writer = try ShopWriter(shop)
            try await writer.app(.sessionOpened, "cks_new")
            // Not checkpointed yet: the reader folds the tail itself.
            let rows = try shop.rows("sessions")
            #expect(rows.last?["session"] as? String == "cks_new")
            #expect(try shop.run("verify").status == 0)
            writer.ledger.close()
        }
    }
}
