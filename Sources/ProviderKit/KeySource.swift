/// Where a receiver gets the public keys that deliveries name.
///
/// One is made at start and shared by all accounts and requests. What a delivery says is not
/// verified when it is asked, and anyone may have written it: a source decides by itself which
/// places it believes, and bounds how much it does for strangers.
public protocol KeySource: Sendable {
    /// Every key that `verifier` needs for this delivery, to be given to its
    /// ``DeliveryVerifier/verify(_:at:resolved:)``; none, and nothing is fetched, for providers
    /// whose deliveries name none.
    ///
    /// A delivery that the adapter refuses needs none either: the verifier says why. Throws when a
    /// key that is needed cannot be had; ``KeyResolutionError/rejection`` then tells whether the
    /// delivery is refused for good or is to come again.
    func keys(
        for delivery: WebhookDelivery, of verifier: DeliveryVerifier
    ) async throws(KeyResolutionError) -> ResolvedKeys
}

/// Keys that are at hand; fetches nothing.
///
/// For tests, for installations whose providers all share a secret with them, and for reading
/// stored deliveries again. A delivery that names another key is refused with `unknown_key`.
public struct FixedKeys: KeySource {
    private let keys: ResolvedKeys

    /// Takes the keys; none by default.
    public init(_ keys: ResolvedKeys = ResolvedKeys()) { self.keys = keys }

    /// The keys at hand, whatever is delivered.
    public func keys(
        for delivery: WebhookDelivery, of verifier: DeliveryVerifier
    ) async throws(KeyResolutionError) -> ResolvedKeys {
        keys
    }
}
