// The whole path: events with private fields through `Ledger.record`, sealed, hashed, indexed and
// flushed, beside the bare disk.

import CheckoutLedger
import CheckoutModel
import Cryptography
import DodoPayments
import EventLog
import ProviderKit
import Stripe

func sealedRows(_ options: BenchmarkOptions, in place: Workplace) async throws -> [ReportRow] {
    let writers = 256
    let count = options.pick(short: 16, standard: 64) * writers
    let directory = try place.directory("sealed")
    defer { for name in ["sealed", "sealed-c"] { place.remove(name) } }
    let ledger = try benchmarkLedger(in: directory)
    let disk = try FlushedFile(path: directory + "/plain")
    let raw = try RawLMDB(directory: place.directory("sealed-c"))
    var workload = Workload(seed: 8)
    var stored: [[UInt8]] = []
    var position: UInt64 = 0
    var work = (events: 0, commits: UInt64(0))
    let times = try await medians(
        rounds: options.pick(short: 3, standard: 7),
        of: [
            {
                let first = try ledger.log.read { $0.end }
                let entries = workload.next(count).map { event in
                    (event.number, EventEntry(event.withPrivateFields, mode: .live))
                }
                let commits = ledger.log.commitCounter
                let time = try await record(entries, in: ledger, writers: writers)
                work = (work.events + count, work.commits + ledger.log.commitCounter - commits)
                stored = try ledger.log.storedBytes(from: first)
                return time
            },
            {
                // Before the first round of ours there is nothing to write yet.
                if stored.isEmpty { stored = [[UInt8]](repeating: [0], count: count) }
                let batches = stored.inBatches(of: writers).map { Array($0.joined()) }
                return try nanoseconds { for batch in batches { try disk.append(batch) } }
            },
            {
                let records = stored
                return try nanoseconds {
                    for batch in stride(from: 0, to: records.count, by: writers) {
                        let end = min(records.count, batch + writers)
                        try raw.append(records[batch..<end], from: position)
                        position += UInt64(end - batch)
                    }
                }
            },
            { try preparing(workload.next(count), for: ledger) },
            { hashing(stored) },
        ])
    let batch = decimal(Double(work.events) / Double(work.commits))
    note("\(batch) sealed events a transaction of ours")
    let size = try ledger.log.sizes
    ledger.close()
    let file = Double(fileSize(directory + "/shop.ledger/data.mdb"))
    return sealedReport(of: times.map { $0 / Double(count) / 1_000 }, writers: writers) + [
        ReportRow(
            "bytes on disk, sealed events / their records", ours: file / size.events,
            peer: size.recordBytes / size.events, unit: "bytes", target: .atMost(1.35))
    ]
}

/// The row itself, and where its time goes; times in the order in which they were measured.
private func sealedReport(of micros: [Double], writers: Int) -> [ReportRow] {
    func part(_ name: String, _ time: Double) -> ReportRow {
        ReportRow("  of that: \(name)", ours: time, peer: nil, unit: "µs/event")
    }
    return [
        ReportRow(
            "sealed events through Ledger, \(writers) writers / pwrite + fdatasync",
            ours: micros[0], peer: micros[1], unit: "µs/event", target: .atLeast(0.2)),
        part("redacting, sealing and encoding, by the callers on any core", micros[3]),
        part("SHA-256 of record and tree", micros[4]),
        part("one flush a batch", micros[1]),
        part("LMDB's puts and second flush, log only", max(0, micros[2] - micros[1])),
    ]
}

/// A ledger with its root key beside it.
func benchmarkLedger(in directory: String) throws -> Ledger<LMDBStore> {
    var options = LedgerOptions(
        providers: try ProviderRegistry([DodoPaymentsProvider(), StripeProvider()]))
    options.rootKeyPath = directory + "/root.key"
    return try Ledger.create(at: directory + "/shop.ledger", options: options)
}

private func record(
    _ entries: [(session: Int, item: EventEntry)], in ledger: Ledger<LMDBStore>, writers: Int
) async throws -> Double {
    let parts = shares(of: entries, for: writers)
    return try await nanoseconds {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in parts {
                group.addTask { for entry in part { _ = try await ledger.record([entry]) } }
            }
            try await group.waitForAll()
        }
    }
}

/// What callers do before their event is in the queue.
private func preparing(_ events: [WorkEvent], for ledger: Ledger<LMDBStore>) throws -> Double {
    let entries = events.map { EventEntry($0.withPrivateFields, mode: .live) }
    return try processorNanoseconds {
        for entry in entries { _ = try ledger.request(for: entry) }
    }
}

/// The leaf of each record and, as a tree has, one node for each leaf.
private func hashing(_ records: [[UInt8]]) -> Double {
    var sha = SHA256()
    return processorNanoseconds {
        var last = sha.hash(prefix: 0x01, SHA256.hash([]), SHA256.hash([]))
        for record in records {
            let leaf = record.withUnsafeBytes { sha.hash($0, prefix: 0x00) }
            last = sha.hash(prefix: 0x01, last, leaf)
        }
        precondition(last.bytes.count == 32)
    }
}

extension EventLog {
    /// How many events there are, and the bytes of their records without checksums.
    fileprivate var sizes: (events: Double, recordBytes: Double) {
        get throws {
            try checkpoint()
            let bytes = try storedBytes(from: 0).reduce(0) {
                $0 + $1.count - StorageLayout.checksumByteCount
            }
            return (Double(try read { $0.end }), Double(bytes))
        }
    }

    /// The records from a position on, as they stand in the file.
    func storedBytes(from first: UInt64) throws -> [[UInt8]] {
        var stored: [[UInt8]] = []
        try read { snapshot in
            try snapshot.forEachRecord(in: first..<snapshot.end) { record in
                let record = Record(record)
                stored.append(
                    record.bytes
                        + record.leafHash.bytes.prefix(StorageLayout.checksumByteCount))
                return .more
            }
        }
        return stored
    }
}

extension WorkEvent {
    /// The event with what its voice knows of the customer.
    fileprivate var withPrivateFields: CheckoutEvent {
        var event = event
        if event.type == .sessionReturned {
            event.privateFields.returnURL =
                "https://shop.example/return?status=succeeded&payment_id=pay_\(number)&email="
                + "buyer\(number)%40mail.example"
        } else {
            event.privateFields.customerEmail = "buyer\(number)@mail.example"
            event.privateFields.customerName = "Buyer \(number)"
        }
        return event
    }
}
