import EventLog
import EventLogTestKit

/// The tally schema with another fold: amounts count twice.
enum DoublingSchema: LogSchema {
    typealias State = TallySchema.State
    typealias Summary = Int64
    static var foldVersion: UInt32 { 2 }
    static var initialState: State { State() }

    static func fold(
        _ record: borrowing RecordView, into state: inout State, changes: inout ProjectionChanges
    ) {
        TallySchema.fold(record, into: &state, changes: &changes)
        state.sum += record.domain(0, as: Int64.self)
    }

    static func merge(_ later: State, into earlier: inout State) -> Bool {
        TallySchema.merge(later, into: &earlier)
    }

    static func encode(_ state: State, into bytes: inout [UInt8]) {
        TallySchema.encode(state, into: &bytes)
    }

    static func decode(_ bytes: UnsafeRawBufferPointer) throws -> State {
        try TallySchema.decode(bytes)
    }

    static func openedAt(_ state: State) -> Int64? { TallySchema.openedAt(state) }
    static func links(_ state: State) -> [UInt64] { state.links }
    static func linkDraft(to other: UInt64) -> EventDraft { TallySchema.linkDraft(to: other) }
    static var emptySummary: Int64 { 0 }

    static func summarise(_ record: borrowing RecordView, into summary: inout Int64) {
        TallySchema.summarise(record, into: &summary)
    }

    static func encodeSummary(_ summary: Int64, into bytes: inout [UInt8]) {
        TallySchema.encodeSummary(summary, into: &bytes)
    }

    static func decodeSummary(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        try TallySchema.decodeSummary(bytes)
    }

    static func statesAreEqual(_ first: State, _ second: State) -> Bool { first == second }
}
