package import EventLog

/// A schema for tests: streams of tallies that are opened, added to and closed.
///
/// `digest` takes every record's position and type in, so that two states are equal only when the
/// same records were folded.
package enum TallySchema: LogSchema {
    package struct State: Sendable, Hashable {
        package var count: UInt64
        package var sum: Int64
        package var digest: UInt64
        package var openedAt: Int64?
        package var closedAt: UInt64?
        package var links: [UInt64]

        package init(
            count: UInt64 = 0, sum: Int64 = 0, digest: UInt64 = 0, openedAt: Int64? = nil,
            closedAt: UInt64? = nil, links: [UInt64] = []
        ) {
            self.count = count
            self.sum = sum
            self.digest = digest
            self.openedAt = openedAt
            self.closedAt = closedAt
            self.links = links
        }
    }

    package static let opened: UInt16 = 1
    package static let added: UInt16 = 2
    package static let closed: UInt16 = 3
    package static let linked: UInt16 = 700

    package static var foldVersion: UInt32 { 1 }
    package static var initialState: State { State() }

    package static func fold(
        _ record: borrowing RecordView, into state: inout State, changes: inout ProjectionChanges
    ) {
        state.count += 1
        state.sum += record.domain(0, as: Int64.self)
        state.digest &+= (record.position &+ 1) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(record.type)
        switch record.type {
        case opened: state.openedAt = record.recordedAt
        case closed:
            state.closedAt = record.position
            let stream = record.stream
            changes.addOutcome(at: record.position) { row in
                withUnsafeBytes(of: stream.littleEndian) { row.append(contentsOf: $0) }
            }
        case linked:
            let other: UInt64 = record.domain(8)
            if !state.links.contains(other) { state.links.append(other) }
        default: break
        }
    }

    package static func merge(_ later: State, into earlier: inout State) -> Bool {
        // Some are refused, so that both ways to join ranges are taken.
        if later.count.isMultiple(of: 3) { return false }
        earlier.count += later.count
        earlier.sum += later.sum
        earlier.digest &+= later.digest
        earlier.openedAt = later.openedAt ?? earlier.openedAt
        earlier.closedAt = later.closedAt ?? earlier.closedAt
        for link in later.links where !earlier.links.contains(link) { earlier.links.append(link) }
        return true
    }

    package static func encode(_ state: State, into bytes: inout [UInt8]) {
        put(state.count, &bytes)
        put(state.sum, &bytes)
        put(state.digest, &bytes)
        put(state.openedAt ?? .min, &bytes)
        put(state.closedAt ?? .max, &bytes)
        for link in state.links { put(link, &bytes) }
    }

    package struct Malformed: Error {}

    package static func decode(_ bytes: UnsafeRawBufferPointer) throws -> State {
        guard bytes.count >= 40, bytes.count.isMultiple(of: 8) else { throw Malformed() }
        let words = stride(from: 0, to: bytes.count, by: 8).map {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
        }
        let openedAt = Int64(bitPattern: words[3])
        return State(
            count: words[0], sum: Int64(bitPattern: words[1]), digest: words[2],
            openedAt: openedAt == .min ? nil : openedAt,
            closedAt: words[4] == .max ? nil : words[4], links: Array(words[5...]))
    }

    package static func openedAt(_ state: State) -> Int64? {
        state.closedAt == nil ? state.openedAt : nil
    }

    package static func links(_ state: State) -> [UInt64] { state.links }

    package static func linkDraft(to other: UInt64) -> EventDraft {
        var domain = DomainArea()
        domain.store(other, at: 8)
        return EventDraft(type: linked, eventID: EventID(value: 0), domain: domain)
    }

    package static var emptySummary: Int64 { 0 }

    package static func summarise(_ record: borrowing RecordView, into summary: inout Int64) {
        summary += record.domain(0, as: Int64.self)
    }

    package static func encodeSummary(_ summary: Int64, into bytes: inout [UInt8]) {
        put(summary, &bytes)
    }

    package static func decodeSummary(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        guard bytes.count == 8 else { throw Malformed() }
        return Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))
    }

    package static func statesAreEqual(_ first: State, _ second: State) -> Bool { first == second }

    private static func put(_ value: some FixedWidthInteger, _ bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// Drafts and identities in few words.
package enum Tally {
    package static func draft(
        _ type: UInt16 = TallySchema.added, amount: Int64 = 1, dedupe: UInt128 = 0,
        cause: EventDraft.Cause = .none, payload: [UInt8] = [], id: UInt128 = 7
    ) -> EventDraft {
        var domain = DomainArea()
        domain.store(amount, at: 0)
        return EventDraft(
            type: type, eventID: EventID(value: id), dedupe: DedupeHash(value: dedupe),
            cause: cause, domain: domain, payload: payload)
    }

    package static func key(_ name: String) -> [UInt8] { Array(name.utf8) }

    package static func joins(_ name: String) -> StreamIdentity {
        StreamIdentity(key: key(name), role: .joins)
    }

    package static func routes(_ name: String) -> StreamIdentity {
        StreamIdentity(key: key(name), role: .routes)
    }

    package static func finds(_ name: String) -> StreamIdentity {
        StreamIdentity(key: key(name), role: .finds)
    }

    package static func request(
        _ names: String..., drafts: [EventDraft] = [draft()], expected: ExpectedRevision = .any
    ) -> AppendRequest {
        AppendRequest(identities: names.map(joins), drafts: drafts, expected: expected)
    }
}

package typealias TallyLog<Store: LogStore> = EventLog<TallySchema, Store>
