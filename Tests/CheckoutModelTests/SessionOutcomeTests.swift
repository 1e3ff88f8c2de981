import Testing

@testable import CheckoutModel

/// The projection cases of `cases-public.json` that speak about one session, as evidence.
@Suite("Outcomes follow from evidence")
struct SessionOutcomeTests {
    static let session = "cks_1"

    func heard(_ facts: [Fact]) -> SessionEvidence { evidence(of: facts) }

    func payment(
        _ type: EventType, _ id: String, _ amount: Int64? = nil, _ currency: String = "EUR",
        at: Int64, source: EventSource = .webhook
    ) -> Fact {
        Fact(
            type: type, source: source, evidence: .verified,
            amount: money(amount, currency), subject: EventReference(of: id), occurredAt: at)
    }

    func refund(_ id: String, of payment: String, _ amount: Int64, at: Int64) -> Fact {
        Fact(
            type: .refundSucceeded, source: .webhook, evidence: .verified,
            amount: money(amount, "EUR"), subject: EventReference(of: id),
            object: EventReference(of: payment), occurredAt: at)
    }

    func asked(_ amount: Int64, _ currency: String = "EUR") -> Fact {
        Fact(
            type: .sessionCreated, source: .host, evidence: .hint, amount: money(amount, currency))
    }

    func money(_ amount: Int64?, _ currency: String) -> Money? {
        guard let amount, let currency = Currency(currency) else { return nil }
        return Money(minorUnits: amount, currency: currency)
    }

    @Test("pub-proj-01: processing heard after success leaves the session paid")
    func processingAfterSuccess() {
        let state = heard([
            payment(.paymentSucceeded, "pay_1", 2500, at: 5),
            payment(.paymentPending, "pay_1", at: 1),
        ])
        #expect(state.outcome == SessionOutcome(status: .succeeded, evidence: .verified))
        #expect(state.paid.total == money(2500, "EUR"))
    }

    @Test("pub-proj-02: a failed first attempt does not undo the second")
    func failedFirstAttempt() {
        let state = heard([
            payment(.paymentFailed, "pay_1", at: 1),
            payment(.paymentSucceeded, "pay_2", 2500, at: 9),
            payment(.paymentFailed, "pay_1", at: 2),
        ])
        #expect(state.outcome?.status == .succeeded)
        #expect(state.payments.map(\.status).contains(.failed))
        #expect(!state.discrepancies.contains { $0.code == .failedAfterSuccess })
    }

    @Test("pub-proj-03: a failed payment may still become paid")
    func failedThenPaid() {
        let state = heard([
            payment(.paymentFailed, "pay_1", at: 1),
            payment(.paymentSucceeded, "pay_1", 900, at: 9),
        ])
        #expect(state.outcome?.status == .succeeded)
        #expect(state.discrepancies.isEmpty)
    }

    @Test("pub-proj-04: a later failure of a paid payment is an anomaly, not a state")
    func failureAfterSuccess() {
        let state = heard([
            payment(.paymentSucceeded, "pay_1", 900, at: 5),
            payment(.paymentFailed, "pay_1", at: 7),
        ])
        #expect(state.outcome?.status == .succeeded)
        #expect(state.discrepancies.map(\.code) == [.failedAfterSuccess])
    }

    @Test("pub-proj-05: a refund heard before its payment is kept unmatched, then matched")
    func refundBeforePayment() {
        var state = heard([refund("ref_1", of: "pay_1", 500, at: 8)])
        #expect(state.discrepancies.map(\.code) == [.refundWithoutPayment])
        #expect(state.outcome == nil)
        state.absorb(payment(.paymentSucceeded, "pay_1", 2000, at: 2))
        #expect(state.paid.total?.minorUnits == 2000)
        #expect(state.refunded.total?.minorUnits == 500)
        #expect(state.net?.minorUnits == 1500)
        #expect(state.discrepancies.isEmpty)
    }

    @Test("pub-proj-06: two refunds add up")
    func twoRefunds() {
        let state = heard([
            payment(.paymentSucceeded, "pay_1", 1000, at: 1),
            refund("ref_1", of: "pay_1", 200, at: 2), refund("ref_2", of: "pay_1", 300, at: 3),
        ])
        #expect(state.refunded.total?.minorUnits == 500)
        #expect(state.net?.minorUnits == 500)
        #expect(state.refundState == .partial)
    }

    @Test("pub-proj-07: one refund told twice counts once")
    func refundToldTwice() {
        let state = heard([
            payment(.paymentSucceeded, "pay_1", 1000, at: 1),
            refund("ref_1", of: "pay_1", 400, at: 2), refund("ref_1", of: "pay_1", 400, at: 2),
        ])
        #expect(state.refunded.total?.minorUnits == 400)
        #expect(state.net?.minorUnits == 600)
    }

    @Test("pub-proj-08: another amount than asked for needs review and is not paid")
    func amountMismatch() {
        let state = heard([asked(4900), payment(.paymentSucceeded, "pay_1", 490, at: 1)])
        #expect(state.outcome == nil)
        #expect(state.status == .pending)
        #expect(state.needsReview)
        #expect(state.discrepancies.map(\.code) == [.amountMismatch])
    }

    @Test("Another currency than asked for needs review and is not paid")
    func currencyMismatch() {
        let state = heard([asked(900, "USD"), payment(.paymentSucceeded, "pay_1", 900, at: 1)])
        #expect(state.outcome == nil)
        #expect(state.discrepancies.map(\.code) == [.currencyMismatch])
    }

    @Test("pub-proj-09: expiry never beats a payment")
    func expiryAfterPayment() {
        let state = heard([
            payment(.paymentSucceeded, "pay_1", 900, at: 5),
            Fact(type: .sessionExpired, source: .webhook, evidence: .verified, occurredAt: 9),
        ])
        #expect(state.outcome?.status == .succeeded)
    }

    @Test("pub-proj-10: two voices for one payment count it once")
    func twoVoices() {
        let state = heard([
            payment(.paymentSucceeded, "pay_1", 2500, at: 5, source: .query),
            payment(.paymentSucceeded, "pay_1", 2500, at: 5),
        ])
        #expect(state.paid.total?.minorUnits == 2500)
        #expect(state.payments.first?.confirmedBy.nonzeroBitCount == 2)
        #expect(!state.discrepancies.contains { $0.code == .paidTwice })
    }

    @Test("Two payments of one session that went through are reported")
    func paidTwice() {
        let state = heard([
            asked(900), payment(.paymentSucceeded, "pay_1", 900, at: 1),
            payment(.paymentSucceeded, "pay_2", 900, at: 2),
        ])
        #expect(state.outcome?.status == .succeeded)
        #expect(state.discrepancies.map(\.code) == [.paidTwice])
        #expect(state.paid.total?.minorUnits == 1800)
    }

    @Test("An operator decides where no payment is verified, and hides none that comes later")
    func operatorResolution() {
        let resolution = Fact(
            type: .operatorResolved, source: .operator, evidence: .operator, status: .failed,
            subject: EventReference(rawValue: 5), occurredAt: 3)
        var state = heard([resolution])
        #expect(state.outcome == SessionOutcome(status: .failed, evidence: .operator))
        state.absorb(payment(.paymentSucceeded, "pay_1", 900, at: 9))
        #expect(state.outcome == SessionOutcome(status: .succeeded, evidence: .verified))
        #expect(state.discrepancies.map(\.code) == [.resolutionContradictsPayment])
    }

    @Test("A new resolution takes the place of the ones it names")
    func resolutionReplaced() {
        let first = Fact(
            type: .operatorResolved, source: .operator, evidence: .operator, status: .failed,
            subject: EventReference(rawValue: 5), occurredAt: 3)
        let other = Fact(
            type: .operatorResolved, source: .operator, evidence: .operator, status: .succeeded,
            subject: EventReference(rawValue: 6), occurredAt: 4)
        #expect(heard([first, other]).discrepancies.map(\.code) == [.resolutionConflict])
        var state = SessionEvidence()
        state.absorb(other, replacing: [first.subject])
        state.absorb(first)
        #expect(state.outcome == SessionOutcome(status: .succeeded, evidence: .operator))
        #expect(state.discrepancies.isEmpty)
    }

    @Test("What the app may show before an outcome")
    func shownStatus() {
        func returned(_ status: CheckoutStatus) -> Fact {
            Fact(type: .sessionReturned, source: .browser, evidence: .hint, status: status)
        }
        let closed = Fact(type: .sessionClosed, source: .app, evidence: .hint)
        #expect(heard([]).status == .pending)
        #expect(heard([closed]).status == .cancelled)
        #expect(heard([closed, returned(.succeeded)]).status == .succeeded)
        #expect(heard([returned(.failed), returned(.succeeded)]).status == .pending)
        #expect(heard([closed, payment(.paymentPending, "pay_1", at: 1)]).status == .pending)
    }

    @Test("A closed sheet that turns out paid is listed as a disagreement, not as a doubt")
    func closedAndPaid() {
        let state = heard([
            Fact(type: .sessionClosed, source: .app, evidence: .hint),
            payment(.paymentSucceeded, "pay_1", 900, at: 9),
        ])
        #expect(state.discrepancies.map(\.code) == [.hintDisagrees])
        #expect(!state.needsReview)
    }
}
