import CheckoutLedger
import CheckoutModel
import EventLog

/// The rows of a sound ledger, made once and put into a store of its own for each input.
struct SoundStore: Sendable {
    enum Key: Sendable, Hashable {
        case number(UInt64)
        case bytes([UInt8])
    }

    struct Row: Sendable, Hashable {
        let table: LogTable
        let key: Key
        var value: [UInt8]
    }

    let rows: [Row]

    static let shared = make()

    private static func make() -> SoundStore {
        do {
            let store = InMemoryStore()
            let log = try EventLog<CheckoutSchema, InMemoryStore>(store: store)
            _ = try log.appendBlocking(story)
            try log.checkpoint()
            // Beyond the rows, so that readers have a tail to fold.
            try log.projection(Streams()).catchUp()
            _ = try log.appendBlocking([request("cks_3", .paymentSucceeded, 30)])
            log.close()
            try store.write { (writer) throws(LogError) in try moveSome(writer) }
            return SoundStore(rows: try read(store))
        } catch {
            fatalError("the sound store cannot be made: \(error)")
        }
    }

    /// Gives two of the identities their rows, as a log does that has many: they stand in both.
    private static func moveSome(_ writer: InMemoryStore.Writer) throws(LogError) {
        let zero = [UInt8](repeating: 0, count: 8)
        let route = [0] + Array("cks_1".utf8)
        let share = [1, 0, 3] + Array("o-1".utf8) + zero
        let empty: [UInt8] = []
        try writer.put(.ids, route.span.bytes, zero.span.bytes)
        try writer.put(.ids, share.span.bytes, empty.span.bytes)
    }

    private static var story: [AppendRequest] {
        [
            request("cks_1", .sessionOpened, 1), request("cks_1", .paymentFailed, 2),
            request("cks_1", .paymentSucceeded, 3), request("cks_1", .refundSucceeded, 4),
            request("cks_2", .paymentSucceeded, 5), request("cks_3", .sessionOpened, 6),
            request("cks_2", .operatorResolved, 7), request("cks_1", .disputeOpened, 8),
            // Two names in one request: the streams turn out to be one checkout.
            request("cks_3", .paymentPending, 9, also: "cks_2"),
        ]
    }

    static func request(
        _ session: String, _ type: EventType, _ number: UInt64, also: String? = nil
    ) -> AppendRequest {
        let event = CheckoutEvent(
            type, source: .webhook, evidence: .verified,
            occurredAt: Instant(seconds: Int64(number)), provider: "dodo",
            ids: ProviderIDs(session: session, payment: "pay_1", order: "o-1"),
            amount: Currency("EUR").map { Money(minorUnits: 100, currency: $0) },
            status: type == .operatorResolved ? .failed : nil)
        var area = [UInt8](repeating: 0, count: Fact.byteCount)
        area.withUnsafeMutableBytes {
            Fact(event, selfReference: EventReference(rawValue: number)).encode(into: $0)
        }
        var domain = DomainArea()
        for offset in stride(from: 0, to: Fact.byteCount, by: 8) {
            let word = area.withUnsafeBytes {
                UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            domain.store(word, at: offset)
        }
        let names = [session] + (also.map { [$0] } ?? [])
        return AppendRequest(
            identities: names.map { StreamIdentity(key: Array($0.utf8), role: .joins) }
                + [StreamIdentity(key: Array("o-1".utf8), role: .finds)],
            drafts: [
                EventDraft(
                    type: type.rawValue, eventID: EventID(value: UInt128(number)),
                    occurredAt: Int64(number), dedupe: DedupeHash(value: UInt128(number)),
                    domain: domain, payload: EventPayload(event).encoded())
            ])
    }

    private static func read(_ store: InMemoryStore) throws(LogError) -> [Row] {
        try store.read { (reader) throws(LogError) in
            var rows: [Row] = []
            for table in LogTable.allCases {
                if table.isNumbered {
                    try reader.scan(table, from: 0) { key, value in
                        rows.append(Row(table: table, key: .number(key), value: copy(value)))
                        return .more
                    }
                } else {
                    let first: [UInt8] = []
                    try reader.scan(table, from: first.span.bytes) { key, value in
                        rows.append(Row(table: table, key: .bytes(copy(key)), value: copy(value)))
                        return .more
                    }
                }
            }
            return rows
        }
    }

    private static func copy(_ span: RawSpan) -> [UInt8] { span.withUnsafeBytes { [UInt8]($0) } }
}

/// A host's own projection: the last position of each stream.
struct Streams: LogProjection {
    let name = "streams"
    let version: UInt32 = 1

    func apply(_ record: borrowing RecordView, to rows: inout ProjectionRows) throws {
        try rows.put([UInt8(truncatingIfNeeded: record.stream)], [UInt8(record.position & 0xFF)])
    }
}
