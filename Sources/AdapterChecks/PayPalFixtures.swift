import CheckoutModel
import Cryptography
import PayPal
import ProviderConformance
import ProviderKit
import ProviderVectors

/// PayPal's side: a certificate's signature over the body's checksum, and replies of its API.
struct PayPalFixtures: ProviderFixtures {
    private static let webhookID = "1JE4291016473214C"
    private static let certificates = "https://api.sandbox.paypal.com/v1/notifications/certs/"

    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> PayPalProvider {
        try PayPalProvider(
            configuration: .init(
                mode: mode, webhookID: Self.webhookID, clientID: "client_of_a_pretend_shop"))
    }

    let keys = [("CERT-360caa42-1", KnownKeyPair.first), ("CERT-360caa42-2", .second)].map {
        FixtureKey(
            secrets: [:], signing: Array($1.privatePEM.utf8),
            resolved: [.certificate(url: Self.certificates + $0): $1.publicPEM])
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "paypal_secret_of_a_pretend_shop"]

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "5O190127TN364715\(number)", payment: "3C679366HH908993\(number)",
            refund: "1JU08902781691411\(number)", dispute: "PP-D-2760\(number)",
            subscription: "I-BW452GLLEP1\(number)", order: "order-\(number)",
            customer: "QYR5Z8XDVJNX\(number)")
    }

    // MARK: - Webhooks

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        guard case .certificate(let url)? = signing.key.resolved.keys.first else { return nil }
        let time = signing.time.iso8601
        let checksum = Self.checksum(signing.body)
        let message = "\(signing.deliveryID)|\(time)|\(Self.webhookID)|\(checksum)"
        let code = KnownKeyPair.signature(of: Array(message.utf8), under: signing.key.signing)
        return WebhookDelivery(
            headers: [
                "PAYPAL-TRANSMISSION-ID": signing.deliveryID, "PAYPAL-TRANSMISSION-TIME": time,
                "PAYPAL-TRANSMISSION-SIG": Base64.encode(
                    signing.signatures(of: code).flatMap { $0 }),
                "PAYPAL-CERT-URL": url, "PAYPAL-AUTH-ALGO": "SHA256withRSA",
            ], body: signing.body)
    }

    /// CRC-32 bit by bit, without the adapter's table.
    private static func checksum(_ body: [UInt8]) -> UInt32 {
        var rest: UInt32 = 0xFFFF_FFFF
        for byte in body {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
        }
        return rest ^ 0xFFFF_FFFF
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let (type, kind, resource) = told(sample) else { return nil }
        return JSONValue.object([
            "id": .string(sample.eventID), "event_version": .string("1.0"),
            "create_time": .string(sample.occurredAt.iso8601), "resource_type": .string(kind),
            "event_type": .string(type), "resource": resource,
        ]).json
    }

    private func told(
        _ sample: EventSample
    ) -> (type: String, kind: String, resource: JSONValue)? {
        switch sample.kind {
        case .payment(.succeeded): payment("COMPLETED", sample)
        case .payment(.pending): payment("PENDING", sample)
        case .payment(.failed): payment("DECLINED", sample)
        case .payment(.cancelled):
            (
                "CHECKOUT.PAYMENT-APPROVAL.REVERSED", "checkout-order",
                .object(["order_id": text(sample.ids.session)])
            )
        case .authorized:
            (
                "PAYMENT.AUTHORIZATION.CREATED", "authorization",
                capture(sample.ids, sample.amount, "CREATED", id: "AUTH1")
            )
        case .refund(.pending): refund("PAYMENT.REFUND.PENDING", "PENDING", sample)
        case .refund(.succeeded): refund("PAYMENT.CAPTURE.REFUNDED", "COMPLETED", sample)
        case .refund(.failed): refund("PAYMENT.REFUND.FAILED", "FAILED", sample)
        case .dispute(.opened): dispute("CREATED", "OPEN", nil, sample)
        case .dispute(.underReview): dispute("UPDATED", "UNDER_REVIEW", nil, sample)
        case .dispute(.won): dispute("RESOLVED", "RESOLVED", "RESOLVED_SELLER_FAVOUR", sample)
        case .dispute(.lost): dispute("RESOLVED", "RESOLVED", "RESOLVED_BUYER_FAVOUR", sample)
        case .dispute(.closed): dispute("RESOLVED", "RESOLVED", "CANCELED_BY_BUYER", sample)
        case .subscription(let state):
            Self.word(state).map {
                (
                    "BILLING.SUBSCRIPTION.\($0)", "subscription",
                    .object([
                        "id": text(sample.ids.subscription), "custom_id": text(sample.ids.order),
                    ])
                )
            }
        case .unknownType:
            ("CATALOG.PRODUCT.CREATED", "product", .object(["id": .string("PROD-1")]))
        default: nil
        }
    }

    private static func word(_ state: SubscriptionState) -> String? {
        switch state {
        case .pending: "CREATED"
        case .active: "ACTIVATED"
        case .paused: "SUSPENDED"
        case .pastDue: "PAYMENT.FAILED"
        case .cancelled: "CANCELLED"
        case .expired: "EXPIRED"
        case .renewed, .failed: nil
        }
    }

    private func payment(
        _ word: String, _ sample: EventSample
    ) -> (type: String, kind: String, resource: JSONValue) {
        (
            "PAYMENT.CAPTURE.\(word)", "capture",
            capture(sample.ids, sample.amount, word, id: sample.ids.payment)
        )
    }

    private func refund(
        _ type: String, _ word: String, _ sample: EventSample
    ) -> (type: String, kind: String, resource: JSONValue) {
        let capture = sample.ids.payment.map {
            "https://api.sandbox.paypal.com/v2/payments/captures/\($0)"
        }
        return (
            type, "refund",
            .object([
                "id": text(sample.ids.refund), "status": .string(word),
                "amount": Self.amount(sample.amount), "custom_id": text(sample.ids.order),
                "links": .array([.object(["rel": .string("up"), "href": text(capture)])]),
            ])
        )
    }

    private func dispute(
        _ type: String, _ word: String, _ outcome: String?, _ sample: EventSample
    ) -> (type: String, kind: String, resource: JSONValue) {
        (
            "CUSTOMER.DISPUTE.\(type)", "dispute",
            .object([
                "dispute_id": text(sample.ids.dispute), "status": .string(word),
                "dispute_amount": Self.amount(sample.amount),
                "disputed_transactions": .array([
                    .object(["seller_transaction_id": text(sample.ids.payment)])
                ]),
                "dispute_outcome": outcome.map { .object(["outcome_code": .string($0)]) },
            ])
        )
    }

    /// A capture or an authorization.
    private func capture(
        _ ids: ProviderIDs, _ amount: SampleAmount, _ word: String, id: String?
    ) -> JSONValue {
        .object([
            "id": text(id), "status": .string(word), "amount": Self.amount(amount),
            "custom_id": text(ids.order),
            "supplementary_data": .object([
                "related_ids": .object(["order_id": text(ids.session)])
            ]),
        ])
    }

    private static func amount(_ amount: SampleAmount) -> JSONValue {
        .object(["value": amount.decimalText(), "currency_code": .string(amount.currency)])
    }

    // MARK: - The API

    /// The word of an order is its status and, behind a slash, the status of its one capture.
    func reply(_ sample: StatusSample) -> HTTPReply? {
        let ids = sample.ids
        switch sample.target {
        case .payment(let id):
            return HTTPReply(
                status: 200, body: capture(ids, sample.amount, sample.word, id: id).json)
        case .session(let id):
            let words = sample.word.split(separator: "/").map(String.init)
            let captures = words.dropFirst().map {
                capture(ids, sample.amount, $0, id: ids.payment)
            }
            return HTTPReply(
                status: 200,
                body: JSONValue.object([
                    "id": .string(id), "status": text(words.first), "intent": .string("CAPTURE"),
                    "purchase_units": .array([
                        .object([
                            "custom_id": text(ids.order), "amount": Self.amount(sample.amount),
                            "payments": .object(["captures": .array(Array(captures))]),
                        ])
                    ]),
                    "payer": .object([
                        "payer_id": text(ids.customer), "email_address": .string("zoe@example.com"),
                    ]),
                ]).json)
        case .order, .merchantReference: return nil
        }
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        let page = ids.session.map { "https://www.sandbox.paypal.com/checkoutnow?token=\($0)" }
        return HTTPReply(
            status: 201,
            body: JSONValue.object([
                "id": text(ids.session), "status": .string("PAYER_ACTION_REQUIRED"),
                "links": .array([.object(["rel": .string("payer-action"), "href": text(page)])]),
            ]).json)
    }
}
