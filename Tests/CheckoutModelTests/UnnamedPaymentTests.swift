import Testing

@testable import CheckoutModel

/// What a provider says of a session's payment without naming it.
@Suite("A payment without a name is the session's own")
struct UnnamedPaymentTests {
    private func payment(
        _ type: EventType, _ id: String? = nil, _ amount: Int64? = nil
    ) -> Fact {
        let money = amount.flatMap { amount in
            Currency("EUR").map { Money(minorUnits: amount, currency: $0) }
        }
        let event = CheckoutEvent(
            type, source: .webhook, evidence: .verified, provider: "test",
            ids: ProviderIDs(session: "s_1", payment: id), amount: money)
        return Fact(event, selfReference: .none)
    }

    private func asked(_ amount: Int64) -> Fact {
        let euro = Currency("EUR").map { Money(minorUnits: amount, currency: $0) }
        return Fact(type: .sessionCreated, source: .host, evidence: .hint, amount: euro)
    }

    private var expired: Fact {
        Fact(type: .sessionExpired, source: .webhook, evidence: .verified)
    }

    @Test("A success told with and without its payment's name is one payment, in any order")
    func once() {
        let facts = [
            payment(.paymentSucceeded, nil, 2500), payment(.paymentSucceeded, "pay_1", 2500),
            payment(.paymentPending), asked(2500),
        ]
        for facts in [facts, facts.reversed()] {
            let state = evidence(of: facts)
            #expect(state.outcome == SessionOutcome(status: .succeeded, evidence: .verified))
            #expect(state.paid.total?.minorUnits == 2500)
            #expect(state.discrepancies.isEmpty)
        }
    }

    @Test("Two named payments are two, whatever was told without a name")
    func twice() {
        let state = evidence(of: [
            payment(.paymentSucceeded, nil, 2500), payment(.paymentSucceeded, "pay_1", 2500),
            payment(.paymentSucceeded, "pay_2", 2500),
        ])
        #expect(state.paid.total?.minorUnits == 5000)
        #expect(state.discrepancies.map(\.code) == [.paidTwice])
    }

    @Test("Another amount without a name is a contradiction, and hides no wrong amount")
    func otherAmount() {
        let state = evidence(of: [
            payment(.paymentSucceeded, nil, 900), payment(.paymentSucceeded, "pay_1", 2500),
        ])
        #expect(state.discrepancies.map(\.code) == [.paymentAmountConflict])
        let wrong = evidence(of: [
            asked(2500), payment(.paymentSucceeded), payment(.paymentSucceeded, "pay_1", 900),
        ])
        #expect(wrong.outcome == nil)
        #expect(wrong.discrepancies.map(\.code) == [.amountMismatch])
    }

    @Test("A page that expired unpaid has expired, though its payment was once pending")
    func expiry() {
        #expect(evidence(of: [payment(.paymentPending)]).outcome == nil)
        let state = evidence(of: [payment(.paymentPending), expired])
        #expect(state.outcome == SessionOutcome(status: .expired, evidence: .verified))
        // A payment with a name may still come in: a bank debit outlives its page.
        #expect(evidence(of: [payment(.paymentPending, "pay_1"), expired]).outcome == nil)
        let late = evidence(of: [payment(.paymentPending), expired, payment(.paymentSucceeded)])
        #expect(late.outcome?.status == .succeeded)
    }

    @Test("A refund of a payment that was confirmed without a name is no refund without one")
    func refund() {
        let refund = Fact(
            type: .refundSucceeded, source: .webhook, evidence: .verified,
            amount: Currency("EUR").map { Money(minorUnits: 500, currency: $0) },
            subject: EventReference(of: "ref_1"), object: EventReference(of: "pay_1"))
        let state = evidence(of: [payment(.paymentSucceeded, nil, 2500), refund])
        #expect(state.discrepancies.isEmpty)
        #expect(state.refundState == .partial)
        #expect(evidence(of: [refund]).discrepancies.map(\.code) == [.refundWithoutPayment])
    }
}
