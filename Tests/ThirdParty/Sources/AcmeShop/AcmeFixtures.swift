import AcmePay
import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit

/// Acme's side, for the checks.
struct AcmeFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> AcmePay { AcmePay() }

    let keys = ["acme_secret_of_today", "acme_secret_of_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        let time = "\(signing.time.seconds)"
        let code = HMACKey(sha256: signing.key.signing)
            .authenticate(Array("\(time).".utf8), signing.body)
        let items = signing.signatures(of: code).map { "v1=\(Hex.encode($0))" }
        return WebhookDelivery(
            headers: ["Acme-Signature": (["t=\(time)"] + items).joined(separator: ",")],
            body: signing.body)
    }

    func body(_ sample: EventSample) -> [UInt8]? {
        let type: String
        switch sample.kind {
        case .payment(.succeeded): type = "payment.paid"
        case .payment(.failed): type = "payment.declined"
        case .refund(.succeeded): type = "refund.done"
        case .unknownType: type = "zz.never_seen"
        default: return nil
        }
        func id(_ id: String?) -> JSONValue? { id.map(JSONValue.string) }
        let isRefund = sample.kind == .refund(.succeeded)
        return JSONValue.object([
            "id": .string(sample.eventID), "type": .string(type),
            "at": .integer(sample.occurredAt.seconds), "live": .bool(sample.mode == .live),
            "checkout": id(sample.ids.session), "payment": id(sample.ids.payment),
            "refund": isRefund ? id(sample.ids.refund) : nil,
            "amount": sample.amount.minorInteger(), "currency": .string(sample.amount.currency),
        ]).json
    }
}
