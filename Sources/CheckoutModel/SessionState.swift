/// One session as the log has it so far: what was heard, and where in the log it stands.
public struct SessionState: Sendable, Hashable {
    /// What was heard, independent of order and repetition.
    public var evidence = SessionEvidence()
    /// Where it stands in the log; outside the laws of the join.
    public var trace = SessionTrace()

    /// Nothing heard yet.
    public init() {}
}

/// Where a session's events stand in the log.
///
/// Depends on order by nature, so it is kept apart from `SessionEvidence`.
public struct SessionTrace: Sendable, Hashable {
    /// How many events the stream has.
    public var eventCount: UInt32 = 0
    /// Position of the first event; `UInt64.max` before one.
    public var firstPosition: UInt64 = .max
    /// Position of the last event.
    public var lastPosition: UInt64 = 0
    /// When the last event was recorded, microseconds since 1970.
    public var lastRecordedAt: Int64 = .min
    /// When the page was first shown, or about to be, by the app's clock; `Int64.max` before that.
    public var openedAt: Int64 = .max
    /// Position of the first event that names the session; `UInt64.max` before one.
    public var namedAt: UInt64 = .max
    /// Position of the evidence that made the present outcome; `UInt64.max` without one.
    public var outcomeAt: UInt64 = .max
    /// Streams joined to this one, ascending.
    public var links: [UInt64] = []

    /// Nothing seen yet.
    public init() {}

    /// Takes in the trace of a disjoint, later part of the same stream.
    public mutating func merge(_ later: SessionTrace) {
        // Wraps: the count of a damaged row may be anything, and reading it must not trap.
        eventCount &+= later.eventCount
        firstPosition = min(firstPosition, later.firstPosition)
        lastPosition = max(lastPosition, later.lastPosition)
        lastRecordedAt = max(lastRecordedAt, later.lastRecordedAt)
        openedAt = min(openedAt, later.openedAt)
        namedAt = min(namedAt, later.namedAt)
        if later.outcomeAt != .max { outcomeAt = later.outcomeAt }
        for link in later.links { insert(link: link) }
    }

    /// Adds a joined stream once, keeping the order.
    public mutating func insert(link: UInt64) {
        var index = 0
        while index < links.count, links[index] < link { index += 1 }
        if index == links.count || links[index] != link { links.insert(link, at: index) }
    }
}

extension SessionState {
    /// True while the session was shown, or may have been, and nothing final is known: what
    /// `AbandonedSessions` holds.
    public var isAwaitingOutcome: Bool {
        let begun: SessionEvidence.Marks = [.seen, .started, .failedToOpen]
        return !evidence.marks.isDisjoint(with: begun) && !evidence.marks.contains(.cleared)
            && evidence.outcome == nil
    }
}
