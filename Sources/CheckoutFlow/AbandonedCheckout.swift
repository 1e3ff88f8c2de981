public import CheckoutModel

/// A checkout whose end is not known, and whether it can still be paid.
///
/// No outcome: a session that is too old may have been paid while it was not, so ask the server
/// about it like about any other.
public struct AbandonedCheckout: Sendable, Hashable {
    /// What the journal has of it.
    public let session: JournaledSession
    /// The last moment at which its page can have been paid; nil when that is not known.
    ///
    /// What the host said at the start, else what is known of the provider: then the session may
    /// have ended sooner.
    public let payableUntil: Instant?
    /// True when that moment is over, by the flow's clock: a new try needs a new session.
    public let isPastLife: Bool

    /// Which checkout.
    public var key: SessionKey { session.key }

    /// Judges a session at a moment; also for tests of an app.
    ///
    /// `lifeSeconds`: how long the provider's sessions can be paid, from their making. Counted here
    /// from the start, which is later, so that no session is called old too soon.
    public init(_ session: JournaledSession, lifeSeconds: Int64?, at now: Instant) {
        self.session = session
        let end = lifeSeconds.map { seconds in
            Instant(microseconds: session.startedAt.microseconds &+ seconds &* 1_000_000)
        }
        payableUntil = [session.started.expiresAt, end].compactMap(\.self).min()
        isPastLife = payableUntil.map { $0 < now } ?? false
    }
}
