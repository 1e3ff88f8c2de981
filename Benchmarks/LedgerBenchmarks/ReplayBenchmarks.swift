// Reading the whole log and folding every session, beside the barest way to read the same file.

import CheckoutLedger
import CheckoutModel
import EventLog

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

func replayRows(_ options: BenchmarkOptions, in place: Workplace) async throws -> [ReportRow] {
    let count = options.pick(short: 100_000, standard: 1_000_000)
    defer { for name in ["replay", "replay-c", "replay-sqlite"] { place.remove(name) } }
    let directory = try place.directory("replay")
    let log = try BenchmarkLog(checkoutsIn: LMDBStore(directory: directory))
    var workload = Workload(seed: 4)
    let recordBytes = try await fill(log, from: &workload, count: count)
    try log.checkpoint()
    // LMDB must not be opened twice in one process, so the C scan reads a copy of the file.
    let copy = try place.directory("replay-c")
    try copyFile(directory + "/data.mdb", copy + "/data.mdb")
    let raw = try RawLMDB(directory: copy, isReadOnly: true)
    let sqlite = try SQLiteRecords(path: place.directory("replay-sqlite") + "/events", raw)
    let streams = try log.read { try $0.streamCount() }
    var sums: [UInt64] = []
    var folded: [Int] = []
    func replay(_ workers: Int) throws -> Double {
        let time = workers == 1 ? processorNanoseconds : nanoseconds
        var states: [SessionState] = []
        let taken = try time { states = try log.replay(workers: workers).states }
        folded.append(states.count { $0.evidence.outcome != nil })
        return taken
    }
    let methods: [() throws -> Double] = [
        { try replay(1) },
        { try replay(2) },
        { try processorNanoseconds { sums.append(try raw.sumHeaders()) } },
        { try nanoseconds { sums.append(try raw.sumHeaders()) } },
        { try processorNanoseconds { folded.append(try fold(sqlite, streams: Int(streams))) } },
    ]
    for method in methods { _ = try method() }  // so that all pages are mapped
    let times = try medians(rounds: options.pick(short: 5, standard: 7), of: methods)
    precondition(Set(sums).count == 1 && Set(folded).count == 1, "all must have read the same")
    log.close()
    let bytes = Double(fileSize(directory + "/data.mdb")) / Double(count)
    let each = times.map { $0 / Double(count) }
    let scan = "C cursor scan of the same file, every header"
    return [
        ReportRow(
            "replay, \(streams) sessions / \(scan)", ours: each[0], peer: each[2],
            unit: "ns/event", target: .atLeast(0.5)),
        ReportRow(
            "the same on two cores / \(scan)", ours: each[1], peer: each[3], unit: "ns/event",
            target: .atLeast(0.9)),
        ReportRow(
            "replay / SQLite SELECT and the same fold", ours: each[0], peer: each[4],
            unit: "ns/event", target: .atLeast(5)),
        ReportRow(
            "bytes on disk, events of \(recordBytes / count) bytes, for information",
            ours: bytes, peer: nil, unit: "bytes"),
    ]
}

/// Appends `count` events in large batches; gives the bytes of their records.
@discardableResult
func fill(
    _ log: BenchmarkLog, from workload: inout Workload, count: Int
) async throws -> Int {
    var left = count
    var bytes = 0
    while left > 0 {
        let events = workload.next(min(left, 4_096))
        bytes += events.reduce(0) { $0 + 96 + $1.data.count }
        _ = try await log.append(events.map(\.request))
        left -= events.count
    }
    return bytes
}

/// The same fold over rows of SQLite; gives how many sessions have an outcome.
private func fold(_ records: SQLiteRecords, streams: Int) throws -> Int {
    var states = [SessionState](repeating: CheckoutSchema.initialState, count: streams)
    var changes = ProjectionChanges(wantsOutcomes: false)
    try records.scan { bytes in
        guard let record = RecordView(stored: bytes.bytes) else {
            throw BenchmarkFailure("a record cannot be read")
        }
        CheckoutSchema.fold(record, into: &states[Int(record.stream)], changes: &changes)
    }
    return states.count { $0.evidence.outcome != nil }
}

private func copyFile(_ source: String, _ target: String) throws {
    let (from, to) = (open(source, O_RDONLY), open(target, O_CREAT | O_WRONLY, 0o600))
    defer { for descriptor in [from, to] { close(descriptor) } }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
        let count = read(from, &buffer, buffer.count)
        if count == 0 { return }
        guard count > 0, write(to, buffer, count) == count else {
            throw BenchmarkFailure("\(source) cannot be copied")
        }
    }
}

func fileSize(_ path: String) -> Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
}
