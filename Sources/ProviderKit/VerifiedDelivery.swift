public import CheckoutModel
import Cryptography

/// A delivery whose signature held, and how we know.
///
/// Only ``DeliveryVerifier`` makes one: holding a value is the proof. Says nothing about what the
/// body means.
public struct VerifiedDelivery: Sendable, CustomStringConvertible {
    /// The provider whose adapter wrote the plan.
    public let provider: ProviderID
    /// The delivery, byte for byte.
    public let delivery: WebhookDelivery
    /// Which scheme held, such as `standard-webhooks/v1`.
    public let scheme: String
    /// Which of our secrets matched, from 0, in the order of the configuration; nil when the key
    /// was the provider's own.
    public let secretIndex: Int?
    /// Eight hexadecimal digits that name the key without telling anything of it.
    public let keyFingerprint: String
    /// When it was signed; nil where the scheme signs no time.
    public let signedAt: Instant?
    /// SHA-256 of the body, 32 bytes.
    ///
    /// A hash of what may be private: seal it or key it before it is stored in clear.
    public let bodySHA256: [UInt8]
    /// The sealed parts in the order of the plans, opened.
    ///
    /// Private.
    public let opened: [[UInt8]]

    init(
        provider: ProviderID, delivery: WebhookDelivery, match: SignatureMatch, signedAt: Instant?,
        opened: [[UInt8]]
    ) {
        self.provider = provider
        self.delivery = delivery
        scheme = match.scheme
        secretIndex = match.secretIndex
        keyFingerprint = match.keyFingerprint
        self.signedAt = signedAt
        bodySHA256 = SHA256.hash(delivery.body).bytes
        self.opened = opened
    }

    /// How it was verified; no header, body or secret.
    public var description: String {
        "VerifiedDelivery(\(provider), \(scheme), key \(keyFingerprint))"
    }
}

extension VerifiedDelivery {
    /// ``bodySHA256`` as 64 lower-case hexadecimal digits.
    public var bodyHex: String { Hex.encode(bodySHA256) }
}
