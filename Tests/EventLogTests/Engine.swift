import EventLog
import EventLogTestKit
import Foundation
import Synchronization
import TestSupport
import Testing

/// The engines that every contract is tested on.
enum Engine: String, CaseIterable, CustomTestStringConvertible {
    /// ``InMemoryStore``.
    case memory
    /// The same, running each write twice as an engine may that has to make room.
    case rehearsing
    /// ``LMDBStore``.
    case lmdb

    var testDescription: String { rawValue }
}

/// Either engine behind one type, for tests only.
enum TestStore: LogStore {
    case memory(InMemoryStore)
    case lmdb(LMDBStore)

    var commitCounter: UInt64 {
        switch self {
        case .memory(let store): store.commitCounter
        case .lmdb(let store): store.commitCounter
        }
    }

    func close() {
        switch self {
        case .memory(let store): store.close()
        case .lmdb(let store): store.close()
        }
    }

    func read<R>(_ body: (Reader) throws(LogError) -> R) throws(LogError) -> R {
        switch self {
        case .memory(let store): try store.read { (r) throws(LogError) in try body(.memory(r)) }
        case .lmdb(let store): try store.read { (r) throws(LogError) in try body(.lmdb(r)) }
        }
    }

    func write<R>(_ body: (Writer) throws(LogError) -> R) throws(LogError) -> R {
        switch self {
        case .memory(let store): try store.write { (w) throws(LogError) in try body(.memory(w)) }
        case .lmdb(let store): try store.write { (w) throws(LogError) in try body(.lmdb(w)) }
        }
    }

    enum Reader: LogReading {
        case memory(InMemoryStore.Reader)
        case lmdb(LMDBStore.Reader)
    }

    enum Writer: LogWriting {
        case memory(InMemoryStore.Writer)
        case lmdb(LMDBStore.Writer)
    }
}

extension TestStore.Reader {
    func value<R>(
        _ table: LogTable, _ key: UInt64, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        switch self {
        case .memory(let reader): try reader.value(table, key, body)
        case .lmdb(let reader): try reader.value(table, key, body)
        }
    }

    func value<R>(
        _ table: LogTable, _ key: RawSpan, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        switch self {
        case .memory(let reader): try reader.value(table, key, body)
        case .lmdb(let reader): try reader.value(table, key, body)
        }
    }

    func scan(
        _ table: LogTable, from key: UInt64,
        _ body: (UInt64, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        switch self {
        case .memory(let reader): try reader.scan(table, from: key, body)
        case .lmdb(let reader): try reader.scan(table, from: key, body)
        }
    }

    func scan(
        _ table: LogTable, from key: RawSpan,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        switch self {
        case .memory(let reader): try reader.scan(table, from: key, body)
        case .lmdb(let reader): try reader.scan(table, from: key, body)
        }
    }

    func lastKey(_ table: LogTable) throws(LogError) -> UInt64? {
        switch self {
        case .memory(let reader): try reader.lastKey(table)
        case .lmdb(let reader): try reader.lastKey(table)
        }
    }
}

extension TestStore.Writer {
    func value<R>(
        _ table: LogTable, _ key: UInt64, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        switch self {
        case .memory(let writer): try writer.value(table, key, body)
        case .lmdb(let writer): try writer.value(table, key, body)
        }
    }

    func value<R>(
        _ table: LogTable, _ key: RawSpan, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        switch self {
        case .memory(let writer): try writer.value(table, key, body)
        case .lmdb(let writer): try writer.value(table, key, body)
        }
    }

    func scan(
        _ table: LogTable, from key: UInt64,
        _ body: (UInt64, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        switch self {
        case .memory(let writer): try writer.scan(table, from: key, body)
        case .lmdb(let writer): try writer.scan(table, from: key, body)
        }
    }

    func scan(
        _ table: LogTable, from key: RawSpan,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        switch self {
        case .memory(let writer): try writer.scan(table, from: key, body)
        case .lmdb(let writer): try writer.scan(table, from: key, body)
        }
    }

    func lastKey(_ table: LogTable) throws(LogError) -> UInt64? {
        switch self {
        case .memory(let writer): try writer.lastKey(table)
        case .lmdb(let writer): try writer.lastKey(table)
        }
    }

    func put(_ table: LogTable, _ key: UInt64, _ value: RawSpan) throws(LogError) {
        switch self {
        case .memory(let writer): try writer.put(table, key, value)
        case .lmdb(let writer): try writer.put(table, key, value)
        }
    }

    func put(_ table: LogTable, _ key: RawSpan, _ value: RawSpan) throws(LogError) {
        switch self {
        case .memory(let writer): try writer.put(table, key, value)
        case .lmdb(let writer): try writer.put(table, key, value)
        }
    }

    func append(_ table: LogTable, _ key: UInt64, _ value: RawSpan) throws(LogError) {
        switch self {
        case .memory(let writer): try writer.append(table, key, value)
        case .lmdb(let writer): try writer.append(table, key, value)
        }
    }

    @discardableResult
    func delete(_ table: LogTable, _ key: UInt64) throws(LogError) -> Bool {
        switch self {
        case .memory(let writer): try writer.delete(table, key)
        case .lmdb(let writer): try writer.delete(table, key)
        }
    }

    @discardableResult
    func delete(_ table: LogTable, _ key: RawSpan) throws(LogError) -> Bool {
        switch self {
        case .memory(let writer): try writer.delete(table, key)
        case .lmdb(let writer): try writer.delete(table, key)
        }
    }
}

/// A place for a ledger that can be opened again and again until the test ends.
struct Place {
    let open: () throws -> TestStore

    /// A log over the place; the caller closes it before it opens the place again.
    func log(
        clock: any LogClock = StepClock(), ids: any LogIDSource = CountingIDs()
    ) throws -> TallyLog<TestStore> {
        try EventLog(store: open(), clock: clock, ids: ids)
    }
}

/// Lends a place on an engine, empty at first and gone afterwards.
func withPlace<R>(
    _ engine: Engine, isolation: isolated (any Actor)? = #isolation,
    _ body: (Place) async throws -> R
) async throws -> R {
    switch engine {
    case .memory, .rehearsing:
        let store = InMemoryStore(rehearsing: engine == .rehearsing)
        return try await body(Place { .memory(store) })
    case .lmdb:
        return try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("log").path
            return try await body(Place { .lmdb(try LMDBStore(directory: path)) })
        }
    }
}

/// Lends one open log on an engine.
func withLog<R>(
    _ engine: Engine, clock: any LogClock = StepClock(),
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TallyLog<TestStore>) async throws -> R
) async throws -> R {
    try await withPlace(engine) { place in
        let log = try place.log(clock: clock)
        defer { log.close() }
        return try await body(log)
    }
}

/// A clock that goes on by a step, µs, with each look, and can be set.
final class StepClock: LogClock {
    private let time: Mutex<Int64>
    private let step: Int64

    init(_ start: Int64 = 1_700_000_000_000_000, step: Int64 = 1_000) {
        time = Mutex(start)
        self.step = step
    }

    func now() -> Int64 {
        time.withLock { time in
            time += step
            return time
        }
    }

    func set(_ value: Int64) { time.withLock { $0 = value } }
}

/// Ids that count up, so that a test sees the same ones each time.
final class CountingIDs: LogIDSource {
    private let last = Mutex<UInt128>(1 << 64)

    func next() -> UInt128 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

/// Random numbers that are the same for the same seed.
///
/// Source: Vigna's SplitMix64.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
