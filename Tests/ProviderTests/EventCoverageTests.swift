import CheckoutModel
import DodoPayments
import ProviderKit
import Stripe
import Testing

/// Every type that the two providers' libraries name, sorted into what says something about a
/// checkout and what does not.
@Suite("Every documented event type is read or ignored on purpose")
struct EventCoverageTests {
    static let dodoRead: [String] =
        ["succeeded", "failed", "processing", "cancelled"].map { "payment.\($0)" }
        + ["succeeded", "failed"].map { "refund.\($0)" }
        + ["opened", "expired", "accepted", "cancelled", "challenged", "won", "lost"].map {
            "dispute.\($0)"
        }
        + [
            "active", "renewed", "on_hold", "paused", "unpaused", "cancelled", "failed",
            "expired", "plan_changed", "updated", "update_payment_method",
        ].map { "subscription.\($0)" }

    /// A licence key changes nothing about a payment; its own test sees that it is kept.
    static let dodoIgnored: [String] =
        [
            "license_key.created", "credit.added", "credit.deducted", "credit.expired",
            "credit.rolled_over", "credit.rollover_forfeited", "credit.overage_charged",
            "credit.overage_reset", "credit.manual_adjustment", "credit.balance_low",
            "abandoned_checkout.detected", "abandoned_checkout.recovered", "dunning.started",
            "dunning.recovered",
        ]
        + ["created", "on_hold", "in_progress", "failed", "success"].map { "payout.\($0)" }
        + ["created", "delivered", "failed", "revoked"].map { "entitlement_grant.\($0)" }

    private func dodo(_ type: String) throws -> ProviderEvent {
        let reading = try Sender.dodoReading(
            """
            {"type":"\(type)","data":{"payment_id":"pay_1","refund_id":"ref_1",\
            "dispute_id":"dp_1","subscription_id":"sub_1","key":"LIC-1","status":"active"}}
            """)
        return try #require(reading.events.first)
    }

    @Test("Dodo's types that tell of a checkout are read", arguments: dodoRead)
    func dodoIsRead(type: String) throws {
        let event = try dodo(type)
        #expect(event.kind != .ignored)
        #expect(event.rawType == type)
    }

    @Test("Dodo's other types are ignored under their own names", arguments: dodoIgnored)
    func dodoIsIgnored(type: String) throws {
        let event = try dodo(type)
        #expect(event.kind == .ignored)
        #expect(event.rawType == type)
    }

    static let stripeRead: [String] =
        [
            "checkout.session.completed", "checkout.session.async_payment_succeeded",
            "checkout.session.async_payment_failed", "checkout.session.expired",
            "charge.refunded", "charge.refund.updated", "refund.created", "refund.updated",
            "refund.failed", "invoice.paid", "invoice.payment_failed",
        ]
        + [
            "created", "succeeded", "payment_failed", "canceled", "processing",
            "requires_action", "amount_capturable_updated",
        ].map { "payment_intent.\($0)" }
        + ["created", "updated", "closed", "funds_withdrawn", "funds_reinstated"].map {
            "charge.dispute.\($0)"
        }
        + ["created", "updated", "deleted", "paused", "resumed"].map {
            "customer.subscription.\($0)"
        }

    /// What these say, another event says better: charges through their payment intents, invoices
    /// through `invoice.paid`, balances and payouts not at all about a checkout.
    static let stripeIgnored = [
        "account.updated", "balance.available", "charge.captured", "charge.expired",
        "charge.failed", "charge.pending", "charge.succeeded", "charge.updated",
        "customer.created", "customer.subscription.trial_will_end", "invoice.created",
        "invoice.finalized", "invoice.payment_succeeded", "payment_intent.partially_funded",
        "payment_method.attached", "payout.paid", "price.created", "product.created",
        "setup_intent.succeeded", "never.seen",
    ]

    private func stripe(_ type: String) throws -> ProviderEvent {
        let status = type.hasPrefix("charge.dispute.") ? "under_review" : "active"
        let reading = try Sender.stripeReading(
            """
            {"id":"evt_1","object":"event","type":"\(type)","data":{"object":{"id":"x_1",\
            "subscription":"sub_1","status":"\(status)","refunds":{"data":[{"id":"re_1"}]}}}}
            """)
        return try #require(reading.events.first)
    }

    @Test("Stripe's types that tell of a checkout are read", arguments: stripeRead)
    func stripeIsRead(type: String) throws {
        let event = try stripe(type)
        #expect(event.kind != .ignored)
        #expect(event.rawType == type)
    }

    @Test("Stripe's other types are ignored under their own names", arguments: stripeIgnored)
    func stripeIsIgnored(type: String) throws {
        let event = try stripe(type)
        #expect(event.kind == .ignored)
        #expect(event.rawType == type)
    }

    @Test("Stripe is asked with a key, and about a session, of the account's own mode only")
    func stripeModes() throws {
        for (mode, key, session, code) in [
            (ProviderMode.test, "sk_test_1234567890", "cs_test_1", nil),
            (.test, "rk_test_1234567890", "cs_test_1", nil),
            (.live, "sk_live_1234567890", "cs_live_1", nil),
            (.unknown, "sk_live_1234567890", "cs_test_1", nil),
            (.live, "sk_test_1234567890", "cs_live_1", "malformed_secret"),
            (.live, "rk_test_1234567890", "cs_live_1", "malformed_secret"),
            (.test, "sk_live_1234567890", "cs_test_1", "malformed_secret"),
            (.live, "sk_live_1234567890", "cs_test_1", "unusable_id"),
        ] as [(ProviderMode, String, String, String?)] {
            let stripe = try StripeProvider(configuration: .init(mode: mode))
            do {
                _ = try Request.status(stripe, .session(session), apiKey: key)
                #expect(code == nil)
            } catch let error as RequestPlanError {
                #expect(error.code == code)
            }
        }
        var settings = ProviderSettings(mode: .live)
        #expect(StripeConfiguration(settings: &settings).mode == .live)
    }

    @Test("A Dodo session may be created without a return URL")
    func dodoWithoutReturn() throws {
        let dodo = try DodoPaymentsProvider(configuration: .init(mode: .test))
        var draft = Request.draft()
        draft.returnURL = ""
        let body = try JSONValue(json: Request.creation(dodo, draft).body)
        #expect(body["return_url"] == nil)
        #expect(body["cancel_url"]?.text == "app://gave-up")
    }
}
