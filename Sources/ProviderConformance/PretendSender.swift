package import CheckoutModel
package import ProviderKit

/// Says and signs what a provider would, for a receiver whose own secret is known.
///
/// The fixtures that the checks are made with do the work, so a trial looks exactly as the provider
/// was found to look. Pure; sends nothing.
package struct PretendSender: Sendable {
    let fixtures: any ProviderFixtures
    let vectors: ConformanceVectors

    package init(_ fixtures: any ProviderFixtures, vectors: [UInt8]) {
        self.init(fixtures, ConformanceVectors(json: vectors))
    }

    init(_ fixtures: any ProviderFixtures, _ vectors: ConformanceVectors) {
        self.fixtures = fixtures
        self.vectors = vectors
    }

    /// One thing to be told.
    package struct Story: Sendable {
        /// What happened.
        package var kind: EventSample.Kind
        /// The provider's id of the event.
        package var eventID: String
        /// Picks the ids of what it happened to; the same number names the same checkout.
        package var number: Int
        /// The session's id in the place of the one that the number gives.
        package var session: String?
        package var occurredAt: Instant
        package var mode: ProviderMode

        package init(
            _ kind: EventSample.Kind, eventID: String, number: Int, session: String?,
            occurredAt: Instant, mode: ProviderMode
        ) {
            self.kind = kind
            self.eventID = eventID
            self.number = number
            self.session = session
            self.occurredAt = occurredAt
            self.mode = mode
        }
    }

    /// What this provider's webhooks tell, in the order of the vocabulary.
    package var kinds: [EventSample.Kind] {
        let told = Set(vectors.webhook?.events ?? [])
        return EventSample.Kind.all.filter { told.contains($0) }
    }

    /// The body that tells a story; nil when the provider does not tell such.
    package func body(_ story: Story) -> [UInt8]? {
        var ids = fixtures.ids(story.number)
        if let session = story.session {
            // Where a payment is called as its session, both take the new name.
            if ids.payment == ids.session { ids.payment = session }
            ids.session = session
        }
        var sample = EventSample(
            kind: story.kind, eventID: story.eventID, ids: ids, amount: Examination.amount,
            occurredAt: story.occurredAt, mode: story.mode, email: "pretend@shop.example")
        if let code = vectors.webhook?.currencies.first, let currency = Currency(code) {
            sample.amount = SampleAmount(Money(minorUnits: 1990, currency: currency))
        }
        return fixtures.body(sample)
    }

    /// The body signed with a key of the receiver's; nil when this provider signs nothing.
    ///
    /// Whether the receiver believes it is for its verifier to say: a key that only checks, as the
    /// public half of a pair does, signs nothing that holds.
    package func delivery(
        _ body: [UInt8], id: String, at time: Instant, key: [UInt8]
    ) -> WebhookDelivery? {
        fixtures.delivery(
            DeliverySigning(
                body: body, deliveryID: id, time: time,
                key: FixtureKey(secrets: [:], signing: key)))
    }
}

extension EventSample.Kind {
    /// What comes before this in the life of a checkout, the latest first: what a webhook that
    /// arrives too early overtakes.
    package var predecessors: [EventSample.Kind] {
        switch self {
        case .payment(.pending), .authorized, .unknownType, .sessionExpired: []
        case .payment, .captured: [.authorized, .payment(.pending)]
        case .refund(.pending), .dispute(.opened): [.captured, .payment(.succeeded)]
        case .refund: [.refund(.pending), .captured, .payment(.succeeded)]
        case .dispute: [.dispute(.opened), .captured, .payment(.succeeded)]
        case .subscription(.pending), .subscription(.active): []
        case .subscription: [.subscription(.active)]
        }
    }
}
