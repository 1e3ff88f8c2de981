public import Cryptography

extension Snapshot {
    /// The root over the first `size` records; throws `DAMAGED`, `INVALID_REQUEST` beyond the end.
    public func root(ofSize size: UInt64) throws(LogError) -> Digest {
        try checkSize(size)
        return try tree.root(of: 0..<size)
    }

    /// The hashes that show the record at a position in the tree of `size` records, leaf first.
    ///
    /// Reads some hundred rows whatever the log's size. Throws as ``root(ofSize:)``.
    public func inclusionProof(
        of position: UInt64, in size: UInt64
    ) throws(LogError) -> [Digest] {
        try checkSize(size)
        guard position < size else {
            throw .invalid("A tree of \(size) records has no position \(position).")
        }
        return try tree.hashes(of: ProofShape.inclusion(of: position, in: 0..<size))
    }

    /// The hashes that show the tree of `old` records at the beginning of that of `new`.
    ///
    /// None for equal sizes and from size 0. Throws as ``root(ofSize:)``.
    public func growthProof(from old: UInt64, to new: UInt64) throws(LogError) -> [Digest] {
        try checkSize(new)
        guard old <= new else { throw .invalid("A log does not shrink from \(old) to \(new).") }
        return try tree.hashes(of: ProofShape.consistency(of: 0..<old, in: new))
    }

    /// The hashes of what lies left and right of a slice: with the slice's own leaf hashes they
    /// give the root, so that no record of it can be left out.
    ///
    /// Throws as ``root(ofSize:)``.
    public func rangeProof(
        of range: Range<UInt64>, in size: UInt64
    ) throws(LogError) -> RangeProof {
        try checkSize(size)
        guard range.upperBound <= size else {
            throw .invalid("A tree of \(size) records ends before \(range.upperBound).")
        }
        return RangeProof(
            left: try tree.hashes(of: ProofShape.cover(0..<range.lowerBound)),
            right: try tree.hashes(of: ProofShape.cover(range.upperBound..<size)))
    }

    /// The full subtrees that cover a range, from left to right, with their hashes.
    ///
    /// Throws as ``root(ofSize:)``.
    public func cover(
        of range: Range<UInt64>
    ) throws(LogError) -> [(subtree: Subtree, hash: Digest)] {
        try checkSize(range.upperBound)
        let subtrees = ProofShape.cover(range)
        return Array(zip(subtrees, try tree.hashes(of: subtrees)))
    }

    /// The hashes of a tile.
    public func hashes(of tile: Tile) throws(LogError) -> [Digest] {
        try tree.hashes(of: tile.subtrees)
    }

    private var tree: StoredTree<Store.Reader> { StoredTree(reader: reader) }

    private func checkSize(_ size: UInt64) throws(LogError) {
        guard size <= end else {
            throw .invalid("The log has \(end) records, not \(size).")
        }
    }
}

/// What lies beside a slice of a log: see ``MerkleProof/root(ofSlice:from:in:left:right:)``.
public struct RangeProof: Sendable, Hashable {
    /// Hashes of the full subtrees that cover what lies before, from left to right.
    public let left: [Digest]
    /// Hashes of the full subtrees that cover what lies behind, from left to right.
    public let right: [Digest]

    /// A proof from its parts.
    public init(left: [Digest], right: [Digest]) {
        self.left = left
        self.right = right
    }
}

extension EventLog {
    /// Proves that a record is in the log: under the seal of `size`, else under the last one.
    ///
    /// The proof is checked before it is given out. Throws `NOT_SEALED` when no such seal covers
    /// the position, `DAMAGED` when the records do not give the sealed root.
    public func proof(
        of position: UInt64, sealedAt size: UInt64? = nil
    ) throws(LogError) -> ProofFile {
        try reading { (snapshot) throws(LogError) in
            let seal = try snapshot.seal(size)
            guard position < seal.head.size else {
                throw LogError(
                    .notSealed,
                    "No seal covers position \(position): this one is of size \(seal.head.size).",
                    hint: "Seal the log first.", position: position)
            }
            let hashes = try snapshot.inclusionProof(of: position, in: seal.head.size)
            let leaf = try snapshot.leafHash(at: position)
            let isRight = MerkleProof.includes(
                leaf, at: position, in: seal.head.size, root: seal.head.root, proof: hashes)
            guard isRight else { throw .historyRewritten(below: seal.head.size) }
            return ProofFile(index: position, hashes: hashes, seal: seal)
        }
    }

    /// Proves that the log of `old` records only grew into that of the last seal, or of `size`.
    ///
    /// `oldRoot`, where it is known, is compared. Throws `NOT_SEALED`, `ROLLED_BACK` when the seal
    /// is of a smaller size, `FORK`, `HISTORY_REWRITTEN`.
    public func growthProof(
        from old: UInt64, root oldRoot: Digest? = nil, toSealAt size: UInt64? = nil
    ) throws(LogError) -> GrowthProof {
        try reading { (snapshot) throws(LogError) in
            let seal = try snapshot.seal(size)
            let new = seal.head
            guard old <= new.size else { throw .rolledBack(to: new.size, from: old) }
            if old == new.size, let oldRoot, oldRoot != new.root { throw .fork(old) }
            let hashes = try snapshot.growthProof(from: old, to: new.size)
            let root: Digest
            if let oldRoot { root = oldRoot } else { root = try snapshot.root(ofSize: old) }
            let isRight = MerkleProof.isGrowth(
                from: old, root, to: new.size, new.root, proof: hashes)
            guard isRight else { throw .historyRewritten(below: old) }
            return GrowthProof(oldSize: old, hashes: hashes, seal: seal)
        }
    }
}

extension Snapshot {
    fileprivate func seal(_ size: UInt64?) throws(LogError) -> Seal {
        let seal: Seal?
        if let size { seal = try reader.seal(ofSize: size) } else { seal = try reader.lastSeal() }
        if let seal {
            guard seal.head.size <= end else {
                throw .rolledBack(to: end, from: seal.head.size)
            }
            return seal
        }
        throw LogError(
            .notSealed,
            size.map { "There is no seal of size \($0)." } ?? "The log has not been sealed yet.",
            hint: "Seal the log first.")
    }
}

extension EventLog {
    /// The bytes of a record that its leaf hash covers; throws `DAMAGED` when there is none.
    package func recordBytes(at position: UInt64) throws(LogError) -> [UInt8] {
        try reading { (snapshot) throws(LogError) in
            try snapshot.reader.record(at: position) { $0.bytes.copied() }
        }
    }

    /// Where the event of an id stands; nil when there is none.
    ///
    /// Reads the whole log.
    package func position(of id: EventID) throws(LogError) -> UInt64? {
        var found: UInt64?
        var next: UInt64 = 0
        let total = try reading { $0.end }
        // Records never change, so that no snapshot must be held over all of them.
        while next < total, found == nil {
            let slice = next..<min(next + Limits.eventsPerScanSlice, total)
            try reading { (snapshot) throws(LogError) in
                try snapshot.reader.scan(.log, from: slice.lowerBound) { position, stored in
                    guard position < slice.upperBound else { return .stop }
                    if RecordView(stored: stored)?.eventID == id { found = position }
                    return found == nil ? .more : .stop
                }
            }
            next = slice.upperBound
        }
        return found
    }
}
