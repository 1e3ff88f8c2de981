public import CheckoutModel

/// Which events an audit asks for; every condition that is given must hold.
public struct AuditQuery: Sendable, Hashable {
    /// One session, by any name `Ledger.session(named:)` takes.
    public var session: String?
    /// The merchant's own reference; several sessions may share it.
    public var order: String?
    /// One payment, by the provider's id.
    public var payment: String?
    /// Kinds of events; empty for all.
    public var types: [EventType] = []
    /// Whose voices; empty for all.
    public var sources: [EventSource] = []
    /// How well known; empty for all.
    public var evidence: [Evidence] = []
    /// Providers; empty for all.
    public var providers: [ProviderID] = []
    /// Recorded at or after.
    public var since: Instant?
    /// Recorded before.
    public var until: Instant?
    /// Positions, half open.
    public var positions: Range<UInt64>?

    /// Every event.
    public init() {}

    func holds(_ event: RecordedEvent) -> Bool {
        let said = event.event
        return (types.isEmpty || types.contains(said.type))
            && (sources.isEmpty || sources.contains(said.source))
            && (evidence.isEmpty || evidence.contains(said.evidence))
            && (providers.isEmpty || providers.contains(said.provider))
            && (payment == nil || said.ids.payment == payment)
    }
}
