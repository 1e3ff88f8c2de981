import CheckoutModel
import ProviderKit
import Testing

@testable import SandboxCheckout

@Suite("The sandbox's engine")
struct EngineTests {
    @Test("A checkout that was paid stays paid, whatever is tried afterwards")
    func paidStaysPaid() throws {
        var run = try Run()
        try run.engine.pay(run.checkout, with: .approve, at: run.now)
        #expect(throws: SandboxRefusal(.notOpen)) {
            try run.engine.pay(run.checkout, with: .decline, at: run.now)
        }
        #expect(throws: SandboxRefusal(.notOpen)) {
            try run.engine.expire(run.checkout, at: run.now)
        }
        run.engine.advance(to: run.now.adding(seconds: 10 * 86_400))
        #expect(run.engine.checkouts[run.checkout]?.status == .paid)
        #expect(run.types == ["payment.pending", "payment.succeeded"])
    }

    @Test("A declined card leaves the checkout open, and another card pays it")
    func retry() throws {
        var run = try Run()
        let declined = try run.engine.pay(run.checkout, with: .decline, at: run.now)
        #expect(declined.failureCode == "card_declined")
        #expect(run.engine.checkouts[run.checkout]?.status == .open)
        try run.engine.pay(run.checkout, with: .approve, at: run.now)
        #expect(run.engine.checkouts[run.checkout]?.status == .paid)
        let back = try run.engine.wayBack(from: run.checkout)
        #expect(back.contains("status=succeeded") && !back.contains(declined.id))
    }

    static let bankAnswers: [(BankAnswer, PaymentWord, CheckoutWord)] = [
        (.approve, .succeeded, .paid), (.refuse, .failed, .open), (.abandon, .cancelled, .open),
    ]

    @Test("What the customer does at the bank decides the payment, once", arguments: bankAnswers)
    func secure(_ item: (answer: BankAnswer, payment: PaymentWord, checkout: CheckoutWord)) throws {
        var run = try Run()
        let payment = try run.engine.beginSecure(run.checkout, at: run.now)
        #expect(payment.status == .pending)
        _ = try run.engine.answer(payment.id, item.answer, at: run.now)
        #expect(run.engine.payments[payment.id]?.status == item.payment)
        #expect(run.engine.checkouts[run.checkout]?.status == item.checkout)
        for answer in BankAnswer.allCases {
            #expect(throws: SandboxRefusal(.notPending)) {
                try run.engine.answer(payment.id, answer, at: run.now)
            }
        }
    }

    @Test("A second attempt ends the one that waits at the bank, so nobody pays twice")
    func oneAtATime() throws {
        var run = try Run()
        let first = try run.engine.beginSecure(run.checkout, at: run.now)
        try run.engine.pay(run.checkout, with: .approve, at: run.now)
        #expect(run.engine.payments[first.id]?.status == .cancelled)
        #expect(throws: SandboxRefusal(.notPending)) {
            try run.engine.answer(first.id, .approve, at: run.now)
        }
    }

    @Test("A checkout runs out at its time, and a payment that waits ends with it")
    func expiry() throws {
        var run = try Run()
        let payment = try run.engine.beginSecure(run.checkout, at: run.now)
        run.engine.advance(to: run.now.adding(seconds: SandboxLimits.checkoutSeconds))
        #expect(run.engine.checkouts[run.checkout]?.status == .expired)
        #expect(run.engine.payments[payment.id]?.status == .cancelled)
        #expect(run.types == ["payment.pending", "payment.cancelled", "checkout.expired"])
        #expect(throws: SandboxRefusal(.notOpen)) {
            try run.engine.pay(run.checkout, with: .approve, at: run.now)
        }
    }

    @Test("Refunds never give back more than was paid, and a failed one counts for nothing")
    func refunds() throws {
        var run = try Run()
        let payment = try run.engine.pay(run.checkout, with: .approve, at: run.now)
        let failing = try run.engine.refund(payment.id, isDoomed: true, at: run.now)
        #expect(throws: SandboxRefusal(.refundTooLarge)) {
            try run.engine.refund(payment.id, minorUnits: 1, at: run.now)
        }
        run.engine.advance(to: run.now.adding(seconds: SandboxLimits.refundSeconds))
        #expect(run.engine.refunds[failing.id]?.status == .failed)
        _ = try run.engine.refund(payment.id, minorUnits: 500, at: run.now)
        let rest = try run.engine.refund(payment.id, at: run.now)
        #expect(rest.money.minorUnits == 1499)
        #expect(throws: SandboxRefusal(.refundTooLarge)) {
            try run.engine.refund(payment.id, at: run.now)
        }
        #expect(run.engine.checkouts[run.checkout]?.status == .paid)
    }

    @Test("A dispute that is over stays as it is")
    func disputes() throws {
        var run = try Run()
        let payment = try run.engine.pay(run.checkout, with: .approve, at: run.now)
        let dispute = try run.engine.openDispute(payment.id, at: run.now)
        _ = try run.engine.moveDispute(dispute.id, to: .underReview, at: run.now)
        _ = try run.engine.moveDispute(dispute.id, to: .won, at: run.now)
        for word in DisputeWord.allCases {
            #expect(throws: SandboxRefusal(.disputeOver)) {
                try run.engine.moveDispute(dispute.id, to: word, at: run.now)
            }
        }
        #expect(run.types.suffix(3) == ["dispute.opened", "dispute.under_review", "dispute.won"])
    }

    @Test("The same wish makes one checkout, and its key is good for no other wish")
    func idempotency() throws {
        var run = try Run()
        let draft = try Run.draft()
        let first = try run.engine.create(draft, key: "k", at: run.now)
        #expect(try run.engine.create(draft, key: "k", at: run.now).id == first.id)
        #expect(try run.engine.create(draft, at: run.now).id != first.id)
        #expect(throws: SandboxRefusal(.keyReused)) {
            try run.engine.create(try Run.draft(minorUnits: 1), key: "k", at: run.now)
        }
    }

    @Test("The oldest checkout goes when there are too many, with all that belonged to it")
    func bounded() throws {
        var run = try Run()
        let payment = try run.engine.pay(run.checkout, with: .approve, at: run.now)
        _ = try run.engine.refund(payment.id, at: run.now)
        for _ in 0..<SandboxLimits.checkouts {
            _ = try run.engine.create(try Run.draft(), at: run.now)
        }
        #expect(run.engine.checkouts.count == SandboxLimits.checkouts)
        #expect(run.engine.payments.isEmpty && run.engine.refunds.isEmpty)
        #expect(run.engine.deliveries.isEmpty && run.engine.waiting.isEmpty)
    }

    @Test(
        "The shop's own parameters stay, and the sandbox's come behind them",
        arguments: [
            ("https://tea.example/back", "https://tea.example/back?"),
            ("https://tea.example/back?cart=7#top", "https://tea.example/back?cart=7&"),
            ("https://tea.example/back?", "https://tea.example/back?"),
            ("teashop://back", "teashop://back?"),
            ("https://tea.example/?status=open", "https://tea.example/?status=open&"),
        ])
    func wayBack(url: String, start: String) throws {
        var run = try Run(returnURL: url)
        try run.engine.pay(run.checkout, with: .approve, at: run.now)
        let payment = try #require(run.engine.payments.keys.first)
        let end = url.hasSuffix("#top") ? "#top" : ""
        #expect(
            try run.engine.wayBack(from: run.checkout) == start
                + "checkout_id=\(run.checkout)&payment_id=\(payment)&status=succeeded\(end)")
    }

    @Test(
        "A return URL that runs something or breaks a header is refused",
        arguments: [
            "javascript:alert(1)", "JavaScript://x/%0aalert(1)", "data:text/html,x", "file:///etc",
            "https://", "https://tea.example/a b", "https://tea.example/\r\nX: y", "/back", "",
            "https://tea.example/\"><script>", "http:back",
        ])
    func returnURLs(url: String) throws {
        #expect(throws: SandboxRefusal(.invalidField, field: "return_url")) {
            _ = try Run.draft(returnURL: url)
        }
    }

    @Test("Every currency that there is can be paid", arguments: Currency.all)
    func currencies(currency: Currency) throws {
        let body = #"{"amount":1230,"currency":"\#(currency)","return_url":"teashop://back"}"#
        let draft = try CheckoutDraft(json: Array(body.utf8))
        #expect(draft.money == Money(minorUnits: 1230, currency: currency))
    }
}

/// An engine with one checkout, and the time.
struct Run {
    var engine: SandboxEngine
    var checkout: String
    var now = Instant(seconds: 1_767_225_600)

    static let key = [UInt8](0..<32)

    init(
        behaviour: DeliveryBehaviour = DeliveryBehaviour(),
        returnURL: String = "https://tea.example/back"
    ) throws {
        engine = SandboxEngine(
            settings: .init(
                origin: "http://127.0.0.1:8787", hasEndpoint: true, signingKey: Self.key),
            ids: .counting())
        var draft = try Self.draft(returnURL: returnURL)
        draft.behaviour = behaviour
        checkout = try engine.create(draft, at: now).id
    }

    static func draft(
        minorUnits: Int64 = 1999, returnURL: String = "https://tea.example/back"
    ) throws -> CheckoutDraft {
        let currency = try #require(Currency("EUR"))
        return try CheckoutDraft(
            money: Money(minorUnits: minorUnits, currency: currency), reference: "order-7",
            returnURL: returnURL)
    }

    /// The types of the checkout's webhooks in the order in which they happened.
    var types: [String] { engine.deliveries(of: checkout).map(\.type) }
}
