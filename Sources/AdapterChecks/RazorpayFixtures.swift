import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit
import Razorpay

/// Razorpay's side: webhooks signed under one secret, returns under the other, links as sessions.
struct RazorpayFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> RazorpayProvider {
        try RazorpayProvider(
            configuration: .init(
                keyID: "rzp_\(mode.name)_tea", accountID: "acc_tea", mode: mode))
    }

    /// What makes the API's secret of a webhook's: the two must not be mistaken for each other.
    private static let ending = Array("_for_the_api".utf8)

    let keys = ["rzp_secret_of_today", "rzp_secret_of_tomorrow"].map {
        FixtureKey(
            secrets: [
                .webhook: $0,
                .apiKey: String(decoding: Array($0.utf8) + ending, as: UTF8.self),
            ], signing: Array($0.utf8))
    }

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "plink_\(number)", payment: "pay_\(number)", refund: "rfnd_\(number)",
            dispute: "disp_\(number)", subscription: "sub_\(number)", order: "tea-\(number)",
            customer: "cust_\(number)")
    }

    // MARK: - Webhooks

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        let signed = WebhookDelivery.bodySigned(signing, header: "X-Razorpay-Signature")
        let id = HeaderList.Field(name: "x-razorpay-event-id", value: signing.deliveryID)
        return WebhookDelivery(
            headers: HeaderList(signed.headers.fields + [id]), body: signing.body)
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let (type, entities) = Self.told(sample) else { return nil }
        return JSONValue.object([
            "entity": .string("event"), "account_id": .string("acc_tea"), "event": .string(type),
            "created_at": .integer(sample.occurredAt.seconds),
            "payload": .object(
                entities.map { name, entity in
                    JSONMember(name: name, value: .object(["entity": entity]))
                }),
        ]).json
    }

    private typealias Told = (type: String, entities: [(String, JSONValue)])

    private static func told(_ sample: EventSample) -> Told? {
        switch sample.kind {
        case .payment(.succeeded): link(sample, "paid", payment: "captured")
        case .payment(.cancelled): link(sample, "cancelled", payment: nil)
        case .sessionExpired: link(sample, "expired", payment: nil)
        case .payment(.pending): payment(sample, "pending")
        case .payment(.failed): payment(sample, "failed")
        case .authorized: payment(sample, "authorized")
        case .refund(.pending): refund(sample, "created", "pending")
        case .refund(.succeeded): refund(sample, "processed", "processed")
        case .refund(.failed): refund(sample, "failed", "failed")
        case .dispute(.opened): dispute(sample, "created")
        case .dispute(.underReview): dispute(sample, "under_review")
        case .dispute(.won): dispute(sample, "won")
        case .dispute(.lost): dispute(sample, "lost")
        case .dispute(.closed): dispute(sample, "closed")
        case .subscription(.pending): subscription(sample, "authenticated", "authenticated")
        case .subscription(.active): subscription(sample, "activated", "active")
        case .subscription(.renewed): subscription(sample, "charged", "active")
        case .subscription(.pastDue): subscription(sample, "halted", "halted")
        case .subscription(.paused): subscription(sample, "paused", "paused")
        case .subscription(.cancelled): subscription(sample, "cancelled", "cancelled")
        case .subscription(.expired): subscription(sample, "completed", "completed")
        case .unknownType:
            ("settlement.processed", [("settlement", .object(["id": .string("setl_1")]))])
        default: nil
        }
    }

    private static func link(
        _ sample: EventSample, _ word: String, payment status: String?
    ) -> Told {
        let link = link(sample.ids, sample.amount, word)
        let paid = status.map { [("payment", paymentEntity(sample, $0))] } ?? []
        return ("payment_link.\(word)", paid + [("payment_link", link)])
    }

    private static func link(
        _ ids: ProviderIDs, _ amount: SampleAmount, _ word: String
    ) -> JSONValue {
        .object([
            "id": text(ids.session), "status": .string(word), "reference_id": text(ids.order),
            "amount": amount.minorInteger(),
            "amount_paid": word == "paid" ? amount.minorInteger() : .integer(0),
            "currency": .string(amount.currency), "expire_by": .integer(0),
            "short_url": .string("https://rzp.io/i/tea1"),
            "payments": word == "paid"
                ? .array([
                    .object(["payment_id": text(ids.payment), "status": .string("captured")])
                ]) : .null,
        ])
    }

    private static func payment(_ sample: EventSample, _ word: String) -> Told {
        ("payment.\(word)", [("payment", paymentEntity(sample, word))])
    }

    private static func paymentEntity(_ sample: EventSample, _ word: String) -> JSONValue {
        payment(sample.ids, sample.amount, word, email: sample.email)
    }

    /// A payment names the order that Razorpay made for the link, which is no session.
    private static func payment(
        _ ids: ProviderIDs, _ amount: SampleAmount, _ word: String, email: String?
    ) -> JSONValue {
        .object([
            "id": text(ids.payment), "order_id": .string("order_of_the_link"),
            "status": .string(word), "amount": amount.minorInteger(),
            "currency": .string(amount.currency), "customer_id": text(ids.customer),
            "email": email.map { .string($0) },
            "error_code": word == "failed" ? .string("BAD_REQUEST_ERROR") : .null,
            "notes": .object(["merchant_order_id": text(ids.order)]),
        ])
    }

    private static func refund(_ sample: EventSample, _ name: String, _ word: String) -> Told {
        let refund = JSONValue.object([
            "id": text(sample.ids.refund), "payment_id": text(sample.ids.payment),
            "status": .string(word), "amount": sample.amount.minorInteger(),
            "currency": .string(sample.amount.currency),
        ])
        return ("refund.\(name)", [("refund", refund)])
    }

    private static func dispute(_ sample: EventSample, _ name: String) -> Told {
        let dispute = JSONValue.object([
            "id": text(sample.ids.dispute), "payment_id": text(sample.ids.payment),
            "amount": sample.amount.minorInteger(), "currency": .string(sample.amount.currency),
        ])
        return ("payment.dispute.\(name)", [("dispute", dispute)])
    }

    private static func subscription(
        _ sample: EventSample, _ name: String, _ word: String
    ) -> Told {
        let subscription = JSONValue.object([
            "id": text(sample.ids.subscription), "status": .string(word),
        ])
        return ("subscription.\(name)", [("subscription", subscription)])
    }

    // MARK: - Returns

    func signedReturn(_ signing: ReturnSigning) -> [(name: String, value: String)]? {
        let (ids, word) = (signing.ids, signing.word ?? "created")
        let fields = [ids.session ?? "", ids.order ?? "", word, ids.payment ?? ""]
        // An empty key stays one.
        let key = signing.key.signing.isEmpty ? [] : signing.key.signing + Self.ending
        let code = HMACKey(sha256: key).authenticate(Array(fields.joined(separator: "|").utf8))
        return [
            ("razorpay_payment_id", fields[3]), ("razorpay_payment_link_id", fields[0]),
            ("razorpay_payment_link_reference_id", fields[1]),
            ("razorpay_payment_link_status", word),
            (
                "razorpay_signature",
                signing.signatures(of: code).map { Hex.encode($0) }.joined()
            ),
        ]
    }

    // MARK: - The API

    func reply(_ sample: StatusSample) -> HTTPReply? {
        switch sample.target {
        case .session:
            HTTPReply(
                status: 200, body: Self.link(sample.ids, sample.amount, sample.word).json)
        case .payment:
            HTTPReply(
                status: 200,
                body: Self.payment(sample.ids, sample.amount, sample.word, email: nil).json)
        case .order, .merchantReference: nil
        }
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        let link = JSONValue.object([
            "id": text(ids.session), "status": .string("created"),
            "reference_id": text(ids.order), "expire_by": .integer(0),
            "short_url": .string("https://rzp.io/i/tea1"),
        ])
        return HTTPReply(status: 200, body: link.json)
    }
}
