package import Cryptography

/// Where the hashes of a tree come from.
package protocol MerkleSource {
    /// The hash of one leaf.
    func leaf(_ index: UInt64) throws(LogError) -> Digest

    /// The hash of a full subtree where it is kept; nil where it must be made from its leaves.
    func node(_ subtree: Subtree) throws(LogError) -> Digest?
}

/// The tree as it is stored: every eighth level, and the records.
///
/// A proof takes at most 255 hashes of each kept level and 255 records at each of its two ragged
/// edges, whatever the log's size.
struct StoredTree<Reader: LogReading>: MerkleSource {
    let reader: Reader

    func leaf(_ index: UInt64) throws(LogError) -> Digest {
        try reader.record(at: index) { $0.leafHash }
    }

    func node(_ subtree: Subtree) throws(LogError) -> Digest? {
        guard subtree.level > 0, subtree.level.isMultiple(of: TreeKey.storedLevelStep) else {
            return nil
        }
        return try reader.node(subtree)
    }
}

extension MerkleSource {
    /// The hash of a full subtree.
    package func hash(of subtree: Subtree) throws(LogError) -> Digest {
        try hash(of: subtree, SHA256Box())
    }

    private func hash(of subtree: Subtree, _ sha: SHA256Box) throws(LogError) -> Digest {
        if subtree.level == 0 { return try leaf(subtree.index) }
        if let kept = try node(subtree) { return kept }
        let left = Subtree(level: subtree.level - 1, index: subtree.index << 1)
        let right = Subtree(level: subtree.level - 1, index: subtree.index << 1 | 1)
        return sha.node(try hash(of: left, sha), try hash(of: right, sha))
    }

    /// The root of the tree over a range that begins where a tree of its size may begin.
    package func root(of range: Range<UInt64>) throws(LogError) -> Digest {
        let sha = SHA256Box()
        let parts = ProofShape.cover(range)
        guard let last = parts.last else { return MerkleFrontier().root() }
        var root = try hash(of: last, sha)
        for part in parts.dropLast().reversed() { root = sha.node(try hash(of: part, sha), root) }
        return root
    }

    /// The hashes that a proof consists of.
    package func hashes(of shape: [Range<UInt64>]) throws(LogError) -> [Digest] {
        var hashes: [Digest] = []
        for range in shape { hashes.append(try root(of: range)) }
        return hashes
    }

    /// The hashes of full subtrees.
    package func hashes(of subtrees: [Subtree]) throws(LogError) -> [Digest] {
        let sha = SHA256Box()
        var hashes: [Digest] = []
        for subtree in subtrees { hashes.append(try hash(of: subtree, sha)) }
        return hashes
    }
}

extension LogReading {
    /// A kept hash of a full subtree.
    func node(_ subtree: Subtree) throws(LogError) -> Digest? {
        let key = TreeKey.key(level: subtree.level, index: subtree.index)
        return try value(.tree, key) { (row) throws(LogError) in
            guard row.byteCount == Digest.byteCount else {
                throw .damagedRow("A node of the Merkle tree")
            }
            return Digest(row)
        }
    }
}
