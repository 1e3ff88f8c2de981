import Cryptography
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Proofs of the public vectors", .enabled(if: Vectors.hasUpstream))
struct ProofVectorTests {
    private func signer(
        _ name: String, _ kind: NoteSignatureKind, _ seed: String
    ) throws -> NoteSigner {
        let bytes = try #require(Hex.decode(seed))
        let text = try #require(NoteSigner.text(name: name, kind: kind, seed: bytes))
        return try #require(NoteSigner(text))
    }

    @Test("Every inclusion and growth proof of the standard tree is made and holds")
    func standard() throws {
        let vectors = try ProofVectors.read().std8
        var tree = LeafTree()
        tree.leaves = try #require(vectors.leafHashes.digests)
        let roots = try #require(vectors.rootsBySize.digests)
        #expect(vectors.inclusion.count == 36)
        for vector in vectors.inclusion {
            let proof = try tree.hashes(
                of: ProofShape.inclusion(of: vector.index, in: 0..<vector.size))
            #expect(proof.map(\.hex) == vector.proof)
            #expect(
                MerkleProof.includes(
                    tree.leaves[Int(vector.index)], at: vector.index, in: vector.size,
                    root: roots[Int(vector.size)], proof: proof))
        }
        #expect(vectors.consistency.count == 45)
        for vector in vectors.consistency {
            let proof = try tree.hashes(
                of: ProofShape.consistency(of: 0..<vector.old, in: vector.new))
            #expect(proof.map(\.hex) == vector.proof)
            #expect(
                MerkleProof.isGrowth(
                    from: vector.old, roots[Int(vector.old)], to: vector.new,
                    roots[Int(vector.new)], proof: proof))
        }
        var frontier = MerkleFrontier()
        var sha = SHA256()
        for (size, text) in vectors.frontierBySize.enumerated() {
            var stored: [UInt8] = []
            frontier.encode(into: &stored)
            #expect(Hex.encode(stored) == text)
            if size < tree.leaves.count { frontier.add(tree.leaves[size], using: &sha) { _ in } }
        }
    }

    @Test("No proof that was tampered with holds")
    func negative() throws {
        let vectors = try ProofVectors.read()
        #expect(vectors.negativeInclusion.count == 75)
        for vector in vectors.negativeInclusion {
            // A hash of another length is refused before any tree is looked at.
            guard let proof = vector.proof.digests else { continue }
            let leaf = try #require(Digest(hex: vector.leafHash ?? ""))
            let root = try #require(Digest(hex: vector.root ?? ""))
            #expect(
                !MerkleProof.includes(
                    leaf, at: vector.index, in: vector.size, root: root, proof: proof),
                "\(vector.why ?? "")")
        }
        #expect(vectors.negativeConsistency.count == 61)
        for vector in vectors.negativeConsistency {
            guard let proof = vector.proof.digests else { continue }
            let old = try #require(Digest(hex: vector.oldRoot ?? ""))
            let new = try #require(Digest(hex: vector.newRoot ?? ""))
            #expect(
                !MerkleProof.isGrowth(from: vector.old, old, to: vector.new, new, proof: proof),
                "\(vector.why ?? "")")
        }
    }

    @Test("A slice with its two sides gives the root, and a slice with a hole does not")
    func slices() throws {
        let vectors = try ProofVectors.read()
        let leaves = try #require(vectors.std8.leafHashes.digests)
        let roots = vectors.std8.rootsBySize
        for vector in vectors.rangeProofs.good {
            var tree = LeafTree()
            tree.leaves = leaves
            let left = try tree.hashes(of: ProofShape.cover(0..<vector.start))
            let right = try tree.hashes(of: ProofShape.cover(vector.end..<vector.size))
            #expect(left.map(\.hex) == vector.left)
            #expect(right.map(\.hex) == vector.right)
            let root = MerkleProof.root(
                ofSlice: Array(leaves[Int(vector.start)..<Int(vector.end)]), from: vector.start,
                in: vector.size, left: left, right: right)
            #expect(root?.hex == roots[Int(vector.size)])
        }
        for vector in vectors.rangeProofs.bad {
            let root = MerkleProof.root(
                ofSlice: try #require(vector.leafHashes?.digests), from: vector.start,
                in: vector.size, left: try #require(vector.left.digests),
                right: try #require(vector.right.digests))
            #expect(root?.hex != vector.root, "\(vector.why ?? "")")
        }
    }

    @Test("The rolling hashes over all trees of up to 130 leaves come out")
    func rolling() throws {
        let tree = LeafTree((0..<130).map { [UInt8($0)] })
        var hashes = SHA256()
        var inclusion = SHA256()
        var consistency = SHA256()
        func line(_ start: String, _ proof: [Digest]) -> [UInt8] {
            Array((start + proof.map { " " + $0.hex }.joined() + "\n").utf8)
        }
        func isValid(_ start: UInt64, _ end: UInt64) -> Bool {
            var width: UInt64 = 1
            while width < end - start { width *= 2 }
            return start == 0 || start == end || start.isMultiple(of: width)
        }
        for end in 0...UInt64(130) {
            for start in 0...end where isValid(start, end) {
                let root = try tree.root(of: start..<end)
                hashes.update(Array("[\(start), \(end)) \(root.hex)\n".utf8))
                for index in start..<end {
                    let shape = ProofShape.inclusion(of: index, in: start..<end)
                    inclusion.update(
                        line("\(index) [\(start), \(end))", try tree.hashes(of: shape)))
                }
            }
        }
        for size in 0...UInt64(130) {
            for end in 0...size {
                for start in 0...end where isValid(start, end) {
                    let shape = ProofShape.consistency(of: start..<end, in: size)
                    consistency.update(
                        line("[\(start), \(end)) \(size)", try tree.hashes(of: shape)))
                }
            }
        }
        let published = try ProofVectors.read().accumulated130.published
        #expect(hashes.finalize().hex == published.hashes)
        #expect(inclusion.finalize().hex == published.inclusion)
        #expect(consistency.finalize().hex == published.consistency)
    }

    @Test("Proofs of large trees are the known ones, and tiles have the known paths")
    func counted() throws {
        let vectors = try ProofVectors.read().counterLeaves
        let tree = LeafTree((0..<UInt64(70_000)).lazy.map { $0.bigEndianBytes })
        for vector in vectors.inclusion {
            let proof = try tree.hashes(
                of: ProofShape.inclusion(of: vector.index, in: 0..<vector.size))
            #expect(proof.map(\.hex) == vector.proof)
        }
        for vector in vectors.consistency {
            let proof = try tree.hashes(
                of: ProofShape.consistency(of: 0..<vector.old, in: vector.new))
            #expect(proof.map(\.hex) == vector.proof)
        }
        let tiles = Tile.all(of: 70_000)
        let paths = Set(tiles.map(\.path))
        #expect(tiles.count == 273 + 1 + 1 + 1 + 1)
        #expect(paths.isSuperset(of: vectors.tileExampleSize70000.paths))
        #expect(Tile(level: 0, index: 1_234_067).path == vectors.tilePath1234067)
        let tile = Tile(level: 1, index: 1, width: 17)
        #expect(try tree.hashes(of: tile.subtrees).first == tree.root(of: 65_536..<65_792))
    }

    @Test("Signed notes are read as everybody reads them, and the bad ones refused")
    func notes() throws {
        let vectors = try ProofVectors.read().signedNotes
        for vector in vectors.good {
            let note = try SignedNote(Array(vector.note.utf8))
            #expect(note.text == Array((vector.text ?? "").utf8))
            #expect(note.bytes == Array(vector.note.utf8))
            let keys = vector.vkeys.compactMap { NoteVerifier($0) }
            #expect(keys.map(\.description) == vector.vkeys)
            #expect(try note.check(with: keys).map(\.verifier.name) == vector.verified)
            if let seed = vector.seed {
                let signer = try signer(keys[0].name, .ed25519, seed)
                #expect(SignedNote(text: note.text, signedBy: [signer], at: 0) == note)
            }
        }
        for vector in vectors.bad {
            #expect(throws: LogError.self, "\(vector.why ?? "")") {
                let note = try SignedNote(Array(vector.note.utf8))
                _ = try note.check(with: vector.vkeys.compactMap { NoteVerifier($0) })
            }
        }
    }

    @Test("Tree heads are read strictly, and a public log's are signed byte for byte")
    func heads() throws {
        let vectors = try ProofVectors.read().checkpoints
        for vector in vectors.parseGood {
            let head = try TreeHead(Array(vector.text.utf8))
            #expect(head.origin == vector.origin)
            #expect(head.size == vector.size)
            #expect(head.root.hex == vector.root)
            #expect(head.extensions == vector.extensions)
            #expect(head.text == Array(vector.text.utf8))
        }
        for vector in vectors.parseBad {
            #expect(throws: LogError.self, "\(vector.why ?? "")") {
                try TreeHead(Array(vector.text.utf8))
            }
        }
        let log = vectors.log
        let signer = try signer(log.origin, .ed25519, log.seed)
        #expect(signer.verifier.description == log.vkey)
        let tree = LeafTree(log.entriesUtf8.map { Array($0.utf8) })
        #expect(log.checkpointsBySize.count == 16)
        for (size, text) in log.checkpointsBySize.enumerated() {
            let head = TreeHead(
                origin: log.origin, size: UInt64(size), root: try tree.root(of: 0..<UInt64(size)))
            #expect(Seal(head, signedBy: [signer], at: 0).bytes == Array(text.utf8))
        }
    }

    @Test("A cosignature states its time and is made byte for byte")
    func cosignature() throws {
        let vector = try ProofVectors.read().cosignatureV1
        let seal = try Seal(Array(vector.checkpoint.utf8))
        let keys = [vector.logVkey, vector.witnessVkey].compactMap { NoteVerifier($0) }
        let checked = try seal.note.check(with: keys)
        #expect(checked.map(\.time) == [nil, vector.time])
        let signer = try signer(keys[1].name, .timed, vector.witnessSeed)
        #expect(signer.verifier.description == vector.witnessVkey)
        #expect(signer.sign(seal.note.text, at: vector.time) == seal.note.signatures[1])
        #expect(NoteSigner("\(signer.verifier)") == nil)
    }

    @Test("Proof files are read, checked and written as everybody does")
    func proofFiles() throws {
        let vectors = try ProofVectors.read().tlogProofs
        let keys = vectors.vkeys.compactMap { NoteVerifier($0) }
        for vector in vectors.good {
            let proof = try ProofFile(Array(vector.proofFile.utf8))
            #expect(proof.index == vector.index)
            #expect(proof.bytes == Array(vector.proofFile.utf8))
            #expect(try !proof.check(Array(vector.entryUtf8.utf8), with: keys).isEmpty)
            #expect(throws: LogError.self) { try proof.check([1], with: keys) }
        }
        for vector in vectors.bad {
            #expect(throws: LogError.self, "\(vector.why ?? "")") {
                let proof = try ProofFile(Array(vector.proofFile.utf8))
                _ = try proof.check(Array(vector.entryUtf8.utf8), with: keys)
            }
        }
    }
}
