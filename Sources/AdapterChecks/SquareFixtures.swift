import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit
import Square

/// Square's side: the webhook's URL and the body signed together, and orders that name sessions.
struct SquareFixtures: AddressedFixtures {
    private var merchant = "MLTEASHOP"
    private var url = "https://tea.example/webhooks/square"

    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> SquareProvider {
        try SquareProvider(
            configuration: .init(merchantID: merchant, locationID: "LTEASHOP", mode: mode))
    }

    func speaking(to receiver: DeliveryVerifier, at url: String) -> SquareFixtures {
        guard let adapter = receiver.provider as? SquareProvider else { return self }
        var fixtures = self
        fixtures.merchant = adapter.configuration.merchantID ?? merchant
        fixtures.url = adapter.configuration.notificationURL ?? url
        return fixtures
    }

    let keys = ["square_signature_key_of_today", "square_signature_key_of_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "square_token_of_a_pretend_shop"]

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "ORDER\(number)", payment: "PAYMENT\(number)", refund: "REFUND\(number)",
            dispute: "DISPUTE\(number)", subscription: "SUBSCRIPTION\(number)",
            order: "order-\(number)", customer: "CUSTOMER\(number)")
    }

    // MARK: - Webhooks

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        let code = HMACKey(sha256: signing.key.signing)
            .authenticate(Array(url.utf8), signing.body)
        let text = Base64.encode(Array(signing.signatures(of: code).joined()))
        return WebhookDelivery(
            configuredURL: url, headers: ["x-square-hmacsha256-signature": text],
            body: signing.body)
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let (type, name, object) = Self.told(sample) else { return nil }
        return JSONValue.object([
            "merchant_id": .string(merchant), "type": .string(type),
            "event_id": .string(sample.eventID),
            "created_at": .string(sample.occurredAt.iso8601),
            "data": .object([
                "type": .string(name),
                "object": .object([JSONMember(name: name, value: object)]),
            ]),
        ]).json
    }

    /// The event's type, what kind of object it has, and the object.
    private static func told(
        _ sample: EventSample
    ) -> (type: String, name: String, object: JSONValue)? {
        switch sample.kind {
        case .payment(.succeeded): payment(sample, "COMPLETED")
        case .payment(.pending): payment(sample, "PENDING")
        case .payment(.cancelled): payment(sample, "CANCELED")
        case .payment(.failed): payment(sample, "FAILED")
        case .authorized: payment(sample, "APPROVED")
        case .refund(.pending): refund(sample, "PENDING")
        case .refund(.succeeded): refund(sample, "COMPLETED")
        case .refund(.failed): refund(sample, "REJECTED")
        case .dispute(.opened): dispute(sample, "dispute.created", "EVIDENCE_REQUIRED")
        case .dispute(.underReview): dispute(sample, "dispute.state.updated", "PROCESSING")
        case .dispute(.won): dispute(sample, "dispute.state.updated", "WON")
        case .dispute(.lost): dispute(sample, "dispute.state.updated", "LOST")
        case .dispute(.closed): dispute(sample, "dispute.state.updated", "INQUIRY_CLOSED")
        case .subscription(.pending): subscription(sample, "PENDING")
        case .subscription(.active): subscription(sample, "ACTIVE")
        case .subscription(.paused): subscription(sample, "PAUSED")
        case .subscription(.cancelled): subscription(sample, "DEACTIVATED")
        case .unknownType:
            ("inventory.count.updated", "inventory_counts", .object(["id": .string("IC1")]))
        default: nil
        }
    }

    private static func payment(
        _ sample: EventSample, _ status: String
    ) -> (type: String, name: String, object: JSONValue) {
        let object = payment(sample.ids, sample.amount, status, email: sample.email)
        return ("payment.updated", "payment", object)
    }

    private static func payment(
        _ ids: ProviderIDs, _ amount: SampleAmount, _ status: String, email: String?
    ) -> JSONValue {
        .object([
            "id": text(ids.payment), "order_id": text(ids.session), "status": .string(status),
            "reference_id": text(ids.order), "customer_id": text(ids.customer),
            "amount_money": money(amount), "buyer_email_address": email.map { .string($0) },
        ])
    }

    private static func refund(
        _ sample: EventSample, _ status: String
    ) -> (type: String, name: String, object: JSONValue) {
        let object = JSONValue.object([
            "id": text(sample.ids.refund), "payment_id": text(sample.ids.payment),
            "order_id": .string("ORDER_OF_THE_REFUND"), "status": .string(status),
            "amount_money": money(sample.amount),
        ])
        return ("refund.updated", "refund", object)
    }

    private static func dispute(
        _ sample: EventSample, _ type: String, _ state: String
    ) -> (type: String, name: String, object: JSONValue) {
        let object = JSONValue.object([
            "id": text(sample.ids.dispute), "state": .string(state),
            "disputed_payment": .object(["payment_id": text(sample.ids.payment)]),
            "amount_money": money(sample.amount),
        ])
        return (type, "dispute", object)
    }

    private static func subscription(
        _ sample: EventSample, _ status: String
    ) -> (type: String, name: String, object: JSONValue) {
        let object = JSONValue.object([
            "id": text(sample.ids.subscription), "customer_id": text(sample.ids.customer),
            "status": .string(status),
        ])
        return ("subscription.updated", "subscription", object)
    }

    private static func money(_ amount: SampleAmount) -> JSONValue {
        .object(["amount": amount.minorInteger(), "currency": .string(amount.currency)])
    }

    // MARK: - The API

    /// A word of an order is its state and, behind a slash, how its card stands.
    func reply(_ sample: StatusSample) -> HTTPReply? {
        switch sample.target {
        case .session:
            HTTPReply(
                status: 200, body: JSONValue.object(["order": Self.order(sample)]).json)
        case .payment:
            HTTPReply(
                status: 200,
                body: JSONValue.object([
                    "payment": Self.payment(sample.ids, sample.amount, sample.word, email: nil)
                ]).json)
        case .order, .merchantReference: nil
        }
    }

    private static func order(_ sample: StatusSample) -> JSONValue {
        let words = sample.word.split(separator: "/").map { String($0) }
        let card = words.count > 1 ? words[1] : nil
        let due = card == nil ? money(sample.amount) : .object(nothing(in: sample.amount.currency))
        return .object([
            "id": text(sample.ids.session), "state": .string(words[0]),
            "reference_id": text(sample.ids.order), "customer_id": text(sample.ids.customer),
            "total_money": money(sample.amount), "net_amount_due_money": due,
            "tenders": card.map {
                .array([
                    .object([
                        "id": text(sample.ids.payment), "payment_id": text(sample.ids.payment),
                        "card_details": .object(["status": .string($0)]),
                    ])
                ])
            },
        ])
    }

    private static func nothing(in currency: String) -> [JSONMember] {
        [
            JSONMember(name: "amount", value: .integer(0)),
            JSONMember(name: "currency", value: .string(currency)),
        ]
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        HTTPReply(
            status: 200,
            body: JSONValue.object([
                "payment_link": .object([
                    "id": .string("LINK1"), "order_id": text(ids.session),
                    "url": .string("https://sandbox.square.link/u/tea1"),
                ]),
                "related_resources": .object([
                    "orders": .array([
                        .object(["id": text(ids.session), "reference_id": text(ids.order)])
                    ])
                ]),
            ]).json)
    }
}
