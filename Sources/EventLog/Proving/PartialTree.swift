public import Cryptography

/// A tree that is put together from left to right, of leaves and of whole subtrees of which
/// nothing but the hash is at hand.
///
/// What is added begins where the last part ended, so that no leaf can be left out or told twice.
/// In memory it takes a hash for each level.
public struct PartialTree {
    /// How many leaves it has so far.
    public private(set) var size: UInt64 = 0
    private var parts: [(subtree: Subtree, hash: Digest)] = []
    private let sha = SHA256Box()

    /// A tree without leaves.
    public init() {}

    /// Adds one leaf.
    public mutating func add(_ leaf: Digest) {
        join(leaf, Subtree(level: 0, index: size))
    }

    /// Adds a full subtree by its hash; false, and nothing changes, where it cannot begin here.
    public mutating func add(_ hash: Digest, of subtree: Subtree) -> Bool {
        guard 0..<63 ~= subtree.level, size >> UInt64(subtree.level) == subtree.index,
            subtree.index << UInt64(subtree.level) == size,
            1 << UInt64(subtree.level) <= UInt64(Int64.max) - size
        else { return false }
        join(hash, subtree)
        return true
    }

    /// Adds the subtrees that cover the leaves from its end up to `end`, in their order; false
    /// where there are more or fewer hashes than that takes.
    public mutating func add(_ hashes: [Digest], upTo end: UInt64) -> Bool {
        guard end >= size, end <= UInt64(Int64.max) else { return false }
        let subtrees = ProofShape.cover(size..<end)
        guard subtrees.count == hashes.count else { return false }
        for (subtree, hash) in zip(subtrees, hashes) { join(hash, subtree) }
        return true
    }

    /// The root over what was added.
    public func root() -> Digest {
        guard var root = parts.last?.hash else { return MerkleFrontier().root() }
        for (_, hash) in parts.dropLast().reversed() { root = sha.node(hash, root) }
        return root
    }

    /// Joins neighbouring full subtrees of one height into the next greater one.
    private mutating func join(_ hash: Digest, _ subtree: Subtree) {
        var (subtree, hash) = (subtree, hash)
        size += 1 << UInt64(subtree.level)
        while subtree.index & 1 == 1, let left = parts.last,
            left.subtree.level == subtree.level, left.subtree.index == subtree.index - 1
        {
            parts.removeLast()
            hash = sha.node(left.hash, hash)
            subtree = Subtree(level: subtree.level + 1, index: subtree.index >> 1)
        }
        parts.append((subtree, hash))
    }
}

/// One hashing context for many nodes; making one takes longer than using it.
final class SHA256Box {
    private var sha = SHA256()

    func node(_ left: Digest, _ right: Digest) -> Digest { sha.hash(prefix: 0x01, left, right) }
}
