import CheckoutModel
import CoinbaseCommerce
import ProviderConformance
import ProviderKit

/// Coinbase Commerce's side: the body's code in a header, and charges with their timeline.
struct CoinbaseCommerceFixtures: ProviderFixtures {
    func adapter(
        _ mode: ProviderMode
    ) throws(ProviderConfigurationError) -> CoinbaseCommerceProvider {
        try CoinbaseCommerceProvider()
    }

    let keys = ["coinbase_secret_of_today", "coinbase_secret_of_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "coinbase_key_of_a_pretend_shop"]

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "TEA000\(number)", payment: "8f7c1b0e-0000-4000-8000-00000000000\(number)",
            order: "order-\(number)")
    }

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        .bodySigned(signing, header: "X-CC-Webhook-Signature")
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        let (type, word): (String, String)
        switch sample.kind {
        case .payment(.succeeded): (type, word) = ("charge:confirmed", "COMPLETED")
        case .payment(.pending): (type, word) = ("charge:pending", "PENDING")
        case .payment(.failed): (type, word) = ("charge:failed", "FAILED")
        case .payment(.cancelled): (type, word) = ("charge:failed", "CANCELED")
        case .sessionExpired: (type, word) = ("charge:failed", "EXPIRED")
        case .unknownType: (type, word) = ("invoice:created", "NEW")
        default: return nil
        }
        return JSONValue.object([
            "id": .string("attempt"),
            "event": .object([
                "id": .string(sample.eventID), "type": .string(type),
                "created_at": .string(sample.occurredAt.iso8601),
                "data": charge(sample.ids, sample.amount, word),
            ]),
        ]).json
    }

    private func charge(_ ids: ProviderIDs, _ amount: SampleAmount, _ word: String) -> JSONValue {
        let session = ids.session ?? ""
        return .object([
            "code": .string(session), "id": text(ids.payment),
            "hosted_url": .string("https://commerce.coinbase.com/charges/\(session)"),
            "timeline": .array([
                .object(["status": .string("NEW")]), .object(["status": .string(word)]),
            ]),
            "pricing": .object([
                "local": .object([
                    "amount": amount.decimalText(), "currency": .string(amount.currency),
                ])
            ]), "metadata": .object(["order_id": text(ids.order)]),
        ])
    }

    func reply(_ sample: StatusSample) -> HTTPReply? {
        HTTPReply(
            status: 200,
            body: JSONValue.object(["data": charge(sample.ids, sample.amount, sample.word)]).json)
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        guard let money = draft.items.first?.unitAmount else { return nil }
        let amount = JSONValue.string(money.amountText)
        let session = ids.session ?? ""
        return HTTPReply(
            status: 201,
            body: JSONValue.object([
                "data": .object([
                    "code": .string(session), "id": text(ids.payment),
                    "hosted_url": .string("https://commerce.coinbase.com/charges/\(session)"),
                    "timeline": .array([.object(["status": .string("NEW")])]),
                    "pricing": .object([
                        "local": .object([
                            "amount": amount, "currency": .string(money.currency.code),
                        ])
                    ]),
                ])
            ]).json)
    }
}
