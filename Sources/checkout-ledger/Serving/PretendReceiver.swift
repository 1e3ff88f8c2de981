import AdapterChecks
import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import ProviderConformance
import ProviderKit

/// Signs webhooks with the very secret that a receiver checks, and looks whether it would believe
/// them.
struct PretendReceiver {
    let verifier: DeliveryVerifier
    let sender: PretendSender

    /// What this side signs with, where the receiver has only the half that checks.
    let signingKey: [UInt8]?
    /// How the receiver is known, where signatures cover that; empty where nobody has said.
    let url: String
    let scope: AccountScope

    /// Takes the secrets of `--secret-file`, else of the account in `--config`.
    init(
        _ context: Context, _ scope: AccountScope, signingWith key: [UInt8]? = nil,
        knownBy url: String? = nil
    ) throws {
        try self.init(
            try DeliveryRequest.verifier(of: scope, context).verifier, scope, signingWith: key,
            knownBy: url ?? context.webhookURL(of: scope))
    }

    /// Takes what the receiver checks with.
    init(
        _ verifier: DeliveryVerifier, _ scope: AccountScope, signingWith key: [UInt8]? = nil,
        knownBy url: String
    ) throws(Complaint) {
        self.verifier = verifier
        self.scope = scope
        self.url = url
        signingKey = key
        guard let sender = AdapterChecks.sender(of: scope.provider) else {
            throw Context.unsupported(scope.provider, "has nobody here who speaks for it")
        }
        self.sender = sender.speaking(to: verifier, at: url)
    }

    /// Signs a body; throws `CANNOT_SIGN` with the reason when no key that is here makes a
    /// signature that the receiver believes.
    func signed(_ body: [UInt8], id: String, at now: Instant) throws(Complaint) -> WebhookDelivery {
        for key in signingKey.map({ [$0] }) ?? verifier.signingKeys {
            if let delivery = sender.delivery(body, id: id, at: now, key: key),
                (try? verifier.verify(delivery, at: now)) != nil
            {
                return delivery
            }
        }
        throw obstacle
    }

    /// A stored webhook with a signature of now, under its own id.
    func resigned(
        _ delivery: WebhookDelivery, _ stored: StoredDelivery, at now: Instant
    ) throws(Complaint) -> WebhookDelivery {
        // A refused webhook's id is not read, but it stands in its header where the scheme has one.
        let header = type(of: verifier.provider).descriptor.webhookIDHeader
        let id =
            stored.recorded.event.deliveryID ?? header.flatMap { delivery.headers.first($0) }
            ?? Self.newID("dlv_")
        return try signed(delivery.body, id: id, at: now)
    }

    /// What the receiver will make of a delivery that it believes; nil when it applies it.
    func doubt(_ delivery: WebhookDelivery, at now: Instant) -> String? {
        guard let verified = try? verifier.verify(delivery, at: now) else { return nil }
        switch verifier.provider.reading(of: verified) {
        case .understood: return nil
        case .foreignAccount(let foreign): return foreign.message
        case .unreadable(let error): return error.message
        }
    }

    /// A name that no other trial has.
    static func newID(_ prefix: String) -> String {
        prefix + Hex.encode(SecureRandom.bytes(8))
    }
}
