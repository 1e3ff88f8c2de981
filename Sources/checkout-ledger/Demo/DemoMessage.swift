import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import DodoPayments
import ProviderKit
import Stripe

/// A webhook of a pretend provider before it is signed: one body under one delivery id.
struct DemoMessage: Sendable {
    let provider: DemoProvider
    let id: String
    var body: [UInt8]

    /// The delivery as the provider would send it at a moment: every attempt is signed anew.
    func signed(at time: Instant, secret: String? = nil) -> WebhookDelivery {
        let secret = secret ?? provider.secret
        let stamp = "\(time.seconds)"
        switch provider {
        case .dodo:
            let key = HMACKey(sha256: Base64.decode(secret.dropFirst(6)) ?? [])
            let code = key.authenticate(Array("\(id).\(stamp).".utf8), body)
            return WebhookDelivery(
                headers: [
                    "content-type": "application/json", "webhook-id": id,
                    "webhook-timestamp": stamp, "webhook-signature": "v1,\(Base64.encode(code))",
                ], body: body)
        case .stripe:
            let key = HMACKey(sha256: Array(secret.utf8))
            let code = Hex.encode(key.authenticate(Array("\(stamp).".utf8), body))
            return WebhookDelivery(
                headers: [
                    "content-type": "application/json",
                    "stripe-signature": "t=\(stamp),v1=\(code)",
                ], body: body)
        }
    }
}

extension DemoProvider {
    /// What the pretend provider and the shop share.
    ///
    /// Protects nothing.
    var secret: String {
        switch self {
        case .dodo: "whsec_" + Base64.encode(Array("pretend-secret-of-the-demo-shop.".utf8))
        case .stripe: "whsec_pretend_secret_of_the_demo_shop"
        }
    }

    /// What a forger guesses.
    var wrongSecret: String {
        switch self {
        case .dodo: "whsec_" + Base64.encode(Array("a-secret-that-somebody-made-up..".utf8))
        case .stripe: "whsec_a_secret_that_somebody_made_up"
        }
    }

    static let business = "bus_pretend"

    /// The sandbox of the only account: nothing in here is real money.
    var scope: AccountScope { AccountScope(ProviderID(rawValue: rawValue), mode: .test) }

    func adapter() throws -> any WebhookReceiving & ReturnURLParsing {
        switch self {
        case .dodo:
            try DodoPaymentsProvider(
                configuration: .init(businessID: Self.business, mode: .test))
        case .stripe: try StripeProvider()
        }
    }

    func verifier() throws -> DeliveryVerifier {
        let adapter = try adapter()
        let rules = type(of: adapter).descriptor.secretRules
        return try DeliveryVerifier(
            provider: adapter, secrets: SecretSet([.webhook: [secret]], rules: rules))
    }
}

/// One checkout of the pretend shop: what is said of it, under which names.
struct DemoCheckout: Sendable {
    let lane: Int
    let provider: DemoProvider
    let session: String
    let order: String
    let payment: String
    let customer: String
    let email: String
    let total: Money
    /// When the page was shown.
    let openedAt: Instant

    /// Every id that the shop's own server knows.
    var ids: ProviderIDs { ProviderIDs(session: session, order: order) }
}

/// What a provider has to tell.
enum DemoNews: Sendable {
    case paid(payment: String, Money, subscription: String? = nil, ofSession: Bool = true)
    case failed(payment: String)
    case refunded(refund: String, Money)
    case disputed(dispute: String, isWon: Bool)
    case subscriptionActive(String)
    case subscriptionRenewed(String)
    case expired
    case debitStarted
    case debitPaid
}

extension Instant {
    func adding(seconds: Int) -> Instant {
        Instant(microseconds: microseconds + Int64(seconds) * 1_000_000)
    }
}
