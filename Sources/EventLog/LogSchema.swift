/// What a log's events mean: the state of a stream, how a record folds into it, and its rows.
///
/// Every function is pure: no clock, no randomness, no I/O, no dictionary order. The log calls them
/// from several threads.
public protocol LogSchema: Sendable {
    /// The folded state of one stream; a value.
    associatedtype State: Sendable
    /// The schema's part of a block's summary; a value.
    associatedtype Summary: Sendable

    /// A changed version has all projections rebuilt at the next opening.
    static var foldVersion: UInt32 { get }
    /// The state of a stream without events.
    static var initialState: State { get }

    /// Takes one record into its stream's state.
    static func fold(
        _ record: borrowing RecordView, into state: inout State, changes: inout ProjectionChanges)
    /// Joins what two neighbouring ranges of one stream folded to, the later one from nothing.
    ///
    /// False, with `earlier` as it was, where the two do not tell what folding the later range's
    /// records onto `earlier` would give: then that is done.
    static func merge(_ later: State, into earlier: inout State) -> Bool

    /// Adds the state's stored form to `bytes`.
    static func encode(_ state: State, into bytes: inout [UInt8])
    /// Reads the stored form back; any error it throws is reported as damage.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws -> State

    /// When the stream was opened, µs; it has a row among the open ones while this is not nil.
    static func openedAt(_ state: State) -> Int64?

    /// The streams that the state's records joined to this one, directly.
    static func links(_ state: State) -> [UInt64]
    /// The event that joins the stream to another; the log gives it an event id of its own.
    static func linkDraft(to other: UInt64) -> EventDraft

    /// The identities that a record names, as the request that appended it did.
    ///
    /// Read when a log is restored from its records, which hold everything, and when it is
    /// verified: the identities of a request must be the union of what its records say here.
    static func identities(of record: borrowing RecordView) -> [StreamIdentity]

    /// The summary of no events.
    static var emptySummary: Summary { get }
    /// Takes one record into a block's summary.
    static func summarise(_ record: borrowing RecordView, into summary: inout Summary)
    /// Adds the summary's stored form to `bytes`.
    static func encodeSummary(_ summary: Summary, into bytes: inout [UInt8])
    /// Reads the stored form back; any error it throws is reported as damage.
    static func decodeSummary(_ bytes: UnsafeRawBufferPointer) throws -> Summary

    /// Whether two states say the same; verification compares rows with fresh folds by it.
    static func statesAreEqual(_ first: State, _ second: State) -> Bool
}

extension LogSchema {
    /// None: after a restoration such a log's streams are found by number only.
    public static func identities(of record: borrowing RecordView) -> [StreamIdentity] { [] }
}

/// What folding one record changed beside its stream's state.
public struct ProjectionChanges: Sendable {
    /// One row of the outcomes, found by the position of the record that made it.
    public struct Outcome: Sendable, Hashable {
        /// Position of the record that made it.
        public let position: UInt64
        /// The schema's own form.
        public let row: [UInt8]
    }

    /// Rows in the order of their positions; empty unless rows are wanted.
    public internal(set) var outcomes: [Outcome] = []
    /// False where only states are wanted; then rows are dropped unmade.
    public let wantsOutcomes: Bool

    /// Also for tests of a schema.
    public init(wantsOutcomes: Bool = true) { self.wantsOutcomes = wantsOutcomes }

    /// Adds the row of the record being folded; at most one for each record.
    @inlinable
    public mutating func addOutcome(at position: UInt64, _ write: (inout [UInt8]) -> Void) {
        guard wantsOutcomes else { return }
        var row: [UInt8] = []
        write(&row)
        add(position, row)
    }

    @usableFromInline
    mutating func add(_ position: UInt64, _ row: [UInt8]) {
        precondition(outcomes.last.map { $0.position < position } ?? true)
        outcomes.append(Outcome(position: position, row: row))
    }
}
