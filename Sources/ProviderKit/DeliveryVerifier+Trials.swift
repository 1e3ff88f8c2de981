extension DeliveryVerifier {
    /// One way in which a signature might fit, and whether it does.
    package struct Trial: Sendable, Hashable {
        /// What was tried, for a person.
        package let name: String
        /// True when the signature fits then; never a reason to accept the delivery.
        package let fits: Bool
    }

    /// What is tried on a delivery to find out why it was refused, each by itself.
    ///
    /// For a person at a terminal; computes some dozens of codes over the body.
    package func trials(of delivery: WebhookDelivery) -> [Trial] {
        [Trial(name: "as received", fits: holdsAsReceived(delivery))]
            + usualMistakes(of: delivery).map { Trial(name: $0.name, fits: $0.find() != nil) }
    }

    /// The bytes that the receiver checks webhooks with, where they also sign: what a trial of our
    /// own is signed with.
    package var signingKeys: [[UInt8]] {
        type(of: provider).descriptor.secretRules.filter(\.verifies).flatMap { rule in
            secrets.keys(rule.role).filter { $0.ed25519 == nil && $0.rsa == nil }.map(\.bytes)
        }
    }

    /// What opens that which the provider seals: what a trial of our own is sealed with.
    package var sealingKeys: [[UInt8]] { secrets.keys(.decryptionKey).map(\.bytes) }
}
