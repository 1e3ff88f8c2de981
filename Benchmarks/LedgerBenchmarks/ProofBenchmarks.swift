// What proving costs: the hashes in an append, the seals beside it, a proof when one is asked for.

import CheckoutLedger
import Cryptography
import EventLog

/// Imports with and without seals, the hashes alone, and proofs of a large log.
func proofRows(_ options: BenchmarkOptions, in place: Workplace) async throws -> [ReportRow] {
    let count = options.pick(short: 8_192, standard: 32_768)
    let sealed = try BenchmarkLog(checkoutsIn: LMDBStore(directory: place.directory("seals")))
    let plain = try BenchmarkLog(checkoutsIn: LMDBStore(directory: place.directory("no-seals")))
    defer { for name in ["seals", "no-seals"] { place.remove(name) } }
    try sealed.beginSealing(Sealing(origin: "benchmark", signers: try benchmarkSigners()))
    var workloads = (sealed: Workload(seed: 7), plain: Workload(seed: 7), hashed: Workload(seed: 7))
    var frontier = MerkleFrontier()
    let times = try await medians(
        rounds: options.pick(short: 3, standard: 7),
        of: [
            { try await append(workloads.sealed.next(count), to: sealed) },
            { try await append(workloads.plain.next(count), to: plain) },
            {
                // What an append hashes: the record's leaf, and the tree up to it.
                let records = workloads.hashed.next(count).map { $0.storedBytes.dropLast(8) }
                    .map { [UInt8]($0) }
                var sha = SHA256()
                return nanoseconds {
                    for record in records {
                        let leaf = record.withUnsafeBytes { sha.hash($0, prefix: 0x00) }
                        frontier.add(leaf, using: &sha) { _ in }
                    }
                }
            },
        ])
    let micros = times.map { $0 / Double(count) / 1_000 }
    let seal = try sealed.seal()
    let proof = try prove(in: sealed, seal.head.size, options)
    plain.close()
    sealed.close()
    note("leaf and tree hashes: \(decimal(micros[2])) of \(decimal(micros[1])) µs of an import")
    return [
        ReportRow(
            "import with a seal every 1,024 events / without", ours: micros[0], peer: micros[1],
            unit: "µs/event", target: .atMost(1.1)),
        ReportRow(
            "a proof of one record / hashing the records one by one", ours: proof,
            peer: times[2] / Double(count) * Double(seal.head.size) / 1_000, unit: "µs"),
    ]
}

private func append(_ events: [WorkEvent], to log: BenchmarkLog) async throws -> Double {
    let batches = events.map(\.request).inBatches(of: 1_024)
    return try await nanoseconds {
        for batch in batches { _ = try await log.append(batch) }
    }
}

/// µs for the proof of a record anywhere in the log, checks included.
private func prove(
    in log: BenchmarkLog, _ size: UInt64, _ options: BenchmarkOptions
) throws -> Double {
    let count = options.pick(short: 20, standard: 100)
    let time = try nanoseconds {
        for number in 0..<UInt64(count) {
            _ = try log.proof(of: number * 7_919 % size, sealedAt: size)
        }
    }
    return time / Double(count) / 1_000
}

private func benchmarkSigners() throws -> [NoteSigner] {
    let kinds: [NoteSignatureKind] = [.ed25519, .timed]
    return try kinds.map { kind in
        let seed = [UInt8](repeating: kind.rawValue, count: 32)
        guard let text = NoteSigner.text(name: "benchmark", kind: kind, seed: seed),
            let signer = NoteSigner(text)
        else { throw BenchmarkFailure("a key could not be made") }
        return signer
    }
}
