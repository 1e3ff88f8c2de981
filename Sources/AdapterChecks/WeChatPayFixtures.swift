import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit
import ProviderVectors
import WeChatPay

/// WeChat's side: a platform key's signature over time, nonce and body, and sealed resources.
struct WeChatPayFixtures: AddressedFixtures {
    private static let usualSealingKey = "wechat_sealing_key_of_a_tea_shop"

    private var merchant = "1900000001"
    private var sealingKey = Array(usualSealingKey.utf8)
    /// The name of the key that signs where the signing itself names none.
    private var publicKeyID: String?

    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> WeChatPayProvider {
        try WeChatPayProvider(
            configuration: .init(
                merchantID: merchant, appID: "wx0000000000000001",
                certificateSerial: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
                notifyURL: "https://shop.example/wechat"))
    }

    func speaking(to receiver: DeliveryVerifier, at url: String) -> WeChatPayFixtures {
        guard let adapter = receiver.provider as? WeChatPayProvider else { return self }
        var fixtures = self
        fixtures.merchant = adapter.configuration.merchantID ?? merchant
        fixtures.sealingKey = receiver.sealingKeys.first ?? sealingKey
        fixtures.publicKeyID = adapter.configuration.publicKeyID
        return fixtures
    }

    let keys = [("7132D72A03E93CDD", KnownKeyPair.first), ("2B6C1A0F55E0C3D4", .second)].map {
        FixtureKey(
            secrets: [.decryptionKey: Self.usualSealingKey], signing: Array($1.privatePEM.utf8),
            resolved: [.platformKey(serial: $0): $1.publicPEM])
    }

    /// The merchant's own key, which signs requests.
    let apiSecrets: [SecretRole: String] = [.signingKey: KnownKeyPair.second.privatePEM]

    /// A checkout is named by the shop's own reference.
    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "order-\(number)", payment: "420000000120260101000000000\(number)",
            refund: "5030000000202601010000000000\(number)", order: "order-\(number)",
            customer: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6\(number)")
    }

    // MARK: - Webhooks

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        var serial = publicKeyID
        if case .platformKey(let named)? = signing.key.resolved.keys.first { serial = named }
        guard let serial else { return nil }
        let time = "\(signing.time.seconds)"
        let message = Array("\(time)\n\(signing.deliveryID)\n".utf8) + signing.body + [0x0A]
        let code = KnownKeyPair.signature(of: message, under: signing.key.signing)
        return WebhookDelivery(
            headers: [
                "Wechatpay-Timestamp": time, "Wechatpay-Nonce": signing.deliveryID,
                "Wechatpay-Serial": serial,
                "Wechatpay-Signature": Base64.encode(signing.signatures(of: code).flatMap { $0 }),
                "Wechatpay-Signature-Type": "WECHATPAY2-SHA256-RSA2048",
            ], body: signing.body)
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        let type: String
        let resource: JSONValue
        switch sample.kind {
        case .payment(.succeeded):
            type = "TRANSACTION.SUCCESS"
            resource = transaction(sample.ids, sample.amount, "SUCCESS", sample.occurredAt)
        case .refund(.succeeded): (type, resource) = ("REFUND.SUCCESS", refund(sample, "SUCCESS"))
        case .refund(.failed): (type, resource) = ("REFUND.ABNORMAL", refund(sample, "ABNORMAL"))
        case .unknownType: (type, resource) = ("COUPON.USE", .object(["coupon_id": text("98")]))
        default: return nil
        }
        return JSONValue.object([
            "id": .string(sample.eventID), "create_time": .string(sample.occurredAt.iso8601),
            "event_type": .string(type), "resource_type": .string("encrypt-resource"),
            "resource": sealed(resource.json),
        ]).json
    }

    /// Under a nonce that the text itself gives, so that none is used for two texts.
    private func sealed(_ plain: [UInt8]) -> JSONValue {
        let nonce = String(SHA256.hash(plain).hex.prefix(AES256GCM.nonceByteCount))
        let sealed = AES256GCM(key: sealingKey)?
            .seal(plain, nonce: Array(nonce.utf8), authenticating: Array("tea".utf8))
        return .object([
            "algorithm": .string("AEAD_AES_256_GCM"), "nonce": .string(nonce),
            "associated_data": .string("tea"), "ciphertext": .string(Base64.encode(sealed ?? [])),
        ])
    }

    private func transaction(
        _ ids: ProviderIDs, _ amount: SampleAmount, _ word: String, _ paidAt: Instant?
    ) -> JSONValue {
        .object([
            "mchid": .string(merchant), "out_trade_no": text(ids.order),
            "transaction_id": text(ids.payment), "trade_state": .string(word),
            "success_time": text(paidAt?.iso8601), "payer": .object(["openid": text(ids.customer)]),
            "amount": .object([
                "total": amount.minorInteger(), "currency": .string(amount.currency),
            ]),
        ])
    }

    /// A refund says its currency only where it is another than the usual one.
    private func refund(_ sample: EventSample, _ word: String) -> JSONValue {
        let currency = sample.amount.currency
        return .object([
            "mchid": .string(merchant), "out_trade_no": text(sample.ids.order),
            "transaction_id": text(sample.ids.payment), "refund_id": text(sample.ids.refund),
            "refund_status": .string(word), "success_time": .string(sample.occurredAt.iso8601),
            "amount": .object([
                "refund": sample.amount.minorInteger(),
                "currency": currency == "CNY" ? nil : .string(currency),
            ]),
        ])
    }

    // MARK: - The API

    func reply(_ sample: StatusSample) -> HTTPReply? {
        HTTPReply(
            status: 200, body: transaction(sample.ids, sample.amount, sample.word, nil).json)
    }

    /// Money is renminbi here.
    var draft: SessionDraft {
        SessionDraft(
            items: [
                .init(
                    name: "Tea",
                    unitAmount: Currency("CNY").map { Money(minorUnits: 1999, currency: $0) })
            ],
            reference: "order-1", returnURL: "https://shop.example/back")
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        HTTPReply(
            status: 200,
            body: JSONValue.object([
                "code_url": .string("weixin://wxpay/bizpayurl?pr=p4lpSuKzz")
            ]).json)
    }
}
