import CheckoutLedger
import CheckoutModel
import HTTPServer
import ProviderKit
import Testing

@testable import Dashboard

@Suite("Lists and plots")
struct ListTests {
    /// Six sessions: two paid, one failed, one closed, one shown, one with a wrong amount.
    private func shop() async throws -> Shop {
        let shop = try Shop()
        let total = Money(minorUnits: 2_000, currency: .eur)
        let stories: [(ProviderID, String, EventType?, Int64?)] = [
            ("dodo", "cks_a", .paymentSucceeded, 2_000),
            ("stripe", "cs_b", .paymentSucceeded, 2_000),
            ("dodo", "cks_c", .paymentFailed, nil), ("dodo", "cks_d", nil, nil),
            ("stripe", "cs_e", nil, nil), ("dodo", "cks_f", .paymentSucceeded, 1),
        ]
        for (index, (provider, id, type, units)) in stories.enumerated() {
            let second = Int64(index) * 43_200
            let ids = ProviderIDs(session: id, order: "O-" + id)
            try await shop.tell(
                .sessionCreated, at: second, source: .host, provider: provider, ids: ids,
                amount: total)
            try await shop.tell(.sessionOpened, at: second + 1, provider: provider, ids: ids)
            if id == "cks_d" {
                try await shop.tell(.sessionClosed, at: second + 9, provider: provider, ids: ids)
            }
            guard let type else { continue }
            try await shop.tell(
                type, at: second + 20, source: .webhook, evidence: .verified, provider: provider,
                ids: ProviderIDs(session: id, payment: "p_" + id),
                amount: units.map {
                    Money(minorUnits: $0, currency: .eur)
                }, happened: second + 15)
        }
        return shop
    }

    @Test(
        "The list of sessions holds exactly what its conditions ask for",
        arguments: [
            ("", ["cks_f", "cs_e", "cks_d", "cks_c", "cs_b", "cks_a"]),
            ("outcome=succeeded", ["cs_b", "cks_a"]), ("outcome=none", ["cks_f", "cs_e", "cks_d"]),
            ("status=cancelled", ["cks_d"]), ("provider=stripe", ["cs_e", "cs_b"]),
            ("evidence=verified&provider=dodo", ["cks_f", "cks_c", "cks_a"]),
            ("review=yes", ["cks_f"]), ("age=under-1h", ["cks_f"]), ("age=over-7d", []),
            ("age=under-1d", ["cks_f", "cs_e"]), ("day=2026-03-04", ["cs_b", "cks_a"]),
            ("currency=EUR&most=0.01", ["cks_f"]), ("currency=USD", []),
            ("currency=EUR&least=20.00&outcome=succeeded", ["cs_b", "cks_a"]),
            ("q=cks_c", ["cks_c"]), ("q=O-cs_b", ["cs_b"]), ("q=p_cks_a", ["cks_a"]),
            ("q=cks_", ["cks_a", "cks_c", "cks_d", "cks_f"]), ("q=nobody", []),
        ])
    func filters(query: String, expected: [String]) async throws {
        let shop = try await shop()
        let text = await shop.get("/sessions.json?" + query).text
        let value = try JSONValue(json: Array(text.utf8))
        let found = value["sessions"]?.elements?.compactMap { $0["session"]?.text }
        #expect(found == expected)
        let page = await shop.get("/sessions?" + query).text
        for id in ["cks_a", "cs_b", "cks_c", "cks_d", "cs_e", "cks_f"] {
            #expect(page.contains("\">\(id)</a>") == expected.contains(id), "\(id)")
        }
    }

    @Test("Pages of a list follow each other without a gap or a repetition")
    func paging() async throws {
        let shop = try await shop()
        var address = "/sessions.json?limit=2"
        var found: [String] = []
        var pages = 0
        while pages < 9 {
            pages += 1
            let value = try JSONValue(json: Array(await shop.get(address).text.utf8))
            #expect(value["matching"]?.integer == 6)
            found += value["sessions"]?.elements?.compactMap { $0["session"]?.text } ?? []
            guard let before = value["before"]?.integer else { break }
            address = "/sessions.json?limit=2&before=\(before)"
        }
        #expect(pages == 3)
        #expect(found == ["cks_f", "cs_e", "cks_d", "cks_c", "cs_b", "cks_a"])
    }

    @Test("The funnel counts every checkout once, and its links lead to as many")
    func funnel() async throws {
        let shop = try await shop()
        let value = try JSONValue(json: Array(await shop.get("/funnel.json").text.utf8))
        let providers = try #require(value["providers"]?.elements)
        #expect(providers.compactMap { $0["started"]?.integer }.reduce(0, +) == 6)
        #expect(providers[0]["provider"]?.text == "dodo")
        #expect(providers[0]["succeeded"]?.integer == 1)
        let days = try #require(value["days"]?.elements)
        #expect(days.compactMap { $0["started"]?.integer } == [2, 2, 2])
        let page = HTMLScan(await shop.get("/funnel").text)
        for link in page.tags.compactMap({ $0.values["href"] }) where link.contains("outcome=") {
            let address = "/sessions.json" + link.dropFirst(9).replacing("&amp;", with: "&")
            let list = try JSONValue(json: Array(await shop.get(address).text.utf8))
            #expect(list["matching"]?.integer ?? 0 > 0, "\(link)")
        }
    }

    @Test("What waits and what was resolved after waiting are told apart")
    func abandoned() async throws {
        let shop = try await shop()
        let ids = ProviderIDs(session: "cks_d", payment: "p_cks_d")
        try await shop.tell(
            .paymentSucceeded, at: 300_000, source: .query, evidence: .verified, ids: ids,
            amount: Money(minorUnits: 2_000, currency: .eur))
        let value = try JSONValue(json: Array(await shop.get("/abandoned.json").text.utf8))
        #expect(value["total"]?.integer == 2)
        #expect(value["resolvedLastWeek"]?["total"]?.integer == 1)
        #expect(value["resolvedLastWeek"]?["succeeded"]?.integer == 1)
        #expect(
            value["sessions"]?.elements?.compactMap { $0["session"]?.text } == ["cks_f", "cs_e"])
        #expect(await shop.get("/abandoned").text.contains("100.0 % of 1"))
    }

    @Test(
        "Axes begin at zero and end at a round number that holds the greatest",
        arguments: [0, 1, 2, 7, 10, 99, 101, 4_999, 1_000_000])
    func axes(greatest: Int) {
        let scale = CountScale(upTo: greatest)
        #expect(scale.ticks[0] == 0)
        #expect(scale.top >= greatest && scale.ticks.count >= 2 && scale.ticks.count <= 7)
    }

    @Test("Marks of the curve are durations of cases, not between them")
    func quantiles() {
        let line = CumulativeCurve.Line(
            name: "", tone: "", durations: (1...200).map { Int64($0) * 1_000 })
        #expect(line.quantile(50) == 100_000)
        #expect(line.quantile(90) == 180_000)
        #expect(line.quantile(99) == 198_000)
        #expect(line.count(within: 100_000) == 100)
        let one = CumulativeCurve.Line(name: "", tone: "", durations: [5])
        #expect(CumulativeCurve.percents.map(one.quantile) == [5, 5, 5])
    }

    @Test("A checkpoint that stands still far behind the head is stuck; one just behind is not")
    func movement() {
        func log(_ events: UInt64, _ watermark: UInt64) -> ProjectionMovement.State {
            var movement = ProjectionMovement(checkpoint: watermark, since: Shop.start)
            let now = Instant(seconds: Shop.start.seconds + 61)
            movement.look(watermark, at: now)
            return movement.state(events: events, checkpoint: watermark, at: now)
        }
        #expect(log(100, 100) == .current)
        #expect(log(8_000, 0) == .moving)
        #expect(log(100_000, 10) == .stuck)
        var moved = ProjectionMovement(checkpoint: 10, since: Shop.start)
        let later = Instant(seconds: Shop.start.seconds + 600)
        moved.look(20, at: later)
        #expect(moved.state(events: 100_000, checkpoint: 20, at: later) == .moving)
    }
}
