/// A full subtree of the Merkle tree: 2^level leaves from `index` · 2^level on.
public struct Subtree: Sendable, Hashable {
    /// Its height, 0 for a leaf.
    public let level: Int
    /// Its place among the subtrees of that height, from 0.
    public let index: UInt64

    /// A subtree by its height and its place there.
    public init(level: Int, index: UInt64) {
        self.level = level
        self.index = index
    }
}

/// Which parts of a tree a proof consists of; knows places, no hashes.
///
/// Each range is one hash of the proof: that of the tree over its leaves. Making a proof is to
/// hash the ranges in order, wherever the hashes come from. The tree may also
/// be one that stands inside a greater one.
///
/// Source: RFC 6962 §2.1.1 and §2.1.2; for trees inside of others
/// draft-ietf-plants-merkle-tree-certs.
package enum ProofShape {
    /// What stands beside the way from a leaf to the root of the tree over `tree`, leaf first.
    package static func inclusion(
        of index: UInt64, in tree: Range<UInt64>
    ) -> [Range<UInt64>] {
        var rest = tree
        var parts: [Range<UInt64>] = []
        while rest.count > 1 {
            let middle = rest.lowerBound + leftCount(of: rest)
            if index < middle {
                parts.append(middle..<rest.upperBound)
                rest = rest.lowerBound..<middle
            } else {
                parts.append(rest.lowerBound..<middle)
                rest = middle..<rest.upperBound
            }
        }
        return parts.reversed()
    }

    /// What shows that the tree of `size` leaves holds the one over `old` unchanged; nothing for
    /// an empty or an equal one.
    package static func consistency(
        of old: Range<UInt64>, in size: UInt64
    ) -> [Range<UInt64>] {
        guard !old.isEmpty else { return [] }
        var old = old
        var rest = 0..<size
        var parts: [Range<UInt64>] = []
        var isKnown = true
        while old != rest {
            let middle = rest.lowerBound + leftCount(of: rest)
            if old.upperBound <= middle {
                parts.append(middle..<rest.upperBound)
                rest = rest.lowerBound..<middle
            } else {
                parts.append(rest.lowerBound..<middle)
                rest = middle..<rest.upperBound
                if old.lowerBound < middle {
                    // The old tree reaches into both halves: of the right one it lacks the name.
                    isKnown = false
                    old = middle..<old.upperBound
                }
            }
        }
        if !isKnown { parts.append(old) }
        return parts.reversed()
    }

    /// The fewest full subtrees that cover a range, from left to right.
    package static func cover(_ range: Range<UInt64>) -> [Subtree] {
        var subtrees: [Subtree] = []
        var next = range.lowerBound
        while next < range.upperBound {
            let room = 63 - (range.upperBound - next).leadingZeroBitCount
            let level = next == 0 ? room : min(next.trailingZeroBitCount, room)
            subtrees.append(Subtree(level: level, index: next >> UInt64(level)))
            next += 1 << UInt64(level)
        }
        return subtrees
    }

    /// How many leaves the left half has: the greatest power of two below the number of all.
    private static func leftCount(of range: Range<UInt64>) -> UInt64 {
        let count = range.upperBound - range.lowerBound
        return 1 << UInt64(63 - (count - 1).leadingZeroBitCount)
    }
}
