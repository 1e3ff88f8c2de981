import CheckoutLedger
import CheckoutModel
import EventLog

/// Damages the rows of a sound ledger and asks it everything.
///
/// The input is a list of damages, six bytes each: row, what to do, place, value. Every answer and
/// every error is right except two: a trap, and a verification that calls a changed record sound.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var rows = SoundStore.shared.rows
    for offset in stride(from: 0, to: min(count, 48) - 5, by: 6) {
        Damage(UnsafeBufferPointer(start: start + offset, count: 6)).apply(to: &rows)
    }
    // Damages may undo each other, so that only the end counts.
    let isRecordChanged =
        rows.filter { $0.table == .log } != SoundStore.shared.rows.filter { $0.table == .log }
    do throws(LogError) {
        try ask(rows, isRecordChanged)
    } catch {
        require(!error.message.isEmpty, "an error says something")
    }
    return 0
}

private typealias Log = EventLog<CheckoutSchema, InMemoryStore>

private struct Damage {
    let row, action: UInt8
    let place: Int
    let value: UInt8

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        (row, action, value) = (bytes[0], bytes[1], bytes[4] ^ bytes[5])
        place = Int(bytes[2]) | Int(bytes[3]) << 8
    }

    func apply(to rows: inout [SoundStore.Row]) {
        guard !rows.isEmpty else { return }
        let index = Int(row) % rows.count
        let before = rows[index]
        switch action % 5 {
        case 0 where !before.value.isEmpty:
            rows[index].value[place % before.value.count] ^= value
        case 1: rows[index].value.removeLast(min(place, before.value.count))
        case 2: rows.remove(at: index)
        case 3 where before.value.count >= 8:
            // A whole word of ones or of one repeated byte: the numbers that counting ends at.
            let first = place % (before.value.count - 7)
            for offset in first..<first + 8 { rows[index].value[offset] = value }
        default: rows[index].value.append(value)
        }
    }
}

private func ask(_ rows: [SoundStore.Row], _ isRecordChanged: Bool) throws(LogError) {
    let store = InMemoryStore()
    try store.write { (writer) throws(LogError) in
        for row in rows {
            switch row.key {
            case .number(let key): try writer.put(row.table, key, row.value.span.bytes)
            case .bytes(let key):
                try writer.put(row.table, key.span.bytes, row.value.span.bytes)
            }
        }
    }
    let log = try Log(store: store)
    defer { log.close() }
    var isSound: Bool?
    attempt { isSound = try log.verify().isSound }
    require(isSound != true || !isRecordChanged, "a changed record is called sound")
    attempt { _ = try log.replay(workers: 1) }
    attempt { try log.read { (snapshot) throws in try readAll(snapshot) } }
    attempt { _ = try log.appendBlocking([SoundStore.request("cks_1", .paymentSucceeded, 90)]) }
    attempt { _ = try log.appendBlocking([SoundStore.request("cks_2", .sessionClosed, 91)]) }
    attempt { try log.checkpoint() }
    attempt { try log.rebuild() }
    attempt { try log.projection(Streams()).catchUp() }
    attempt { try log.projection(Streams()).forEach { _, _ in .more } }
    attempt { try log.read { (snapshot) throws in try readAll(snapshot) } }
}

private func readAll(_ snapshot: borrowing Snapshot<CheckoutSchema, InMemoryStore>) throws {
    attempt { _ = try snapshot.frontier().root() }
    attempt { _ = try snapshot.statistics() }
    attempt { _ = try snapshot.position(atOrAfter: 5) }
    attempt { try snapshot.forEachRecord(in: 0..<snapshot.end) { look(at: $0) } }
    let payments = TypeSet([EventType.paymentSucceeded.rawValue])
    attempt {
        try snapshot.forEachRecord(in: 0..<snapshot.end, matching: payments) { look(at: $0) }
    }
    attempt { try snapshot.forEachBlock { _ in .more } }
    attempt { try snapshot.forEachOpen { _, _ in .more } }
    attempt { try snapshot.forEachOutcome { _, _ in .more } }
    attempt { try snapshot.forEachIdentity(from: []) { _, _ in .more } }
    attempt { try snapshot.forEachSharedIdentity { _, _ in .more } }
    attempt { _ = try snapshot.resolve(Array("cks_3".utf8)) }
    attempt { _ = try snapshot.streams(finding: Array("o-1".utf8)) }
    attempt {
        try snapshot.forEachState { _, state in
            _ = (state.evidence.outcome, state.evidence.discrepancies, state.evidence.net)
            return .more
        }
    }
    for stream in 0..<4 as Range<UInt64> {
        attempt { _ = try snapshot.records(of: stream) }
        attempt { _ = try snapshot.state(of: stream, before: 6) }
        attempt {
            var whole = SessionState()
            for part in try snapshot.group(of: stream) {
                if let state = try snapshot.state(of: part) {
                    CheckoutSchema.merge(state, into: &whole)
                }
            }
        }
    }
}

private func look(at record: borrowing RecordView) -> ScanStep {
    let area = record.domainBytes
    let fact = area.withUnsafeBytes {
        Fact(
            type: EventType(rawValue: record.type), occurredAt: record.occurredAt ?? .min, area: $0)
    }
    _ = record.payload.withUnsafeBytes { try? EventPayload(decoding: $0) }
    _ = fact
    return .more
}

/// Damage may be thrown at any place; what is thrown there says nothing of the next.
private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { _ = "\(error)" }
}

/// `precondition` would say nothing in an optimised build.
private func require(_ holds: Bool, _ rule: StaticString) {
    if !holds { fatalError("broken: \(rule)") }
}
