import CheckoutLedger
import CheckoutModel
import EventLog

/// Restores a log from records of any bytes.
///
/// The input is a list of records: a control byte, a length of two bytes, the record. Half of the
/// control bytes have the record's place put right, so that the fold is reached and not only the
/// checks in front of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var reader = Chunks(bytes: [UInt8](UnsafeBufferPointer(start: start, count: count))[...])
    do {
        try check(&reader)
    } catch {
        fatalError("broken: a log in memory fails with \(error)")
    }
    return 0
}

private typealias Log = EventLog<CheckoutSchema, InMemoryStore>

private func check(_ chunks: inout Chunks) throws {
    let store = InMemoryStore()
    try Log.makeRestored(
        in: store, identity: LedgerIdentity(id: EventID(value: 1), createdAt: 0, epoch: 0))
    let log = try Log(store: store)
    defer { log.close() }
    var model = Model()
    while let batch = chunks.nextBatch(&model) {
        do throws(LogError) {
            try log.restore(batch.records)
            require(batch.isSound, "a record out of its place is taken")
        } catch {
            require(error.code == .damaged, "a bad record is damage and nothing else")
            require(!batch.isSound, "a record in its place is refused")
            // Nothing of the batch was kept, so that its sound records are still the next ones.
            try log.restore(batch.fitting)
        }
        if batch.endsInCheckpoint { try log.checkpoint() }
    }
    try compare(log, model)
}

/// What was taken is there byte for byte, is sound, and replays to what is told.
private func compare(_ log: Log, _ model: Model) throws {
    try log.read { (snapshot) throws in
        require(snapshot.end == UInt64(model.records.count), "the log ends where it must")
        for (index, bytes) in model.records.enumerated() {
            let record = try snapshot.record(at: UInt64(index))
            require(record.bytes == bytes, "a record is kept byte for byte")
            record.withView { view in
                require(
                    view.position == record.position && view.stream == record.stream,
                    "the view shows the record")
                require(
                    view.revision == record.revision && view.previous == record.previous,
                    "so does its place")
                require(
                    view.dedupe == record.dedupe && view.domain == record.domain, "and its domain")
            }
        }
    }
    let report = try log.verify()
    // A restoration takes what a record says of itself; that two say the same is for this report.
    require(
        report.findings.allSatisfy { $0.word == .duplicate }, "what was restored verifies")
    // Threads are what this costs most, so only every other length of log is cut in two.
    let replayed = try log.replay(workers: model.records.count.isMultiple(of: 2) ? 2 : 1)
    try log.read { (snapshot) throws in
        for (stream, state) in replayed.states.enumerated() {
            let told = try snapshot.state(of: UInt64(stream))
            require(told == state, "a replay gives the same")
            let evidence = state.evidence
            _ = (evidence.outcome, evidence.discrepancies, evidence.net, evidence.status)
            _ = try snapshot.group(of: UInt64(stream), before: snapshot.end)
        }
    }
}

/// Records that are restored in one call.
private struct Batch {
    var records: [[UInt8]] = []
    var fitting: [[UInt8]] = []
    var endsInCheckpoint = false

    var isSound: Bool { records.count == fitting.count }
}

/// The list of records in the input.
private struct Chunks {
    var bytes: ArraySlice<UInt8>

    /// Up to the next control byte that asks for a checkpoint; nil at the end of the input.
    mutating func nextBatch(_ model: inout Model) -> Batch? {
        var batch = Batch()
        while !batch.endsInCheckpoint, let (control, bytes) = next() {
            let record = control & 1 == 0 ? bytes : model.placed(bytes, control)
            batch.records.append(record)
            if model.fits(record) {
                model.take(record)
                batch.fitting.append(record)
            }
            batch.endsInCheckpoint = control & 0x80 != 0
        }
        return batch.records.isEmpty ? nil : batch
    }

    private mutating func next() -> (control: UInt8, record: [UInt8])? {
        guard bytes.count >= 3, let control = bytes.popFirst(), let low = bytes.popFirst(),
            let high = bytes.popFirst()
        else { return nil }
        let record = bytes.prefix(Int(low) | Int(high) << 8)
        bytes = bytes.dropFirst(record.count)
        return (control, Array(record))
    }
}

/// Where the next record must stand, kept apart from the log.
private struct Model {
    private(set) var records: [[UInt8]] = []
    private var ends: [(last: UInt64, count: UInt32)] = []
    private var recordedAt = Int64.min

    /// The record with its place put right; `control` chooses the stream.
    func placed(_ bytes: [UInt8], _ control: UInt8) -> [UInt8] {
        var record = bytes
        while record.count < Field.payload { record.append(0) }
        let stream = UInt64(control >> 1 & 0x3F) % UInt64(ends.count + 1)
        let end = Int(stream) < ends.count ? ends[Int(stream)] : nil
        record.store(UInt8(1), at: 0)
        record.store(UInt32(record.count - Field.payload), at: Field.payloadLength)
        record.store(UInt64(records.count), at: Field.position)
        record.store(stream, at: Field.stream)
        record.store(end?.count ?? 0, at: Field.revision)
        record.store(end?.last ?? .max, at: Field.previous)
        record.store(max(recordedAt, record.load(Field.recordedAt)), at: Field.recordedAt)
        record.store(UInt64.max, at: Field.cause)
        return record
    }

    func fits(_ record: [UInt8]) -> Bool {
        guard record.count >= Field.payload, record.count <= 65_535, record[0] == 1,
            Int(record.load(Field.payloadLength) as UInt32) == record.count - Field.payload,
            record.load(Field.position) == UInt64(records.count)
        else { return false }
        let stream: UInt64 = record.load(Field.stream)
        guard stream <= UInt64(ends.count) else { return false }
        let end = Int(stream) < ends.count ? ends[Int(stream)] : nil
        let cause: UInt64 = record.load(Field.cause)
        return record.load(Field.previous) == end?.last ?? .max
            && record.load(Field.revision) == end?.count ?? 0
            && record.load(Field.recordedAt) >= recordedAt
            && (cause == .max || cause < UInt64(records.count))
    }

    mutating func take(_ record: [UInt8]) {
        let stream = Int(record.load(Field.stream) as UInt64)
        if stream == ends.count { ends.append((0, 0)) }
        ends[stream] = (UInt64(records.count), ends[stream].count + 1)
        recordedAt = record.load(Field.recordedAt)
        records.append(record)
    }
}

/// Offsets in a record, stated a second time on purpose.
private enum Field {
    static let payloadLength = 4
    static let position = 8
    static let stream = 16
    static let revision = 24
    static let previous = 32
    static let cause = 40
    static let recordedAt = 64
    static let payload = 144
}

extension [UInt8] {
    fileprivate func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> T {
        withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
    }

    fileprivate mutating func store<T: FixedWidthInteger & BitwiseCopyable>(
        _ value: T, at offset: Int
    ) {
        withUnsafeMutableBytes {
            $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
        }
    }
}

/// `precondition` would say nothing in an optimised build.
private func require(_ holds: Bool, _ rule: StaticString) {
    if !holds { fatalError("broken: \(rule)") }
}
