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

    /// Takes the secrets of `--secret-file`, else of the account in `--config`.
    init(_ context: Context, _ scope: AccountScope) throws {
        try self.init(try DeliveryRequest.verifier(of: scope, context).verifier, scope)
    }

    /// Takes what the receiver checks with.
    init(_ verifier: DeliveryVerifier, _ scope: AccountScope) throws(Complaint) {
        self.verifier = verifier
        guard let sender = AdapterChecks.sender(of: scope.provider) else {
            throw Context.unsupported(scope.provider, "has nobody here who speaks for it")
        }
        self.sender = sender
    }

    /// Signs a body; throws `CANNOT_SIGN` when no secret of the receiver's makes a signature that
    /// holds.
    func signed(_ body: [UInt8], id: String, at now: Instant) throws(Complaint) -> WebhookDelivery {
        for key in verifier.signingKeys {
            if let delivery = sender.delivery(body, id: id, at: now, key: key),
                (try? verifier.verify(delivery, at: now)) != nil
            {
                return delivery
            }
        }
        let name = type(of: verifier.provider).descriptor.name
        throw Complaint(
            code: "CANNOT_SIGN",
            message: "With the receiver's secrets nothing of \(name) can be signed here.",
            hint: "\(name) signs with a key, an address or a form that only it has; resend a "
                + "stored delivery instead.")
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
