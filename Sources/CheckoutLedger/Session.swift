public import CheckoutModel

/// One checkout as the ledger knows it: every stream that turned out to be it, joined.
public struct Session: Sendable, Hashable {
    /// The streams it is made of; the one that carries the session's name first.
    public let streams: [UInt64]
    /// The provider and account it belongs to.
    public let scope: AccountScope
    /// Every id that was heard of it, in order of first mention.
    public let ids: SessionIDs
    /// What was heard, joined, and where it stands in the log.
    public let state: SessionState

    /// The session's id; failing that its payment's, refund's … the name people use for it.
    public var name: String { ids.name ?? "stream-\(streams.first ?? 0)" }

    /// The name with its provider, such as `dodo/cks_…`.
    public var qualifiedName: String { "\(scope)/\(name)" }

    /// What is held true; nil while nothing is known for certain.
    public var outcome: SessionOutcome? { state.evidence.outcome }

    /// False for a stream that tells of no checkout: a refused or unhandled delivery, a lone note.
    public var isCheckout: Bool {
        !ids.sessions.isEmpty || !ids.payments.isEmpty || !ids.refunds.isEmpty
            || !ids.disputes.isEmpty || !ids.subscriptions.isEmpty
    }

    /// The ids under which a further event finds this session.
    var routingIDs: ProviderIDs {
        var routing = ProviderIDs()
        routing.session = ids.sessions.first
        if routing.session == nil { routing.payment = ids.payments.first }
        if routing.session == nil, routing.payment == nil {
            routing.refund = ids.refunds.first
            routing.dispute = ids.disputes.first
            routing.subscription = ids.subscriptions.first
        }
        return routing
    }
}

/// Every id that was heard of one session, each once, in order of first mention.
public struct SessionIDs: Sendable, Hashable {
    /// The hosted checkout's own; more than one only where streams were joined.
    public var sessions: [String] = []
    /// Attempts to pay.
    public var payments: [String] = []
    /// Refunds.
    public var refunds: [String] = []
    /// Disputes.
    public var disputes: [String] = []
    /// Subscriptions.
    public var subscriptions: [String] = []
    /// The merchant's own references.
    public var orders: [String] = []
    /// The provider's customers.
    public var customers: [String] = []
    /// Deliveries that came with no other id.
    public var deliveries: [String] = []

    /// Nothing heard yet.
    public init() {}

    /// The id that names the session.
    var name: String? {
        sessions.first ?? payments.first ?? refunds.first ?? disputes.first
            ?? subscriptions.first ?? deliveries.first
    }

    mutating func add(_ ids: ProviderIDs, delivery: String?) {
        Self.add(ids.session, to: &sessions)
        Self.add(ids.payment, to: &payments)
        Self.add(ids.refund, to: &refunds)
        Self.add(ids.dispute, to: &disputes)
        Self.add(ids.subscription, to: &subscriptions)
        Self.add(ids.order, to: &orders)
        Self.add(ids.customer, to: &customers)
        Self.add(delivery, to: &deliveries)
    }

    private static func add(_ id: String?, to list: inout [String]) {
        guard let id, !list.contains(id) else { return }
        list.append(id)
    }
}
