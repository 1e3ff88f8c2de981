import CheckoutLedger
import CheckoutModel
import EventLog
import Testing

@testable import Dashboard

@Suite("The digest of a ledger")
struct DigestTests {
    /// What is told, one step at a time; each may be followed by a look at the digest.
    static let steps: [@Sendable (Shop) async throws -> Void] = [
        { try await $0.tellClosedAndPaid("cks_1") },
        { try await $0.tell(.sessionOpened, at: 100, ids: ProviderIDs(session: "cks_2")) },
        // A payment alone, which later turns out to be of the second session.
        {
            try await $0.tell(
                .paymentSucceeded, at: 110, source: .webhook, evidence: .verified,
                ids: ProviderIDs(payment: "pay_2"), amount: Money(minorUnits: 500, currency: .eur))
        },
        {
            try await $0.tell(
                .paymentSucceeded, at: 120, source: .webhook, evidence: .verified,
                ids: ProviderIDs(session: "cks_2", payment: "pay_2"),
                amount: Money(minorUnits: 500, currency: .eur), happened: 109)
        },
        {
            try await $0.tell(
                .paymentFailed, at: 130, source: .query, evidence: .verified, provider: "stripe",
                ids: ProviderIDs(session: "cs_3", payment: "pi_3"))
        },
        // A second payment of the first session changes what was paid, not when it became known.
        {
            try await $0.tell(
                .paymentSucceeded, at: 900, source: .query, evidence: .verified,
                ids: ProviderIDs(session: "cks_1", payment: "pay_again"),
                amount: Money(minorUnits: 9_900, currency: .eur))
        },
        { try await $0.tell(.noteAdded, at: 950, source: .host, ids: ProviderIDs(order: "x")) },
    ]

    @Test(
        "However often it was looked at on the way, the digest at one end is the same",
        arguments: 0..<(1 << 6))
    func splits(looks: Int) async throws {
        let shop = try Shop()
        var looked = LedgerDigest()
        for (index, step) in Self.steps.enumerated() {
            try await step(shop)
            if looks & (1 << index) != 0 { try looked.catchUp(with: shop.ledger) }
        }
        try looked.catchUp(with: shop.ledger)
        var whole = LedgerDigest()
        try whole.catchUp(with: shop.ledger)
        #expect(looked == whole)
    }

    @Test("Joined streams are one session, led by the one that has its name")
    func joins() async throws {
        let shop = try Shop()
        for step in Self.steps { try await step(shop) }
        var digest = LedgerDigest()
        try digest.catchUp(with: shop.ledger)
        #expect(digest.checkouts.map(\.stream).count == 3)
        let session = try shop.ledger.session(named: "cks_2")
        #expect(session.streams.count == 2)
        let leads = session.streams.map { digest.streams[Int($0)].lead }
        #expect(Set(leads) == [session.streams[0]])
        #expect(digest.streams[Int(session.streams[0])].sum?.outcome == .succeeded)
        #expect(digest.streams[Int(session.streams[1])].sum == nil)
    }

    @Test("An outcome is known from the first evidence of it, not from a later payment")
    func knownSince() async throws {
        let shop = try Shop()
        for step in Self.steps { try await step(shop) }
        var digest = LedgerDigest()
        try digest.catchUp(with: shop.ledger)
        let stream = try shop.ledger.session(named: "cks_1").streams[0]
        let sum = try #require(digest.streams[Int(stream)].sum)
        #expect(sum.timeToKnow == 44_000_000)
        #expect(sum.decidedBy == .webhook)
        // The payment that was heard of alone turned out to be of the second session.
        #expect(TimesToKnow(digest).byVoice[.webhook]?.first == 10_000_000)
    }

    @Test("A webhook that tells of something older than what one told before is out of order")
    func outOfOrder() async throws {
        let shop = try Shop()
        let ids = ProviderIDs(session: "cks_1", payment: "pay_1")
        let said: [(EventType, Int64, Int64)] = [
            (.paymentPending, 10, 1), (.paymentSucceeded, 20, 8), (.paymentAuthorised, 3_700, 4),
        ]
        for (type, second, happened) in said {
            try await shop.tell(
                type, at: second, source: .webhook, evidence: .verified, ids: ids,
                happened: happened)
        }
        var digest = LedgerDigest()
        try digest.catchUp(with: shop.ledger)
        #expect(digest.delays.points.map(\.isLate) == [false, false, true])
        #expect(digest.delays.points.map(\.delay) == [9_000_000, 12_000_000, 3_696_000_000])
        #expect(digest.delays.total == 3)
        #expect(digest.delays.late == 1)
        #expect(digest.delays.counts[6].late == 1)
    }

    @Test("Of many delays the picture keeps the latest, and the counts keep all")
    func ring() {
        var tally = DelayTally()
        let total = Limits.delayPoints + 7
        for index in 0..<total {
            tally.add(
                DelayTally.Point(
                    position: UInt64(index), occurredAt: 0, delay: -1, isLate: false))
        }
        #expect(tally.points.count == Limits.delayPoints)
        #expect(tally.points.first?.position == 7)
        #expect(tally.points.last?.position == UInt64(total - 1))
        #expect(tally.total == total)
        #expect(tally.counts[0].inOrder == total)
    }

    @Test("Counts of the first page agree with the ledger's own lists")
    func counts() async throws {
        let shop = try Shop()
        for step in Self.steps { try await step(shop) }
        try await shop.tell(.sessionOpened, at: 1_000, ids: ProviderIDs(session: "cks_9"))
        var digest = LedgerDigest()
        try digest.catchUp(with: shop.ledger)
        let now = Instant(seconds: Shop.start.seconds + 5_000)
        let counts = StatusCounts(
            digest, twice: try shop.ledger.streamsOfOrdersPaidTwice(), now: now)
        var sessions = 0
        try shop.ledger.forEachSession { _ in
            sessions += 1
            return .more
        }
        var abandoned = 0
        try shop.ledger.forEachAbandonedSession(asOf: now, olderThan: Limits.patience) { _ in
            abandoned += 1
            return .more
        }
        var contradictions = 0
        try shop.ledger.forEachDiscrepancy { _, _ in
            contradictions += 1
            return .more
        }
        #expect(counts.total == sessions)
        #expect(counts.abandoned == abandoned)
        #expect(counts.abandoned == 1)
        #expect(counts.withDiscrepancy == contradictions)
        #expect(counts.byOutcome == [.succeeded: 2, .failed: 1])
    }
}
