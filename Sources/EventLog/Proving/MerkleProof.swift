public import Cryptography

/// Checks proofs; pure functions of what they are given, without any log.
///
/// Hashes as RFC 6962 has it: leaf SHA-256(0x00 ‖ record), node SHA-256(0x01 ‖ left ‖ right). A
/// proof must have exactly the hashes that its sizes demand, at most 63.
///
/// Source: RFC 9162 §2.1.3.2 and §2.1.4.2; old size 0 as C2SP tlog-witness has it.
public enum MerkleProof {
    /// The leaf hash of a record's bytes.
    public static func leafHash(of record: [UInt8]) -> Digest {
        var sha = SHA256()
        return record.withUnsafeBytes { sha.hash($0, prefix: 0x00) }
    }

    /// The root of a tree of `size` leaves that has this leaf at `index`; nil when the proof does
    /// not fit the two numbers.
    public static func root(
        of leaf: Digest, at index: UInt64, in size: UInt64, with proof: [Digest]
    ) -> Digest? {
        guard index < size, proof.count <= Limits.proofHashes else { return nil }
        var sha = SHA256()
        var (place, last) = (index, size - 1)
        var root = leaf
        for hash in proof {
            guard last > 0 else { return nil }
            if place & 1 == 1 || place == last {
                root = sha.hash(prefix: 0x01, hash, root)
                skip(&place, &last)
            } else {
                root = sha.hash(prefix: 0x01, root, hash)
            }
            place >>= 1
            last >>= 1
        }
        return last == 0 ? root : nil
    }

    /// True when the tree with this size and root has the leaf at `index`.
    public static func includes(
        _ leaf: Digest, at index: UInt64, in size: UInt64, root: Digest, proof: [Digest]
    ) -> Bool {
        self.root(of: leaf, at: index, in: size, with: proof) == root
    }

    /// True when the newer tree begins with all leaves of the older one, unchanged.
    public static func isGrowth(
        from old: UInt64, _ oldRoot: Digest, to new: UInt64, _ newRoot: Digest, proof: [Digest]
    ) -> Bool {
        guard old <= new, proof.count <= Limits.proofHashes else { return false }
        if old == new { return proof.isEmpty && oldRoot == newRoot }
        if old == 0 { return proof.isEmpty && oldRoot == MerkleFrontier().root() }
        var path = proof[...]
        // The old root itself is the first hash where it is a full subtree of the new tree.
        guard let first = old.nonzeroBitCount == 1 ? oldRoot : path.popFirst() else {
            return false
        }
        var sha = SHA256()
        var (place, last) = (old - 1, new - 1)
        while place & 1 == 1 {
            place >>= 1
            last >>= 1
        }
        var (before, after) = (first, first)
        for hash in path {
            guard last > 0 else { return false }
            if place & 1 == 1 || place == last {
                before = sha.hash(prefix: 0x01, hash, before)
                after = sha.hash(prefix: 0x01, hash, after)
                skip(&place, &last)
            } else {
                after = sha.hash(prefix: 0x01, after, hash)
            }
            place >>= 1
            last >>= 1
        }
        return last == 0 && before == oldRoot && after == newRoot
    }

    /// The root of a tree of `size` leaves of which `leaves` are those from `start` on without a
    /// gap; nil when the hashes of what lies left and right do not fit the numbers.
    public static func root(
        ofSlice leaves: [Digest], from start: UInt64, in size: UInt64, left: [Digest],
        right: [Digest]
    ) -> Digest? {
        let (end, isTooFar) = start.addingReportingOverflow(UInt64(leaves.count))
        guard !isTooFar, end <= size else { return nil }
        var tree = PartialTree()
        guard tree.add(left, upTo: start) else { return nil }
        for leaf in leaves { tree.add(leaf) }
        return tree.add(right, upTo: size) ? tree.root() : nil
    }

    /// Climbs past the levels at which the last node of an unfinished tree has no sibling.
    private static func skip(_ place: inout UInt64, _ last: inout UInt64) {
        while place & 1 == 0, place > 0 {
            place >>= 1
            last >>= 1
        }
    }
}
