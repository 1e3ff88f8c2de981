import Cryptography
import EventLogTestKit
import TestSupport
import Testing

@testable import EventLog

@Suite("Proofs")
struct ProofTests {
    private func hash(_ number: Int) -> [UInt8] { Array("record \(number)".utf8) }

    @Test("Proofs of random trees agree with the definition and fail for anything else")
    func random() throws {
        var numbers = SeededNumbers(seed: 6)
        let tree = LeafTree((0..<700).map { hash($0) })
        for _ in 0..<400 {
            let size = UInt64.random(in: 1...700, using: &numbers)
            let index = UInt64.random(in: 0..<size, using: &numbers)
            let old = UInt64.random(in: 0...size, using: &numbers)
            let root = tree.oracle(0..<Int(size))
            #expect(try tree.root(of: 0..<size) == root)
            let leaf = tree.leaves[Int(index)]
            var path = try tree.hashes(of: ProofShape.inclusion(of: index, in: 0..<size))
            #expect(MerkleProof.includes(leaf, at: index, in: size, root: root, proof: path))
            let other = tree.leaves[Int(index) ^ 1]
            #expect(!MerkleProof.includes(other, at: index, in: size, root: root, proof: path))
            let oldRoot = tree.oracle(0..<Int(old))
            var growth = try tree.hashes(of: ProofShape.consistency(of: 0..<old, in: size))
            #expect(MerkleProof.isGrowth(from: old, oldRoot, to: size, root, proof: growth))
            // Everything begins with nothing.
            if old > 0, old < size {
                #expect(!MerkleProof.isGrowth(from: old, oldRoot, to: size, leaf, proof: growth))
            }
            path.append(leaf)
            #expect(!MerkleProof.includes(leaf, at: index, in: size, root: root, proof: path))
            growth.append(leaf)
            #expect(!MerkleProof.isGrowth(from: old, oldRoot, to: size, root, proof: growth))
        }
    }

    @Test("The frontier is right after reopening at every size from 0 to 600")
    func reopened() async throws {
        try await withPlace(.lmdb) { place in
            var tree = LeafTree()
            var sha = SHA256()
            var frontier = MerkleFrontier()
            for size in 0...600 {
                let log = try place.log()
                defer { log.close() }
                #expect(try log.read { try $0.frontier() } == frontier)
                if size.isMultiple(of: 50) {
                    #expect(frontier.root() == tree.oracle(0..<size))
                }
                _ = try await log.append([Tally.request("a", drafts: [Tally.draft()])])
                let leaf = try log.read { try $0.leafHash(at: UInt64(size)) }
                tree.leaves.append(leaf)
                frontier.add(leaf, using: &sha) { _ in }
            }
        }
    }

    /// A log of 66,000 records: so large that a hash of the sixteenth level is stored.
    private func largeLog(
        _ body: (TallyLog<TestStore>, LeafTree) async throws -> Void
    ) async throws {
        try await withLog(.memory) { log in
            for _ in 0..<66 {
                _ = try await log.append([
                    Tally.request("a", drafts: Array(repeating: Tally.draft(), count: 1_000))
                ])
            }
            var tree = LeafTree()
            try log.read { (snapshot) throws in
                try snapshot.forEachRecord(in: 0..<snapshot.end) { record in
                    tree.leaves.append(record.leafHash)
                    return .more
                }
            }
            try await body(log, tree)
        }
    }

    @Test("A tree of some leaves, and hashes in place of the others, has the root of all of them")
    func parts() throws {
        var numbers = SeededNumbers(seed: 7)
        let tree = LeafTree((0..<300).map { hash($0) })
        for _ in 0..<200 {
            let size = UInt64.random(in: 1...300, using: &numbers)
            var partial = PartialTree()
            while partial.size < size {
                let start = partial.size
                let end = UInt64.random(in: start...size, using: &numbers)
                let hidden = try tree.hashes(of: ProofShape.cover(start..<end))
                let takesMore = partial.add(hidden + [.zero], upTo: end)
                #expect(!takesMore && partial.size == start)
                let takesThese = partial.add(hidden, upTo: end)
                #expect(takesThese)
                if end < size { partial.add(tree.leaves[Int(end)]) }
            }
            #expect(partial.root() == tree.oracle(0..<Int(size)))
            #expect(partial.size == size)
        }
        var partial = PartialTree()
        partial.add(tree.leaves[0])
        // What does not begin where the last part ended.
        let strangers: [Subtree] = [
            Subtree(level: 1, index: 0), Subtree(level: 0, index: 0), Subtree(level: 0, index: 2),
            Subtree(level: 63, index: 0), Subtree(level: 62, index: 1),
            Subtree(level: -1, index: 1),
        ]
        let taken = strangers.filter { partial.add(.zero, of: $0) }
        let ends = [0, UInt64.max].filter { partial.add([], upTo: $0) }
        #expect(taken.isEmpty && ends.isEmpty && partial.size == 1)
        #expect(partial.root() == tree.leaves[0])
    }

    @Test("A log proves its records, growth and slices, and reads some hundred rows for a proof")
    func stored() async throws {
        try await largeLog { log, tree in
            var numbers = SeededNumbers(seed: 9)
            try log.read { (snapshot) throws in
                for round in 0..<8 {
                    let size = round == 0 ? 66_000 : UInt64.random(in: 1...66_000, using: &numbers)
                    let index = UInt64.random(in: 0..<size, using: &numbers)
                    let root = try tree.root(of: 0..<size)
                    #expect(try snapshot.root(ofSize: size) == root)
                    let path = try snapshot.inclusionProof(of: index, in: size)
                    #expect(
                        MerkleProof.includes(
                            tree.leaves[Int(index)], at: index, in: size, root: root, proof: path))
                    let growth = try snapshot.growthProof(from: index, to: size)
                    #expect(
                        MerkleProof.isGrowth(
                            from: index, try tree.root(of: 0..<index), to: size, root,
                            proof: growth))
                    let end = UInt64.random(in: index...size, using: &numbers)
                    let sides = try snapshot.rangeProof(of: index..<end, in: size)
                    let slice = Array(tree.leaves[Int(index)..<Int(end)])
                    #expect(
                        MerkleProof.root(
                            ofSlice: slice, from: index, in: size, left: sides.left,
                            right: sides.right) == root)
                }
                // As much of a large log as of a small one.
                let counting = CountingTree(tree: StoredTree(reader: snapshot.reader))
                _ = try counting.hashes(of: ProofShape.inclusion(of: 40_000, in: 0..<65_999))
                #expect(counting.leaves <= 2 * 255)
                #expect(counting.nodes <= 3 * 2 * 255 * 2)
                let tile = Tile(level: 1, index: 0)
                #expect(try snapshot.hashes(of: tile)[7] == tree.root(of: 1_792..<2_048))
                #expect(throws: LogError.self) { try snapshot.root(ofSize: 66_001) }
                #expect(throws: LogError.self) { try snapshot.inclusionProof(of: 5, in: 5) }
            }
        }
    }
}

/// Counts what a proof asks of a tree.
private final class CountingTree<Tree: MerkleSource>: MerkleSource {
    let tree: Tree
    private(set) var leaves = 0
    private(set) var nodes = 0

    init(tree: Tree) { self.tree = tree }

    func leaf(_ index: UInt64) throws(LogError) -> Digest {
        leaves += 1
        return try tree.leaf(index)
    }

    func node(_ subtree: Subtree) throws(LogError) -> Digest? {
        nodes += 1
        return try tree.node(subtree)
    }
}
