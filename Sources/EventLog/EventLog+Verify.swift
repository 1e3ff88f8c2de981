extension EventLog {
    /// Reads and hashes every record again and compares everything that was derived from them.
    ///
    /// Chains, revisions, times, dedupe hashes, the Merkle tree, stored seals, identities, block
    /// summaries and the projections' rows; not users' own projections. The log is compared with
    /// each of `anchors`, whose signatures are the caller's to check; those of stored seals are
    /// checked with `verifiers`. Holds one state for each stream and eight bytes for each dedupe
    /// hash in memory. Damage is reported, not thrown; what is committed meanwhile is looked at
    /// too. Blocks its caller.
    /// Throws `LOG_CLOSED`, and what the engine throws when it cannot read at all.
    public func verify(
        against anchors: [Anchor] = [], sealedBy verifiers: [NoteVerifier] = [],
        progress: (@Sendable (LogProgress) -> Void)? = nil
    ) throws(LogError) -> VerificationReport {
        var verifier = Verifier<Schema>()
        let total = try reading { (snapshot) throws(LogError) in
            try verifier.expect(anchors, signedBy: verifiers, snapshot.reader)
            return snapshot.end
        }
        // Records never change, so that no snapshot must be held over all of them.
        while verifier.next < total {
            let target = min(verifier.next + Limits.eventsPerScanSlice, total)
            try reading { (snapshot) throws(LogError) in
                try verifier.read(to: target, snapshot.reader)
            }
            progress?(LogProgress(done: verifier.next, total: total))
        }
        try reading { (snapshot) throws(LogError) in
            try verifier.read(to: snapshot.end, snapshot.reader)
            try verifier.finish(snapshot.reader)
            try verifier.compareTree(snapshot.reader)
            try verifier.followIdentities(snapshot.reader)
            try verifier.findDuplicates(snapshot)
            try verifier.compareRows(snapshot)
        }
        return verifier.report
    }
}

extension Verifier {
    /// There must be no nodes beyond those that the records gave.
    fileprivate mutating func compareTree(_ reader: some LogReading) throws(LogError) {
        var expected: UInt64 = 0
        var level = TreeKey.storedLevelStep
        while level < 64, next >> UInt64(level) > 0 {
            expected += next >> UInt64(level)
            level += TreeKey.storedLevelStep
        }
        var count: UInt64 = 0
        try reader.scan(.tree, from: []) { _, _ in
            count += 1
            return .more
        }
        if count != expected {
            report.find(
                .treeDamaged, at: nil, "The tree has \(count) rows where it must have \(expected).")
        }
    }

    /// Every row leads to a stream, and whatever a record names has its row.
    fileprivate mutating func followIdentities(_ reader: some LogReading) throws(LogError) {
        named.settle()
        func follow(_ key: RawSpan, _ value: RawSpan) {
            report.identities += 1
            let isShared = key.field(0, as: UInt8.self) == IdentityKey.share
            let found: UInt64? =
                isShared
                ? (value.isEmpty ? key.sharedStream : nil)
                : (value.byteCount == 8 ? value.field(0) : nil)
            guard let stream = found, end(of: stream) != nil else {
                return report.find(
                    .identityLost, at: nil,
                    "Identity number \(report.identities) leads to no stream.")
            }
            if isShared {
                named.takeRow(key.extracting(3..<(key.byteCount - 8)).copied(), sharedBy: stream)
            } else {
                named.takeRow(key.extracting(droppingFirst: 1).copied(), sharedBy: nil)
            }
        }
        try reader.scan(.ids, from: [IdentityKey.route]) { (key, value) in
            follow(key, value)
            return .more
        }
        do throws(LogError) {
            try reader.scanFresh(from: 0) { (kind, key, stream) throws(LogError) in
                let row = IdentityRow(kind, key, stream)
                if try reader.value(.ids, row.key, { _ in true }) != true {
                    follow(row.key.span.bytes, row.value.span.bytes)
                }
            }
        } catch  where error.code == .damaged {
            return report.find(.identityLost, at: nil, error.message)
        }
        for position in named.missing {
            report.find(
                .identityLost, at: position,
                "What the record at \(position) names cannot be found by its name.")
        }
    }

    /// Looks again at the dedupe hashes that may stand twice.
    fileprivate mutating func findDuplicates<Store: LogStore>(
        _ snapshot: borrowing Snapshot<Schema, Store>
    ) throws(LogError) {
        let suspects = suspects()
        guard !suspects.isEmpty else { return }
        var seen: Set<DedupeIndex.Key> = []
        try snapshot.reader.scan(.log, from: 0) { (position, stored) throws(LogError) in
            guard let record = RecordView(stored: stored), let hash = record.dedupe,
                suspects.contains(Self.mix(record.stream, hash))
            else { return .more }
            let key = DedupeIndex.Key(stream: record.stream, hash: hash)
            if !seen.insert(key).inserted {
                report.find(
                    .duplicate, at: position,
                    "The record at \(position) has a dedupe hash that its stream has already.")
            }
            return .more
        }
    }

    /// Compares the rows, with the tail folded over them, with the fresh fold.
    fileprivate mutating func compareRows<Store: LogStore>(
        _ snapshot: borrowing Snapshot<Schema, Store>
    ) throws(LogError) {
        guard !isDamaged else { return }
        report.comparedRows = true
        do {
            try compareStates(snapshot)
            try compareOpen(snapshot)
            try compareOutcomes(snapshot)
        } catch {
            report.find(.rowDiffers, at: nil, "A row cannot be read: \(LogError(error).message)")
        }
    }

    private mutating func compareStates<Store: LogStore>(
        _ snapshot: borrowing Snapshot<Schema, Store>
    ) throws {
        var next: UInt64 = 0
        try snapshot.forEachStateEnd { stream, state, last, count in
            report.rows += 1
            let isEqual =
                stream == next && stream < UInt64(states.count)
                && Schema.statesAreEqual(state, states[Int(stream)])
                && end(of: stream).map { $0 == (last, count) } == true
            if !isEqual {
                report.find(.rowDiffers, at: nil, "The row of stream \(stream) differs.")
            }
            next = stream + 1
            return .more
        }
        if next != UInt64(states.count) {
            report.find(.rowDiffers, at: nil, "The rows end before stream \(states.count).")
        }
    }

    private mutating func compareOpen<Store: LogStore>(
        _ snapshot: borrowing Snapshot<Schema, Store>
    ) throws {
        var expected = states.indices.lazy.compactMap { [states] stream in
            Schema.openedAt(states[stream]).map { (UInt64(stream), $0) }
        }.makeIterator()
        var isEqual = true
        try snapshot.forEachOpen { stream, openedAt in
            report.rows += 1
            isEqual = expected.next().map { $0 == (stream, openedAt) } == true
            return isEqual ? .more : .stop
        }
        if !isEqual || expected.next() != nil {
            report.find(.rowDiffers, at: nil, "The rows of open streams differ.")
        }
    }

    private mutating func compareOutcomes<Store: LogStore>(
        _ snapshot: borrowing Snapshot<Schema, Store>
    ) throws {
        var expected = changes.outcomes.makeIterator()
        var isEqual = true
        try snapshot.forEachOutcome { position, row in
            report.rows += 1
            let outcome = expected.next()
            isEqual = outcome.map { $0.position == position && row.equals($0.row) } == true
            return isEqual ? .more : .stop
        }
        if !isEqual || expected.next() != nil {
            report.find(.rowDiffers, at: nil, "The rows of outcomes differ.")
        }
    }
}

extension RawSpan {
    /// The stream at the end of a shared identity's key; nil when the key cannot be one.
    fileprivate var sharedStream: UInt64? {
        guard byteCount >= IdentityKey.sharedOverhead else { return nil }
        let length = UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: 1, as: UInt16.self))
        guard byteCount == IdentityKey.sharedOverhead + Int(length) else { return nil }
        return UInt64(
            bigEndian: unsafeLoadUnaligned(fromByteOffset: byteCount - 8, as: UInt64.self))
    }
}
