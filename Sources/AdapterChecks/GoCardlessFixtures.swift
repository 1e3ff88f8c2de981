import CheckoutModel
import GoCardless
import ProviderConformance
import ProviderKit

/// GoCardless's side: the body's code in `Webhook-Signature`, and lists of thin events.
struct GoCardlessFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> GoCardlessProvider {
        try GoCardlessProvider(configuration: .init(mode: mode))
    }

    let keys = ["gocardless_secret_of_today", "gocardless_secret_of_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "sandbox_token_of_a_pretend_shop"]

    /// A reversal has no id but the payment's.
    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "BRQ00\(number)", payment: "PM00\(number)", refund: "RF00\(number)",
            dispute: "PM00\(number)", subscription: "SB00\(number)", order: "order-\(number)",
            customer: "CU00\(number)")
    }

    // MARK: - Webhooks

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        .bodySigned(signing, header: "Webhook-Signature")
    }

    func body(_ sample: EventSample) -> [UInt8]? { body(listing: [sample]) }

    func body(listing samples: [EventSample]) -> [UInt8]? {
        let events = samples.compactMap(event)
        guard !events.isEmpty, events.count == samples.count else { return nil }
        let names = samples.map(\.eventID).joined(separator: "_")
        return JSONValue.object([
            "events": .array(events),
            "meta": .object(["webhook_id": .string("WB_\(names)")]),
        ]).json
    }

    private func event(_ sample: EventSample) -> JSONValue? {
        guard let (type, action) = Self.words(sample.kind) else { return nil }
        let ids = sample.ids
        let links: JSONValue =
            switch type {
            case "payments": .object(["payment": text(ids.payment)])
            case "refunds": .object(["refund": text(ids.refund), "payment": text(ids.payment)])
            case "subscriptions": .object(["subscription": text(ids.subscription)])
            case "billing_requests":
                .object(["billing_request": text(ids.session), "customer": text(ids.customer)])
            default: .object(["creditor": .string("CR001")])
            }
        return .object([
            "id": .string(sample.eventID), "created_at": .string(sample.occurredAt.iso8601),
            "resource_type": .string(type), "action": .string(action), "links": links,
            "details": .object(["origin": .string("bank"), "cause": .string("\(type)_\(action)")]),
            "resource_metadata": .object(["order_id": text(ids.order)]),
        ])
    }

    private static func words(_ kind: EventSample.Kind) -> (type: String, action: String)? {
        switch kind {
        case .payment(.pending): ("billing_requests", "fulfilled")
        case .payment(.succeeded): ("payments", "confirmed")
        case .payment(.failed): ("payments", "failed")
        case .payment(.cancelled): ("payments", "cancelled")
        case .refund(.pending): ("refunds", "created")
        case .refund(.succeeded): ("refunds", "paid")
        case .refund(.failed): ("refunds", "failed")
        case .refund(.reversed): ("refunds", "funds_returned")
        case .dispute(.won): ("payments", "chargeback_cancelled")
        case .dispute(.lost): ("payments", "charged_back")
        case .subscription(.pending): ("subscriptions", "created")
        case .subscription(.active): ("subscriptions", "customer_approval_granted")
        case .subscription(.paused): ("subscriptions", "paused")
        case .subscription(.cancelled): ("subscriptions", "cancelled")
        case .subscription(.expired): ("subscriptions", "finished")
        case .subscription(.failed): ("subscriptions", "customer_approval_denied")
        case .unknownType: ("creditors", "new_payout_currency_added")
        default: nil
        }
    }

    // MARK: - The API

    func reply(_ sample: StatusSample) -> HTTPReply? {
        let ids = sample.ids
        let (amount, currency) = (sample.amount.minorInteger(), sample.amount.currency)
        let metadata = JSONValue.object(["order_id": text(ids.order)])
        switch sample.target {
        case .payment(let id):
            return Self.reply(
                "payments",
                .object([
                    "id": .string(id), "status": .string(sample.word), "amount": amount,
                    "currency": .string(currency), "metadata": metadata,
                    "links": .object(["subscription": text(ids.subscription)]),
                ]))
        case .session(let id):
            return Self.reply(
                "billing_requests",
                .object([
                    "id": .string(id), "status": .string(sample.word), "metadata": metadata,
                    "payment_request": .object([
                        "amount": amount, "currency": .string(currency),
                    ]),
                    "links": .object([
                        "payment_request_payment": text(ids.payment),
                        "customer": text(ids.customer),
                    ]),
                ]))
        case .order, .merchantReference: return nil
        }
    }

    /// The billing request that the page is made for.
    func creationSteps(_ ids: ProviderIDs) -> [HTTPReply] {
        [
            Self.reply(
                "billing_requests",
                .object(["id": text(ids.session), "status": .string("pending")]))
        ]
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        Self.reply(
            "billing_request_flows",
            .object([
                "id": .string("BRF1"), "expires_at": .string("2026-01-08T00:00:00.000Z"),
                "authorisation_url": .string(
                    "https://pay-sandbox.gocardless.com/billing/static/flow?id=BRF1"),
                "links": .object(["billing_request": text(ids.session)]),
            ]))
    }

    private static func reply(_ name: String, _ object: JSONValue) -> HTTPReply {
        HTTPReply(status: 200, body: JSONValue.object([JSONMember(name: name, value: object)]).json)
    }
}
