public import Cryptography

/// The hashes that a Merkle tree over the log needs to grow: one for each full subtree.
///
/// RFC 6962 hashing: leaf SHA-256(0x00 ‖ record), node SHA-256(0x01 ‖ left ‖ right), the empty
/// tree SHA-256(""). Holds `popcount(size)` hashes.
public struct MerkleFrontier: Sendable, Hashable {
    /// A full subtree that an added leaf completed.
    public struct Node: Sendable, Hashable {
        /// Its height: it spans 2^level leaves.
        public let level: Int
        /// Its place among the subtrees of that height, from 0.
        public let index: UInt64
        /// Its hash.
        public let hash: Digest
    }

    /// How many leaves were added.
    public private(set) var size: UInt64
    /// Hashes of the full subtrees, the largest (leftmost) first.
    public private(set) var hashes: [Digest]

    /// The frontier of no leaves.
    public init() {
        size = 0
        hashes = []
    }

    /// Reads `size u64be ‖ hashes`; nil unless the length is exactly right.
    init?(stored: RawSpan) {
        guard stored.byteCount >= 8 else { return nil }
        let size = UInt64(bigEndian: stored.unsafeLoadUnaligned(as: UInt64.self))
        guard stored.byteCount == 8 + size.nonzeroBitCount * Digest.byteCount else { return nil }
        self.size = size
        hashes = (0..<size.nonzeroBitCount).map { index in
            Digest(stored.extracting((8 + 32 * index)..<(40 + 32 * index)))
        }
    }

    /// How many bytes ``encode(into:)`` adds.
    @usableFromInline var encodedByteCount: Int { 8 + hashes.count * Digest.byteCount }

    /// Writes `size u64be ‖ hashes`.
    @usableFromInline
    func encode(into bytes: inout [UInt8]) {
        bytes.addBigEndian(size)
        for hash in hashes { hash.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    }

    /// Adds a leaf; tells `stored` each completed subtree of a level that is kept.
    @usableFromInline
    package mutating func add(_ leaf: Digest, using sha: inout SHA256, stored: (Node) -> Void) {
        var hash = leaf
        var level = 0
        var rest = size
        while rest & 1 == 1 {
            guard let left = hashes.popLast() else {
                preconditionFailure("a frontier has a hash for each bit of its size")
            }
            hash = sha.hash(prefix: 0x01, left, hash)
            level += 1
            rest >>= 1
            if level.isMultiple(of: TreeKey.storedLevelStep) {
                stored(Node(level: level, index: size >> UInt64(level), hash: hash))
            }
        }
        hashes.append(hash)
        size += 1
    }

    /// The root hash over all leaves so far.
    public func root() -> Digest {
        var sha = SHA256()
        guard var root = hashes.last else { return sha.finalize() }
        for left in hashes.dropLast().reversed() {
            root = sha.hash(prefix: 0x01, left, root)
        }
        return root
    }
}
