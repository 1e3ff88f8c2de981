import CheckoutLedger
import CheckoutModel
import EventLog
import Testing

@Suite("Projections say what is true now, and what was believed then")
struct ProjectionTests {
    let clock = ManualClock(Fixture.now)
    let ledger: Ledger<InMemoryStore>

    init() throws { ledger = try Fixture.memoryLedger(clock: clock) }

    func app(_ type: EventType, _ session: String, order: String? = nil, total: Int64? = nil)
        async throws
    {
        let currency = Currency("EUR")
        try await ledger.record(
            CheckoutEvent(
                type, source: type == .sessionCreated ? .host : .app,
                occurredAt: Instant(microseconds: clock.now()), provider: "dodo",
                ids: ProviderIDs(session: session, order: order),
                amount: total.flatMap { amount in
                    currency.map { Money(minorUnits: amount, currency: $0) }
                }))
        clock.advance(seconds: 1)
    }

    func pay(_ session: String, _ payment: String, amount: Int64 = 2500) async throws {
        try await ledger.receive(
            Fixture.payment(
                "payment.succeeded", payment: payment, session: session, amount: amount),
            id: "msg_\(payment)")
        clock.advance(seconds: 1)
    }

    func abandoned(after patience: Int64 = 0) throws -> [AbandonedSession] {
        var found: [AbandonedSession] = []
        try ledger.forEachAbandonedSession(
            asOf: Instant(microseconds: clock.now()), olderThan: patience * 1_000_000
        ) { (session) throws(LedgerError) in
            found.append(session)
            return .more
        }
        return found
    }

    func outcomes() throws -> [FinalOutcome] {
        var found: [FinalOutcome] = []
        try ledger.forEachFinalOutcome { (outcome) throws(LedgerError) in
            found.append(outcome)
            return .more
        }
        return found
    }

    func discrepancies() throws -> [String: [Discrepancy.Code]] {
        var found: [String: [Discrepancy.Code]] = [:]
        try ledger.forEachDiscrepancy { (session, codes) throws(LedgerError) in
            found[session.name] = codes.map(\.code)
            return .more
        }
        return found
    }

    @Test("A session stays on the abandoned list until its outcome is known, and only then leaves")
    func abandonedUntilKnown() async throws {
        try await app(.sessionOpened, "cks_1")
        try await app(.sessionOpened, "cks_2")
        try await app(.sessionClosed, "cks_1")
        #expect(try abandoned().map(\.session.name) == ["cks_1", "cks_2"])
        #expect(try abandoned().map(\.reason) == [.closed, .noReturn])
        try await pay("cks_1", "pay_1")
        #expect(try abandoned().map(\.session.name) == ["cks_2"])
        #expect(try outcomes().map(\.session.name) == ["cks_1"])
    }

    @Test("Patience is the caller's: a younger session is not abandoned yet")
    func patience() async throws {
        try await app(.sessionOpened, "cks_1")
        clock.advance(seconds: 100)
        try await app(.sessionOpened, "cks_2")
        #expect(try abandoned(after: 60).map(\.session.name) == ["cks_1"])
        #expect(try abandoned(after: 3600).isEmpty)
    }

    @Test("Clearing one session leaves the others")
    func clearing() async throws {
        for session in ["cks_1", "cks_2", "cks_3"] { try await app(.sessionOpened, session) }
        try await app(.sessionCleared, "cks_2")
        #expect(try abandoned().map(\.session.name) == ["cks_1", "cks_3"])
    }

    @Test("An abandoned session that is joined to its payment leaves the list")
    func joinedLeaves() async throws {
        try await app(.sessionOpened, "cks_1")
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_1"), id: "msg_1")
        #expect(try abandoned().count == 1)
        try await ledger.receive(
            Fixture.payment("payment.processing", payment: "pay_1", session: "cks_1"), id: "msg_2")
        #expect(try abandoned().isEmpty)
        #expect(try outcomes().map(\.session.name) == ["cks_1"])
        #expect(try ledger.session(named: "cks_1").streams.count == 2)
    }

    @Test("A failed outcome is replaced by a paid one, and the last one holds")
    func replacedOutcome() async throws {
        try await ledger.receive(
            Fixture.payment("payment.failed", payment: "pay_1", session: "cks_1"), id: "msg_1")
        #expect(try outcomes().map(\.outcome.status) == [.failed])
        try await pay("cks_1", "pay_1")
        #expect(try outcomes().map(\.outcome.status) == [.succeeded])
    }

    @Test("One order paid by two sessions is reported on both, and joins neither")
    func orderPaidTwice() async throws {
        for session in ["cks_1", "cks_2"] {
            try await app(.sessionCreated, session, order: "o-1", total: 2500)
        }
        try await app(.sessionCreated, "cks_3", order: "o-2", total: 2500)
        try await pay("cks_1", "pay_1")
        try await pay("cks_3", "pay_3")
        #expect(try discrepancies().isEmpty)
        try await pay("cks_2", "pay_2")
        #expect(
            try discrepancies() == ["cks_1": [.orderPaidTwice], "cks_2": [.orderPaidTwice]])
        #expect(try ledger.sessions().count == 3)
    }

    @Test("pub-proj-08: another amount than the host asked for is under review, not paid")
    func amountMismatch() async throws {
        try await app(.sessionCreated, "cks_1", total: 4900)
        try await app(.sessionOpened, "cks_1")
        try await pay("cks_1", "pay_1", amount: 490)
        #expect(try discrepancies() == ["cks_1": [.amountMismatch]])
        #expect(try outcomes().isEmpty)
        #expect(try abandoned().map(\.reason) == [.needsReview])
    }

    @Test("What was believed before a position is the fold of what stood before it")
    func asOf() async throws {
        try await app(.sessionOpened, "cks_1")
        let before = try ledger.endPosition()
        let moment = Instant(microseconds: clock.now())
        clock.advance(seconds: 1)
        try await pay("cks_1", "pay_1")
        #expect(try ledger.session(named: "cks_1", asOf: .position(before)).outcome == nil)
        #expect(try ledger.session(named: "cks_1", asOf: .time(moment)).outcome == nil)
        #expect(try ledger.session(named: "cks_1").outcome?.status == .succeeded)
        #expect(throws: LedgerError.self) {
            try ledger.session(named: "cks_1", asOf: .position(0))
        }
    }

    @Test("A join of streams is not seen at moments before it")
    func asOfJoin() async throws {
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_1"), id: "msg_1")
        try await app(.sessionOpened, "cks_1")
        let before = try ledger.endPosition()
        try await ledger.receive(
            Fixture.payment("payment.processing", payment: "pay_1", session: "cks_1"), id: "msg_2")
        #expect(try ledger.session(named: "cks_1", asOf: .position(before)).outcome == nil)
        #expect(try ledger.session(named: "cks_1").outcome?.status == .succeeded)
    }

    @Test("A renewal of a subscription is a payment of its own, not a second one of the checkout")
    func renewal() async throws {
        let extra = ",\"subscription_id\":\"sub_1\""
        try await ledger.receive(
            Fixture.payment(
                "payment.succeeded", payment: "pay_1", session: "cks_1", extra: extra),
            id: "msg_1")
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_2", extra: extra), id: "msg_2")
        #expect(try discrepancies().isEmpty)
        #expect(try ledger.session(named: "cks_1").state.evidence.paid.total?.minorUnits == 2500)
        #expect(try ledger.sessions().count == 2)
    }

    @Test(
        "A subscription's own webhook, which names no session, reaches the checkout in any order",
        arguments: [true, false])
    func subscription(_ isFirst: Bool) async throws {
        let active = """
            {"business_id":"bus_demo","type":"subscription.active","timestamp":\
            "2026-03-04T05:06:07Z","data":{"payload_type":"Subscription",\
            "subscription_id":"sub_1","status":"active"}}
            """
        let paid = Fixture.payment(
            "payment.succeeded", payment: "pay_1", session: "cks_1",
            extra: ",\"subscription_id\":\"sub_1\"")
        let bodies = isFirst ? [active, paid] : [paid, active]
        try await ledger.receive(bodies[0], id: "msg_1")
        try await ledger.receive(bodies[1], id: "msg_2")
        let sessions = try ledger.sessions()
        #expect(sessions.map(\.name) == ["cks_1"])
        let types = try ledger.timeline(of: "sub_1").events.map(\.event.type)
        #expect(types.contains(.subscriptionActive))
        #expect(types.contains(.paymentSucceeded))
    }

    @Test("An audit by order, payment, type, source and time selects exactly those events")
    func auditQueries() async throws {
        try await app(.sessionCreated, "cks_1", order: "o-1", total: 2500)
        try await app(.sessionOpened, "cks_1")
        let middle = Instant(microseconds: clock.now())
        try await app(.sessionOpened, "cks_2")
        try await pay("cks_1", "pay_1")
        func count(_ change: (inout AuditQuery) -> Void) throws -> Int {
            var query = AuditQuery()
            change(&query)
            var count = 0
            try ledger.forEachEvent(matching: query) { (_) throws(LedgerError) in
                count += 1
                return .more
            }
            return count
        }
        #expect(try count { _ in } == 5)
        #expect(try count { $0.order = "o-1" } == 4)
        #expect(try count { $0.session = "cks_2" } == 1)
        #expect(try count { $0.payment = "pay_1" } == 2)
        #expect(try count { $0.types = [.sessionOpened] } == 2)
        #expect(try count { $0.sources = [.webhook] } == 2)
        #expect(try count { $0.evidence = [.verified] } == 2)
        #expect(try count { $0.since = middle } == 3)
        #expect(try count { $0.until = middle } == 2)
        #expect(try count { $0.positions = 1..<3 } == 2)
        #expect(try count { $0.order = "o-9" } == 0)
    }

    @Test("Replay gives the same states on one core and on several, wherever the log is cut")
    func cuts() async throws {
        // Each session opens in one block of the log, is paid in the next and again in the third.
        let stories: [(UInt32) async throws -> Void] = [
            { try await app(.sessionCreated, "cks_\($0)", total: 2500) },
            { try await pay("cks_\($0)", "pay_\($0)") },
            { try await pay("cks_\($0)", "pay_again_\($0)") },
        ]
        for story in stories {
            for number in 0..<40 as Range<UInt32> { try await story(number) }
            let filler = (0..<1_024).map { number in
                EventEntry(
                    CheckoutEvent(
                        .noteAdded, source: .operator, evidence: .operator, provider: "dodo",
                        ids: ProviderIDs(session: "cks_filler_\(number % 7)"), reason: "filler"))
            }
            _ = try await ledger.record(filler)
        }
        let alone = try ledger.log.replay(workers: 1)
        for workers in [2, 3, 4] {
            let together = try ledger.log.replay(workers: workers)
            #expect(together.states == alone.states && together.end == alone.end)
        }
        let paid = alone.states.filter { $0.evidence.outcome != nil }
        #expect(paid.count == 40 && paid.allSatisfy { $0.trace.outcomeAt != .max })
    }
}
