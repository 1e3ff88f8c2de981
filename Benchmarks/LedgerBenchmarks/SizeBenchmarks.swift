// Whether work stays as fast when the log is a hundred times as long.

import CheckoutLedger
import EventLog

func sizeRows(_ options: BenchmarkOptions, in place: Workplace) async throws -> [ReportRow] {
    let (small, large): (Int, Int)
    switch options.size {
    case .short: (small, large) = (2_000, 200_000)
    case .standard: (small, large) = (10_000, 1_000_000)
    case .full: (small, large) = (100_000, 10_000_000)
    }
    let logs = try [small, large].map { count in
        try BenchmarkLog(checkoutsIn: LMDBStore(directory: place.directory("size-\(count)")))
    }
    defer {
        for log in logs { log.close() }
        for count in [small, large] { place.remove("size-\(count)") }
    }
    for (log, count) in zip(logs, [small, large]) {
        var workload = Workload(seed: 5)
        try await fill(log, from: &workload, count: count)
        try log.checkpoint()
    }
    let rounds = options.pick(short: 5, standard: 9)
    var workloads = [Workload(seed: 6), Workload(seed: 6)]
    let appends = try await medians(
        rounds: rounds,
        of: [0, 1].map { index in
            {
                let batches = workloads[index].next(8_192).map(\.request).inBatches(of: 256)
                return try await nanoseconds {
                    for batch in batches { _ = try await logs[index].append(batch) }
                }
            }
        })
    var random = SplitMix64(state: 7)
    let walks = try medians(
        rounds: rounds,
        of: logs.map { log in { try timelines(of: log, &random) } })
    let sizes = "\(large) events / \(small)"
    return [
        ReportRow(
            "append, 256 a transaction, at \(sizes)", ours: appends[1] / 8_192_000,
            peer: appends[0] / 8_192_000, unit: "µs/event", target: .atMost(1.5)),
        ReportRow(
            "timeline of a session at \(sizes)", ours: walks[1] / 1_000,
            peer: walks[0] / 1_000, unit: "µs", target: .atMost(1.5)),
    ]
}

/// Nanoseconds to find a session and walk its events; the middle of many.
private func timelines(of log: BenchmarkLog, _ random: inout SplitMix64) throws -> Double {
    let streams = try log.read { try $0.streamCount() }
    var times: [Double] = []
    for _ in 0..<512 {
        let stream = random.next() % streams
        times.append(
            try nanoseconds {
                let records = try log.read { try $0.records(of: stream, before: $0.end) }
                precondition(!records.isEmpty, "a stream has events")
            })
    }
    return times.median
}
