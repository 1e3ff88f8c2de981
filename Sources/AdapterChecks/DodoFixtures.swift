import CheckoutModel
import Cryptography
import DodoPayments
import ProviderConformance
import ProviderKit

/// Dodo's side: Standard Webhooks deliveries, and replies of its API.
struct DodoFixtures: ProviderFixtures {
    func adapter(
        _ mode: ProviderMode
    ) throws(ProviderConfigurationError) -> DodoPaymentsProvider {
        try DodoPaymentsProvider(configuration: .init(mode: mode == .live ? .live : .test))
    }

    let keys = [[UInt8](0..<32), [UInt8](64..<96)].map {
        FixtureKey(secrets: [.webhook: "whsec_" + Base64.encode($0)], signing: $0)
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "dodo_api_key_of_a_test_shop"]

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "cks_\(number)", payment: "pay_\(number)", refund: "ref_\(number)",
            dispute: "dsp_\(number)", subscription: "sub_\(number)", order: "order-\(number)",
            customer: "cus_\(number)")
    }

    // MARK: - Webhooks

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? { .standard(signing) }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let (type, status) = Self.words(sample.kind) else { return nil }
        var data: [JSONMember] = [
            JSONMember(name: "payment_id", value: text(sample.ids.payment)),
            JSONMember(name: "checkout_session_id", value: text(sample.ids.session)),
            JSONMember(name: "currency", value: .string(sample.amount.currency)),
            JSONMember(
                name: "customer",
                value: .object([
                    "customer_id": text(sample.ids.customer), "email": .string(sample.email),
                ])),
            JSONMember(name: "metadata", value: .object(["order_id": text(sample.ids.order)])),
        ]
        if let status { data.append(JSONMember(name: "status", value: .string(status))) }
        switch sample.kind {
        case .refund:
            data.append(JSONMember(name: "refund_id", value: text(sample.ids.refund)))
            data.append(JSONMember(name: "amount", value: sample.amount.minorInteger()))
        case .dispute:
            data.append(JSONMember(name: "dispute_id", value: text(sample.ids.dispute)))
            data.append(JSONMember(name: "amount", value: sample.amount.minorText()))
        case .subscription:
            data.append(JSONMember(name: "subscription_id", value: text(sample.ids.subscription)))
        default:
            data.append(JSONMember(name: "total_amount", value: sample.amount.minorInteger()))
        }
        return JSONValue.object([
            "business_id": .string("bus_1"), "type": .string(type),
            "timestamp": .string(sample.occurredAt.iso8601), "data": .object(data),
        ]).json
    }

    /// The event's type, and the object's status where it has one.
    private static func words(_ kind: EventSample.Kind) -> (type: String, status: String?)? {
        switch kind {
        case .payment(.succeeded): ("payment.succeeded", "succeeded")
        case .payment(.failed): ("payment.failed", "failed")
        case .payment(.pending): ("payment.processing", "processing")
        case .payment(.cancelled): ("payment.cancelled", "cancelled")
        case .refund(.succeeded): ("refund.succeeded", "succeeded")
        case .refund(.failed): ("refund.failed", "failed")
        case .refund(.pending): ("refund.succeeded", "review")
        case .dispute(.opened): ("dispute.opened", nil)
        case .dispute(.underReview): ("dispute.challenged", nil)
        case .dispute(.won): ("dispute.won", nil)
        case .dispute(.lost): ("dispute.lost", nil)
        case .dispute(.closed): ("dispute.expired", nil)
        case .subscription(.active): ("subscription.active", "active")
        case .subscription(.renewed): ("subscription.renewed", "active")
        case .subscription(.pastDue): ("subscription.on_hold", "on_hold")
        case .subscription(.paused): ("subscription.paused", "paused")
        case .subscription(.cancelled): ("subscription.cancelled", "cancelled")
        case .subscription(.expired): ("subscription.expired", "expired")
        case .subscription(.failed): ("subscription.failed", "failed")
        case .unknownType: ("zz.never_seen", "strange")
        default: nil
        }
    }

    // MARK: - The API

    func reply(_ sample: StatusSample) -> HTTPReply? {
        let status: JSONValue = sample.word == "(none)" ? .null : .string(sample.word)
        switch sample.target {
        case .session(let id):
            return HTTPReply(
                status: 200,
                body: JSONValue.object([
                    "id": .string(id), "payment_id": text(sample.ids.payment),
                    "payment_status": status,
                ]).json)
        case .payment(let id):
            return HTTPReply(
                status: 200,
                body: JSONValue.object([
                    "payment_id": .string(id), "checkout_session_id": text(sample.ids.session),
                    "total_amount": sample.amount.minorInteger(),
                    "currency": .string(sample.amount.currency), "status": status,
                ]).json)
        case .order, .merchantReference: return nil
        }
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        let session = ids.session ?? ""
        return HTTPReply(
            status: 200,
            body: JSONValue.object([
                "session_id": .string(session),
                "checkout_url": .string(
                    "https://test.checkout.dodopayments.com/session/\(session)"),
            ]).json)
    }
}

/// Text, or null where there is none.
func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
