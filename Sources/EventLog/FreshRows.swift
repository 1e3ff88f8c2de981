import Synchronization

/// The identities that stand in chunks at one moment, as readers look for them.
///
/// A chunk never changes, and chunks come and go in the order of their keys: the first and the
/// last key say what all of them hold.
struct FreshRows: Sendable {
    private var first: UInt64?
    private var last: UInt64?
    private var routes: [IdentityName: UInt64] = [:]
    private var shares: [IdentityName: [UInt64]] = [:]
    private var added: [IdentityRow] = []
    private var sorted: [IdentityRow] = []

    /// The stream that a routing key leads to.
    func stream(routedBy key: [UInt8]) -> UInt64? {
        routes.isEmpty ? nil : routes[IdentityName(key)]
    }

    /// The streams that share a key.
    func streams(sharing key: [UInt8]) -> [UInt64] {
        shares.isEmpty ? [] : shares[IdentityName(key)] ?? []
    }

    /// The rows they will have, from a key on, in the order of their keys; after ``sort()``.
    func rows(from key: [UInt8]) -> ArraySlice<IdentityRow> {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].precedes(key) { low = middle + 1 } else { high = middle }
        }
        return sorted[low...]
    }

    /// Makes them what the chunks of a snapshot say; false when they are those of a later one.
    mutating func catchUp(_ reader: some LogReading) throws(LogError) -> Bool {
        var first: UInt64?
        try reader.scan(.fresh, from: 0) { (key, _) in
            first = key
            return .stop
        }
        let last = try reader.lastKey(.fresh)
        if first != self.first {
            if let first, let known = self.first, first < known { return false }
            self = FreshRows()
        }
        guard let first, let last else { return self.first == nil }
        if let known = self.last, last < known { return false }
        try add(from: self.last.map { $0 + 1 } ?? first, reader)
        (self.first, self.last) = (first, last)
        return true
    }

    private mutating func add(from key: UInt64, _ reader: some LogReading) throws(LogError) {
        var found: [(kind: UInt8, row: IdentityRow, key: [UInt8], stream: UInt64)] = []
        try reader.scanFresh(from: key) { kind, key, stream in
            found.append((kind, IdentityRow(kind, key, stream), key.copied(), stream))
        }
        for (kind, row, key, stream) in found {
            let name = IdentityName(key)
            if kind == IdentityKey.share {
                shares[name, default: []].append(stream)
            } else if routes[name] == nil {
                // The first stream that a key was given to keeps it.
                routes[name] = stream
            } else {
                continue
            }
            added.append(row)
        }
    }

    /// Has ``rows(from:)`` find all of them.
    mutating func sort() {
        guard !added.isEmpty else { return }
        added.sort()
        var merged: [IdentityRow] = []
        merged.reserveCapacity(sorted.count + added.count)
        var next = 0
        for row in added {
            while next < sorted.count, sorted[next] < row {
                merged.append(sorted[next])
                next += 1
            }
            merged.append(row)
        }
        sorted = merged + sorted[next...]
        added = []
    }
}

/// Keeps a process from reading all chunks anew for each question.
final class FreshCache: Sendable {
    private let rows = Mutex(FreshRows())

    /// The identities in the chunks of a snapshot.
    func rows(of reader: some LogReading, sorted: Bool) throws(LogError) -> FreshRows {
        let shared = rows.withLock { held -> Result<FreshRows?, LogError> in
            // Taken out meanwhile: after a failure it begins anew, and nothing is copied.
            var rows = held
            held = FreshRows()
            do throws(LogError) {
                let isCurrent = try rows.catchUp(reader)
                if isCurrent, sorted { rows.sort() }
                held = rows
                return .success(isCurrent ? rows : nil)
            } catch {
                return .failure(error)
            }
        }
        if let rows = try shared.get() { return rows }
        // Another reader is further on: this snapshot reads for itself.
        var own = FreshRows()
        _ = try own.catchUp(reader)
        if sorted { own.sort() }
        return own
    }
}
