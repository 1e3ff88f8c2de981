package import ProviderKit

/// Fixtures whose messages depend on who receives them: on its account, its address or a key that
/// is not the one that signs.
package protocol AddressedFixtures: ProviderFixtures {
    /// The same side of the provider, speaking to a receiver that is known by `url`; empty where no
    /// URL is known.
    func speaking(to receiver: DeliveryVerifier, at url: String) -> Self
}

extension PretendSender {
    /// The same provider, speaking to a receiver.
    package func speaking(to receiver: DeliveryVerifier, at url: String) -> PretendSender {
        guard let addressed = fixtures as? any AddressedFixtures else { return self }
        return PretendSender(addressed.speaking(to: receiver, at: url), vectors)
    }
}
