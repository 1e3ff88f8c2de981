import Alipay
import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit
import ProviderVectors

/// Alipay's side: forms signed with its private key, and trades in CNY.
struct AlipayFixtures: AddressedFixtures {
    private var appID = "2021000100000042"
    private var sellerID: String?

    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> AlipayProvider {
        try AlipayProvider(configuration: .init(appID: appID, mode: mode))
    }

    func speaking(to receiver: DeliveryVerifier, at url: String) -> AlipayFixtures {
        guard let adapter = receiver.provider as? AlipayProvider else { return self }
        var fixtures = self
        fixtures.appID = adapter.configuration.appID ?? appID
        fixtures.sellerID = adapter.configuration.sellerID
        return fixtures
    }

    let keys = [KnownKeyPair.first, .second].map {
        FixtureKey(
            secrets: [.webhookPublicKey: $0.publicPEM], signing: Array($0.privatePEM.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.signingKey: KnownKeyPair.second.privatePEM]

    /// All refunds of a trade are one, named by the trade.
    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "tea_\(number)", payment: "20260101220000000\(number)",
            refund: "20260101220000000\(number)", customer: "20880000000\(number)")
    }

    private typealias Pairs = [(name: String, value: String)]

    // MARK: - Signatures

    /// The signature of every pair but `sign` and `sign_type`; empty under a key that is none.
    private static func signature(
        of pairs: Pairs, _ key: [UInt8], _ forge: ([UInt8]) -> [[UInt8]]
    ) -> String {
        let signed = pairs.filter { $0.name != "sign" && $0.name != "sign_type" }
            .sorted { $0.name < $1.name }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let signer = try? RSAPrivateKey(pem: String(decoding: key, as: UTF8.self))
        let signature = (try? signer?.signPKCS1SHA256(Array(signed.utf8))) ?? nil
        return Base64.encode(Array(forge(signature ?? []).joined()))
    }

    // MARK: - Notifications

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        guard let form = FormFields(signing.body) else {
            return WebhookDelivery(headers: [:], body: signing.body)
        }
        var pairs: Pairs = form.pairs.map { ($0.name, $0.value) }
        let sign = Self.signature(of: pairs, signing.key.signing) { signing.signatures(of: $0) }
        pairs.append(("sign", sign))
        return WebhookDelivery(
            headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
            body: URLSegment.form(pairs))
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        // Its messages name no currency, so an amount in another than its own cannot be told.
        guard let told = Self.told(sample),
            Currency(sample.amount.currency) == sample.amount.money.currency
        else { return nil }
        let usual: Pairs = [
            ("app_id", appID), ("charset", "utf-8"), ("notify_id", sample.eventID),
            ("notify_time", Self.time(sample.occurredAt)), ("version", "1.0"),
            ("subject", "Grüner Tee & Gebäck"), ("buyer_logon_id", sample.email),
            ("sign_type", "RSA2"),
        ]
        let seller: Pairs = sellerID.map { [("seller_id", $0)] } ?? []
        return URLSegment.form(usual + seller + told)
    }

    private static func told(_ sample: EventSample) -> Pairs? {
        let amount = written(sample.amount)
        let paid = ("gmt_payment", time(sample.occurredAt))
        return switch sample.kind {
        case .payment(.pending):
            trade(sample.ids, "WAIT_BUYER_PAY") + [("total_amount", amount)]
        case .payment(.succeeded):
            trade(sample.ids, "TRADE_SUCCESS") + [("total_amount", amount), paid]
        case .payment(.expired):
            trade(sample.ids, "TRADE_CLOSED") + [
                ("total_amount", amount), ("gmt_close", time(sample.occurredAt)),
            ]
        // The sample does not know the trade's total, so this one is told without.
        case .refund(.succeeded):
            trade(sample.ids, "TRADE_SUCCESS") + [
                paid, ("refund_fee", amount), ("out_biz_no", "refund_1"),
                ("gmt_refund", time(sample.occurredAt)),
            ]
        case .unknownType: [("notify_type", "servicemarket_order_notify")]
        default: nil
        }
    }

    private static func trade(_ ids: ProviderIDs, _ status: String) -> Pairs {
        [
            ("notify_type", "trade_status_sync"), ("trade_status", status),
            ("out_trade_no", ids.session ?? ""), ("trade_no", ids.payment ?? ""),
            ("buyer_id", ids.customer ?? ""),
        ]
    }

    /// A form has text only; what is broken on purpose stands as it is.
    private static func written(_ amount: SampleAmount) -> String {
        let value = amount.decimalText()
        return value.text ?? String(decoding: value.json, as: UTF8.self)
    }

    /// Chinese standard time without a zone.
    private static func time(_ instant: Instant) -> String {
        let text = Instant(seconds: instant.seconds + 8 * 3_600).iso8601Seconds
        return text.replacing("T", with: " ").replacing("Z", with: "")
    }

    // MARK: - Returns

    func signedReturn(_ signing: ReturnSigning) -> [(name: String, value: String)]? {
        var pairs: Pairs = [
            ("charset", "utf-8"), ("out_trade_no", signing.ids.session ?? ""),
            ("method", "alipay.trade.page.pay.return"), ("total_amount", "19.90"),
            ("trade_no", signing.ids.payment ?? ""), ("auth_app_id", appID),
            ("version", "1.0"), ("app_id", appID), ("sign_type", "RSA2"),
            ("seller_id", "2088000000000042"), ("timestamp", Self.time(signing.time)),
        ]
        let sign = Self.signature(of: pairs, signing.key.signing) { signing.signatures(of: $0) }
        pairs.append(("sign", sign))
        return pairs
    }

    // MARK: - The gateway

    /// Behind a slash of the word stands when the money went to the seller.
    func reply(_ sample: StatusSample) -> HTTPReply? {
        let words = sample.word.split(separator: "/").map { String($0) }
        return HTTPReply(
            status: 200,
            body: JSONValue.object([
                "alipay_trade_query_response": .object([
                    "code": .string("10000"), "msg": .string("Success"),
                    "out_trade_no": text(sample.ids.session), "trade_no": text(sample.ids.payment),
                    "trade_status": .string(words[0]),
                    "total_amount": sample.amount.decimalText(),
                    "buyer_user_id": text(sample.ids.customer),
                    "send_pay_date": words.count > 1 ? .string(words[1]) : nil,
                ]),
                "sign": .string("nobody-looks-at-it"),
            ]).json)
    }
}
