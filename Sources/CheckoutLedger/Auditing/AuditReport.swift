public import CheckoutModel
import EventLog

/// One of the questions that auditors ask of a ledger, with the answer's columns.
public struct AuditReport: Sendable {
    /// Its stable name, `Q1` to `Q24`.
    public let id: String
    /// A few words.
    public let title: String
    /// What it answers, in one sentence.
    public let question: String
    /// What an answer without a row means, in one sentence.
    public let nothingFound: String
    /// Names of the values of a row, in order.
    public let columns: [String]
    let run: @Sendable (AuditRun) throws(LedgerError) -> Void

    /// Every report, in order.
    public static let all: [AuditReport] =
        histories + overrides + moneyReports + deliveryReports + timeReports + careReports

    /// The report of that name, whatever the case of its letter.
    public static func named(_ id: String) -> AuditReport? {
        all.first { $0.id == id.uppercased() }
    }
}

/// What a report is asked about; every condition that is given must hold.
public struct AuditScope: Sendable, Hashable {
    /// One session, by any of its ids, or else an order.
    public var session: String?
    /// Recorded at or after.
    public var since: Instant?
    /// Recorded before.
    public var until: Instant?
    /// Only what this person or role did.
    public var actor: String?
    /// The caller's clock, against which ages are told.
    public var now: Instant

    /// Everything, as of an instant.
    public init(now: Instant) { self.now = now }

    /// The conditions in words, for the record of the reading.
    public var words: String {
        [
            session.map { "session \($0)" }, since.map { "since \($0.iso8601)" },
            until.map { "until \($0.iso8601)" }, actor.map { "actor \($0)" },
        ].compactMap(\.self).joined(separator: ", ")
    }
}

/// One value of a report's row.
public enum AuditValue: Sendable, Hashable {
    /// There is none.
    case none
    /// Words, an id, a name.
    case text(String)
    /// A count, a position, seconds.
    case integer(Int64)
    /// A moment.
    case time(Instant)

    /// As a cell of a table: times in UTC.
    public var text: String {
        switch self {
        case .none: ""
        case .text(let text): text
        case .integer(let value): String(value)
        case .time(let instant): instant.iso8601
        }
    }

    static func text(_ value: String?) -> AuditValue { value.map { .text($0) } ?? .none }
    static func position(_ value: UInt64) -> AuditValue { .integer(Int64(clamping: value)) }
    static func time(_ value: Instant?) -> AuditValue { value.map { .time($0) } ?? .none }
    static func seconds(_ microseconds: Int64) -> AuditValue { .integer(microseconds / 1_000_000) }
    static func units(_ money: Money?) -> AuditValue {
        money.map { .integer($0.minorUnits) } ?? .none
    }
    static func currency(_ money: Money?) -> AuditValue { .text(money?.currency.code) }
}

/// What a report looked at, so that its answer can be judged.
public struct AuditCoverage: Sendable, Hashable {
    /// The positions that the conditions leave, half open.
    public let positions: Range<UInt64>
    /// Recorded times of the first and the last of them; nil where there is none to be read.
    public let first: Instant?
    /// See `first`.
    public let last: Instant?
    /// Rows that came of it.
    public let rows: Int
}

/// One report on its way: what it is asked, what it may ask the ledger, and where its rows go.
struct AuditRun {
    let source: any AuditSource
    let scope: AuditScope
    /// The positions between the scope's times.
    let positions: Range<UInt64>
    let emit: ([AuditValue]) throws(LedgerError) -> Void

    /// Lends the events that the scope leaves, of these types; all types when none is named.
    func forEachEvent(
        _ types: [EventType] = [], _ body: (RecordedEvent) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        var query = AuditQuery()
        query.types = types
        query.positions = positions
        query.session = scope.session
        try source.forEachEvent(matching: query) { (event) throws(LedgerError) in
            if let actor = scope.actor, event.event.actor != actor { return .more }
            try body(event)
            return .more
        }
    }

    /// Lends the sessions that the scope leaves: those with an event between its times.
    func forEachSession(_ body: (Session) throws(LedgerError) -> Void) throws(LedgerError) {
        let only = try scope.session.map { (name) throws(LedgerError) in
            try source.session(named: name, asOf: .now)
        }
        try source.forEachSession(asOf: .now) { (session) throws(LedgerError) in
            if let only, only.streams != session.streams { return .more }
            let trace = session.state.trace
            if trace.firstPosition < positions.upperBound,
                trace.lastPosition >= positions.lowerBound
            {
                try body(session)
            }
            return .more
        }
    }
}

/// What reports ask of a ledger, whatever it is stored in.
protocol AuditSource: Sendable {
    func forEachEvent(
        matching query: AuditQuery, _ body: (RecordedEvent) throws(LedgerError) -> ScanStep
    ) throws(LedgerError)
    func forEachSession(
        asOf moment: LedgerMoment, _ body: (Session) throws(LedgerError) -> ScanStep
    ) throws(LedgerError)
    func forEachAbandonedSession(
        asOf instant: Instant, olderThan patience: Int64, known moment: LedgerMoment,
        _ body: (AbandonedSession) throws(LedgerError) -> ScanStep
    ) throws(LedgerError)
    func session(named name: String, asOf moment: LedgerMoment) throws(LedgerError) -> Session
    func timeline(
        of name: String, asOf moment: LedgerMoment
    ) throws(LedgerError) -> (session: Session, events: [RecordedEvent])
    func streamsOfOrdersPaidTwice(asOf moment: LedgerMoment) throws(LedgerError) -> Set<UInt64>
    func positions(since: Instant?, until: Instant?) throws(LedgerError) -> Range<UInt64>
    func event(at position: UInt64) throws(LedgerError) -> RecordedEvent
    func forEachPlace(
        in positions: Range<UInt64>, _ body: (RecordPlace) throws(LedgerError) -> Void
    ) throws(LedgerError)
    func seals() throws(LedgerError) -> [Seal]
    func outsideSeals() throws(LedgerError) -> [OutsideSeals.Kept]
}

extension Ledger: AuditSource {}

extension Ledger {
    /// Answers a report, row by row, and tells what it covered.
    ///
    /// Constant memory but for reports that must compare everything with everything, which say so.
    /// Throws `NOT_FOUND` for a session that is not there, and what `row` throws.
    public func audit(
        _ report: AuditReport, _ scope: AuditScope,
        row: ([AuditValue]) throws(LedgerError) -> Void
    ) throws(LedgerError) -> AuditCoverage {
        var scope = scope
        if let name = scope.session { scope.session = try auditedSession(name) }
        let positions = try positions(since: scope.since, until: scope.until)
        var rows = 0
        try withoutActuallyEscaping(row) { (row) throws(LedgerError) in
            let count = Counter()
            let run = AuditRun(source: self, scope: scope, positions: positions) {
                (values) throws(LedgerError) in
                count.value += 1
                try row(values)
            }
            try report.run(run)
            rows = count.value
        }
        // A report on what is missing may begin or end with it.
        let first = positions.isEmpty ? nil : try? event(at: positions.lowerBound).recordedAt
        let last = positions.isEmpty ? nil : try? event(at: positions.upperBound - 1).recordedAt
        return AuditCoverage(positions: positions, first: first, last: last, rows: rows)
    }

    /// Lends the places of the records that can be read.
    func forEachPlace(
        in positions: Range<UInt64>, _ body: (RecordPlace) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        do {
            try log.read { snapshot in
                try snapshot.forEachPlace(in: positions) { place in
                    try body(place)
                    return .more
                }
            }
        } catch {
            throw LedgerError(any: error)
        }
    }

    /// The session of that name; of an order, its only session.
    private func auditedSession(_ name: String) throws(LedgerError) -> String {
        do throws(LedgerError) {
            return try session(named: name).qualifiedName
        } catch {
            guard error.code == .notFound else { throw error }
            var query = AuditQuery()
            query.order = name
            var found: [UInt64] = []
            var names: [String] = []
            try forEachEvent(matching: query) { (event) throws(LedgerError) in
                if !found.contains(event.stream), let id = event.event.ids.session {
                    found.append(event.stream)
                    names.append(id)
                }
                return .more
            }
            guard let first = names.first else { throw error }
            guard names.count == 1 else {
                throw LedgerError(
                    .ambiguous, "The order has \(names.count) sessions.", hint: "Name one of them.")
            }
            return try session(named: first).qualifiedName
        }
    }

    /// Every seal that was issued, by size.
    func seals() throws(LedgerError) -> [Seal] {
        do throws(LogError) { return try log.seals() } catch { throw LedgerError(error) }
    }

    /// The positions recorded between two times.
    package func positions(
        since: Instant?, until: Instant?
    ) throws(LedgerError) -> Range<UInt64> {
        var query = AuditQuery()
        query.since = since
        query.until = until
        return try read { (snapshot) throws(LedgerError) in try snapshot.range(of: query) }
    }
}

/// A number that a closure counts up.
private final class Counter {
    var value = 0
}
