public import CheckoutModel
public import ProviderKit

/// A key that the provider of a test signs with, and what a receiver is configured with for it.
///
/// Made up for the checks; never a key of a real account.
public struct FixtureKey: Sendable {
    /// The secrets of the receiver, one a role, as people would paste them.
    public let secrets: [SecretRole: String]
    /// What the sender signs with: the bytes of an HMAC key, or a private key in whatever form the
    /// fixtures read back.
    ///
    /// Empty in one check, where nothing that is signed may be believed.
    public let signing: [UInt8]
    /// Public keys in PEM that the host would fetch, for providers that name them in a message.
    public let resolved: [KeyRequest: String]

    /// Pairs both sides of a key.
    public init(
        secrets: [SecretRole: String], signing: [UInt8], resolved: [KeyRequest: String] = [:]
    ) {
        self.secrets = secrets
        self.signing = signing
        self.resolved = resolved
    }

    /// The same receiver, and a sender whose key is empty.
    var withEmptySigning: FixtureKey {
        FixtureKey(secrets: secrets, signing: [], resolved: resolved)
    }
}

/// A delivery that the fixtures are to sign as the provider does.
public struct DeliverySigning: Sendable {
    /// What is delivered; schemes that sign inside the body write the signature into it.
    public let body: [UInt8]
    /// Names the delivery where a header does; the same over retries.
    public let deliveryID: String
    /// When this attempt is signed, for schemes that sign a time.
    public let time: Instant
    /// What to sign with.
    public let key: FixtureKey
    let forge: @Sendable ([UInt8]) -> [[UInt8]]

    init(
        body: [UInt8], deliveryID: String, time: Instant, key: FixtureKey,
        forge: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { [$0] }
    ) {
        self.body = body
        self.deliveryID = deliveryID
        self.time = time
        self.key = key
        self.forge = forge
    }

    /// What to write in the place of the right signature: the signature itself, unless a check
    /// wants damaged ones, or a list.
    ///
    /// Write all of them where the scheme has a list; else one behind the other.
    public func signatures(of signature: [UInt8]) -> [[UInt8]] { forge(signature) }
}

/// A return that the fixtures are to sign as the provider does.
public struct ReturnSigning: Sendable {
    /// What the return is about.
    public let ids: ProviderIDs
    /// The provider's status word; nil where returns carry none.
    public let word: String?
    /// When it is signed, for schemes that sign a time.
    public let time: Instant
    /// What to sign with.
    public let key: FixtureKey
    let forge: @Sendable ([UInt8]) -> [[UInt8]]

    init(
        ids: ProviderIDs, word: String?, time: Instant, key: FixtureKey,
        forge: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { [$0] }
    ) {
        self.ids = ids
        self.word = word
        self.time = time
        self.key = key
        self.forge = forge
    }

    /// What to write in the place of the right signature; see ``DeliverySigning``.
    public func signatures(of signature: [UInt8]) -> [[UInt8]] { forge(signature) }
}
