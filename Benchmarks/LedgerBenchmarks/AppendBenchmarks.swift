// Durable appends: alone, in groups, and as an import. Every store gets the same events.

import CheckoutLedger
import EventLog

typealias BenchmarkLog = EventLog<CheckoutSchema, LMDBStore>

extension WorkEvent {
    /// As many bytes as the log stores for the event, checksum included.
    var storedBytes: [UInt8] {
        [UInt8](repeating: 1, count: 96) + data
            + [UInt8](repeating: 2, count: StorageLayout.checksumByteCount)
    }
}

/// One event, one caller, one flushed transaction each.
func singleAppendRows(_ options: BenchmarkOptions, in place: Workplace) async throws -> [ReportRow]
{
    let count = options.pick(short: 150, standard: 400)
    let log = try BenchmarkLog(checkoutsIn: LMDBStore(directory: place.directory("one")))
    let raw = try RawLMDB(directory: place.directory("one-c"))
    let sqlite = try SQLiteEventStore(path: place.directory("one-sqlite") + "/events")
    defer { for name in ["one", "one-c", "one-sqlite"] { place.remove(name) } }
    var ours = Workload(seed: 1)
    var theirs = (raw: Workload(seed: 1), sqlite: Workload(seed: 1))
    var position: UInt64 = 0
    let times = try await medians(
        rounds: options.pick(short: 5, standard: 9),
        of: [
            {
                let requests = ours.next(count).map { [$0.request] }
                return try await nanoseconds {
                    for request in requests { _ = try await log.append(request) }
                }
            },
            {
                let records = theirs.raw.next(count).map(\.storedBytes)
                return try nanoseconds {
                    for index in records.indices {
                        try raw.append(records[index...index], from: position)
                        position += 1
                    }
                }
            },
            {
                let events = theirs.sqlite.next(count)
                return try nanoseconds {
                    for index in events.indices { try sqlite.append(events[index...index]) }
                }
            },
        ])
    log.close()
    let micros = times.map { $0 / Double(count) / 1_000 }
    return [
        ReportRow(
            "durable append, one event a transaction / plain C calls of LMDB", ours: micros[0],
            peer: micros[1], unit: "µs", target: .atMost(1.3)),
        ReportRow(
            "the same / SQLite WAL FULL event store", ours: micros[0], peer: micros[2], unit: "µs"),
    ]
}

/// Many callers that each wait for their own event; the peer gets the same events in transactions
/// of as many as there are callers.
///
/// Both stores begin with the same history: an index of random ids costs little while it is small,
/// and nobody's stays so.
func groupedAppendRows(
    _ options: BenchmarkOptions, in place: Workplace
) async throws -> [ReportRow] {
    let history = options.pick(short: 60_000, standard: 500_000)
    let store = try LMDBStore(directory: place.directory("group"))
    let log = try BenchmarkLog(checkoutsIn: store)
    let sqlite = try SQLiteEventStore(path: place.directory("group-sqlite") + "/events")
    defer { for name in ["group", "group-sqlite"] { place.remove(name) } }
    var ours = Workload(seed: 2)
    var theirs = Workload(seed: 2)
    try await fill(log, from: &ours, count: history)
    try sqlite.fill(from: &theirs, count: history)
    var rows: [ReportRow] = []
    for writers in [1, 16, 64, 256] {
        let count = max(
            options.pick(short: 16, standard: 64) * writers,
            options.pick(short: 100, standard: 400))
        let commits = store.commitCounter
        var appended = 0
        let times = try await medians(
            rounds: options.pick(short: 3, standard: 7),
            of: [
                {
                    appended += count
                    return try await append(ours.next(count), to: log, writers: writers)
                },
                {
                    let events = theirs.next(count)
                    return try nanoseconds {
                        for first in stride(from: 0, to: count, by: writers) {
                            try sqlite.append(events[first..<min(count, first + writers)])
                        }
                    }
                },
            ])
        let perCommit = Double(appended) / Double(store.commitCounter - commits)
        let micros = times.map { $0 / Double(count) / 1_000 }
        rows.append(
            ReportRow(
                "durable appends, \(writers) writers / SQLite WAL FULL event store",
                ours: micros[0], peer: micros[1], unit: "µs/event",
                target: writers == 256 ? .atLeast(4) : nil))
        note("\(writers) writers: \(decimal(perCommit)) events a transaction of ours")
    }
    log.close()
    return rows
}

/// Deals what belongs to sessions out to callers: a session's stay with one of them, in order, and
/// all get as many, so that none is left to end the round alone.
func shares<Item>(
    of items: some Collection<(session: Int, item: Item)>, for callers: Int
) -> [[Item]] {
    var counts: [Int: Int] = [:]
    for (session, _) in items { counts[session, default: 0] += 1 }
    var loads = [Int](repeating: 0, count: callers)
    var callerOfSession: [Int: Int] = [:]
    // The largest first: the small ones fill up what is uneven.
    for (session, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
        let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
        callerOfSession[session] = least
        loads[least] += count
    }
    var shares = [[Item]](repeating: [], count: callers)
    for (session, item) in items { shares[callerOfSession[session] ?? 0].append(item) }
    return shares
}

/// Has `writers` tasks append the events, one at a time each.
private func append(
    _ events: [WorkEvent], to log: BenchmarkLog, writers: Int
) async throws -> Double {
    let parts = shares(of: events.map { ($0.number, [$0.request]) }, for: writers)
    return try await nanoseconds {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in parts {
                group.addTask { for request in part { _ = try await log.append(request) } }
            }
            try await group.waitForAll()
        }
    }
}

/// A thousand events a transaction, one caller.
func importRows(_ options: BenchmarkOptions, in place: Workplace) async throws -> [ReportRow] {
    let count = options.pick(short: 8_000, standard: 32_000)
    let log = try BenchmarkLog(checkoutsIn: LMDBStore(directory: place.directory("import")))
    let raw = try RawLMDB(directory: place.directory("import-c"))
    let sqlite = try SQLiteEventStore(path: place.directory("import-sqlite") + "/events")
    defer { for name in ["import", "import-c", "import-sqlite"] { place.remove(name) } }
    var ours = Workload(seed: 3)
    var theirs = (raw: Workload(seed: 3), sqlite: Workload(seed: 3))
    var position: UInt64 = 0
    let times = try await medians(
        rounds: options.pick(short: 3, standard: 5),
        of: [
            {
                let batches = ours.next(count).map(\.request).inBatches(of: 1_000)
                return try await nanoseconds {
                    for batch in batches { _ = try await log.append(batch) }
                }
            },
            {
                let records = theirs.raw.next(count).map(\.storedBytes)
                return try nanoseconds {
                    for first in stride(from: 0, to: count, by: 1_000) {
                        try raw.append(records[first..<first + 1_000], from: position)
                        position += 1_000
                    }
                }
            },
            {
                let events = theirs.sqlite.next(count)
                return try nanoseconds {
                    for first in stride(from: 0, to: count, by: 1_000) {
                        try sqlite.append(events[first..<first + 1_000])
                    }
                }
            },
        ])
    log.close()
    let micros = times.map { $0 / Double(count) / 1_000 }
    return [
        ReportRow(
            "import, 1,000 events a transaction / SQLite WAL FULL event store", ours: micros[0],
            peer: micros[2], unit: "µs/event"),
        ReportRow(
            "the same / plain C calls of LMDB, log only", ours: micros[0], peer: micros[1],
            unit: "µs/event"),
    ]
}

extension Array {
    func inBatches(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min(count, $0 + size)]) }
    }
}
