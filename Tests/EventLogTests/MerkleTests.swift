import Cryptography
import EventLogTestKit
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("The Merkle tree")
struct MerkleTests {
    struct Vectors: Decodable {
        struct Standard: Decodable {
            let leaves: [String]
            let leafHashes: [String]
            let rootsBySize: [String]
            let frontiers: [Frontier]?
        }

        struct Frontier: Decodable {
            let size: UInt64
            let hashes: [String]?
            let encoded: String?
        }

        struct Counter: Decodable {
            struct Tree: Decodable {
                let size: UInt64
                let root: String
                let frontierHashes: Int
                let frontierSha256: String
            }

            let trees: [Tree]
        }

        let std8: Standard
        let counterLeaves: Counter
    }

    private func vectors() throws -> Vectors {
        let data = try #require(try TestSupport.Vectors.upstream("merkle-vectors.json"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Vectors.self, from: data)
    }

    private func leaf(_ bytes: [UInt8], _ sha: inout SHA256) -> Digest {
        bytes.withUnsafeBytes { sha.hash($0, prefix: 0x00) }
    }

    @Test(
        "Leaves, roots and frontiers of the public test set come out",
        .enabled(if: TestSupport.Vectors.hasUpstream))
    func standard() throws {
        let vectors = try vectors().std8
        var sha = SHA256()
        var frontier = MerkleFrontier()
        #expect(frontier.root().hex == vectors.rootsBySize[0])
        for (index, text) in vectors.leaves.enumerated() {
            let hash = leaf(try #require(Hex.decode(text)), &sha)
            #expect(hash.hex == vectors.leafHashes[index])
            frontier.add(hash, using: &sha) { _ in }
            #expect(frontier.root().hex == vectors.rootsBySize[index + 1])
            var stored: [UInt8] = []
            frontier.encode(into: &stored)
            #expect(MerkleFrontier(stored: stored.span.bytes) == frontier)
        }
    }

    @Test(
        "Trees over counted leaves have the known roots and frontiers",
        .enabled(if: TestSupport.Vectors.hasUpstream))
    func counted() throws {
        var sha = SHA256()
        var frontier = MerkleFrontier()
        for tree in try vectors().counterLeaves.trees where tree.size <= 300_000 {
            while frontier.size < tree.size {
                let bytes = withUnsafeBytes(of: frontier.size.bigEndian) { [UInt8]($0) }
                frontier.add(leaf(bytes, &sha), using: &sha) { _ in }
            }
            #expect(frontier.root().hex == tree.root)
            #expect(frontier.hashes.count == tree.frontierHashes)
            var stored: [UInt8] = []
            frontier.encode(into: &stored)
            #expect(SHA256.hash(stored).hex == tree.frontierSha256)
        }
    }

    @Test("The log's tree is the tree over its records, and every eighth level is stored")
    func stored() async throws {
        try await withLog(.lmdb) { log in
            for _ in 0..<3 {
                _ = try await log.append([
                    Tally.request("a", drafts: Array(repeating: Tally.draft(), count: 200))
                ])
            }
            try log.read { (snapshot) throws in
                var sha = SHA256()
                var frontier = MerkleFrontier()
                var block = MerkleFrontier()
                for position in 0..<snapshot.end {
                    let hash = leaf(try snapshot.record(at: position).bytes, &sha)
                    #expect(try snapshot.leafHash(at: position) == hash)
                    frontier.add(hash, using: &sha) { _ in }
                    block.add(hash, using: &sha) { _ in }
                    if (position + 1).isMultiple(of: 256) {
                        let node = try snapshot.node(level: 8, index: position / 256)
                        #expect(node == block.root())
                        block = MerkleFrontier()
                    }
                }
                #expect(try snapshot.frontier() == frontier)
                #expect(try snapshot.node(level: 8, index: 2) == nil)
            }
        }
    }
}
