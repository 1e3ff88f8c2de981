import CheckoutModel

/// What a list needs to know of one stored webhook.
struct DeliveryDigest: Sendable, Hashable {
    /// Position of the record that holds it.
    var position: UInt64
    var stream: UInt64
    /// When it arrived, µs since 1970.
    var recordedAt: Int64
    var verdict: DeliveryVerdict
    /// True when it told of something older than what a webhook had told before.
    var isLate = false
}

/// What became of a stored webhook.
///
/// One that came again with the same id and bytes is acknowledged and not stored a second time.
enum DeliveryVerdict: UInt8, Sendable, Hashable, CaseIterable {
    case recorded
    case unhandled
    case refused
    case conflicting
    case quarantined

    /// Nil for what is no first record of a delivery.
    init?(_ type: EventType, isUnhandled: Bool) {
        switch type {
        case .deliveryReceived: self = isUnhandled ? .unhandled : .recorded
        case .deliveryRefused: self = .refused
        case .deliveryConflicted: self = .conflicting
        case .deliveryQuarantined: self = .quarantined
        default: return nil
        }
    }

    /// The word on pages, in addresses and in JSON; the same as in the terminal.
    var name: String {
        switch self {
        case .recorded: "ok"
        case .unhandled: "unknown"
        case .refused: "refused"
        case .conflicting: "conflicting"
        case .quarantined: "quarantined"
        }
    }

    var sentence: String {
        switch self {
        case .recorded: "Its signature held; what it means was applied."
        case .unhandled: "Its signature held; its type means nothing for a checkout. It is kept."
        case .refused: "Its signature did not hold. It is kept, sealed, and changes nothing."
        case .conflicting: "Its id had come with other bytes. It is kept and not applied."
        case .quarantined: "It is genuine and could not be applied. It is kept."
        }
    }
}
