public import CheckoutModel

/// What a provider's event has around its object: its name, its type, its time, whose it is.
///
/// For adapters whose bodies have all of that once, at the top.
public struct EventEnvelope: Sendable {
    /// The provider's id of the event.
    public let id: String
    /// The provider's own name of the event.
    public let type: String
    /// When it was made; nil when not told or not readable.
    public let createdAt: Instant?
    /// Live or test.
    public let mode: ProviderMode
    /// The account that the event names; nil when it names none.
    public let account: String?

    /// States what stands around the object.
    public init(
        id: String, type: String, createdAt: Instant?, mode: ProviderMode, account: String? = nil
    ) {
        self.id = id
        self.type = type
        self.createdAt = createdAt
        self.mode = mode
        self.account = account
    }

    /// One thing that the event says.
    ///
    /// `part` tells several of one event apart; `time` and `account` are told where the object
    /// knows them better.
    public func event(
        _ kind: ProviderEvent.Kind, at time: Instant? = nil, ids: ProviderIDs = ProviderIDs(),
        part: String? = nil, account: String? = nil, rawStatus: String?,
        privateFields: PrivateFields = PrivateFields()
    ) -> ProviderEvent {
        ProviderEvent(
            key: DedupeKey(rawValue: part.map { "\(id)#\($0)" } ?? id), kind: kind,
            occurredAt: time ?? createdAt, mode: mode, ids: ids, account: account ?? self.account,
            rawType: type, rawStatus: rawStatus, privateFields: privateFields)
    }
}
