import Cryptography
import Foundation
import TestSupport

@testable import EventLog

/// The public vectors of trees, notes and proofs, read from their file.
struct ProofVectors: Decodable {
    struct Inclusion: Decodable {
        let index: UInt64
        let size: UInt64
        let proof: [String]
        let root: String?
        let leafHash: String?
        let why: String?
    }

    struct Consistency: Decodable {
        let old: UInt64
        let new: UInt64
        let proof: [String]
        let oldRoot: String?
        let newRoot: String?
        let why: String?
    }

    struct Slice: Decodable {
        let start: UInt64
        let end: UInt64
        let size: UInt64
        let left: [String]
        let right: [String]
        let leafHashes: [String]?
        let root: String?
        let why: String?
    }

    struct Standard: Decodable {
        let leafHashes: [String]
        let rootsBySize: [String]
        let frontierBySize: [String]
        let inclusion: [Inclusion]
        let consistency: [Consistency]
    }

    struct Slices: Decodable {
        let good: [Slice]
        let bad: [Slice]
    }

    struct Rolling: Decodable {
        struct Published: Decodable {
            let hashes: String
            let inclusion: String
            let consistency: String
        }

        let published: Published
    }

    struct Counted: Decodable {
        struct Tiles: Decodable { let paths: [String] }

        let inclusion: [Inclusion]
        let consistency: [Consistency]
        let tileExampleSize70000: Tiles
        let tilePath1234067: String

        enum CodingKeys: String, CodingKey {
            case inclusion, consistency
            case tileExampleSize70000 = "tileExampleSize70000"
            case tilePath1234067 = "tilePath1234067"
        }
    }

    struct Note: Decodable {
        let vkeys: [String]
        let note: String
        let text: String?
        let verified: [String]?
        let seed: String?
        let why: String?
    }

    struct Notes: Decodable {
        let good: [Note]
        let bad: [Note]
    }

    struct Heads: Decodable {
        struct Log: Decodable {
            let origin: String
            let vkey: String
            let seed: String
            let entriesUtf8: [String]
            let checkpointsBySize: [String]
        }

        struct Text: Decodable {
            let text: String
            let origin: String?
            let size: UInt64?
            let root: String?
            let extensions: [String]?
            let why: String?
        }

        let log: Log
        let parseGood: [Text]
        let parseBad: [Text]
    }

    struct Cosignature: Decodable {
        let witnessSeed: String
        let witnessVkey: String
        let logVkey: String
        let time: UInt64
        let checkpoint: String
    }

    struct Proofs: Decodable {
        struct Proof: Decodable {
            let entryUtf8: String
            let proofFile: String
            let index: UInt64?
            let why: String?
        }

        let vkeys: [String]
        let good: [Proof]
        let bad: [Proof]
    }

    let std8: Standard
    let negativeInclusion: [Inclusion]
    let negativeConsistency: [Consistency]
    let rangeProofs: Slices
    let accumulated130: Rolling
    let counterLeaves: Counted
    let signedNotes: Notes
    let checkpoints: Heads
    let cosignatureV1: Cosignature
    let tlogProofs: Proofs

    static func read() throws -> ProofVectors {
        guard let data = try Vectors.upstream("merkle-vectors.json") else {
            throw CocoaError(.fileNoSuchFile)
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(ProofVectors.self, from: data)
    }
}

/// A tree whose leaves are all at hand and of which nothing else is kept.
struct LeafTree: MerkleSource {
    var leaves: [Digest] = []

    init() {}

    /// A tree over records.
    init(_ records: some Sequence<[UInt8]>) {
        leaves = records.map { MerkleProof.leafHash(of: $0) }
    }

    func leaf(_ index: UInt64) throws(LogError) -> Digest { leaves[Int(index)] }

    func node(_ subtree: Subtree) throws(LogError) -> Digest? { nil }

    /// The root as RFC 6962 defines it, by recursion: what everything else is held against.
    func oracle(_ range: Range<Int>) -> Digest {
        switch range.count {
        case 0: return SHA256.hash([UInt8]())
        case 1: return leaves[range.lowerBound]
        default:
            var half = 1
            while half * 2 < range.count { half *= 2 }
            let middle = range.lowerBound + half
            let left = oracle(range.lowerBound..<middle)
            let right = oracle(middle..<range.upperBound)
            return SHA256.hash([0x01] + left.bytes + right.bytes)
        }
    }
}

extension [String] {
    /// The hashes; nil when one of them is none.
    var digests: [Digest]? {
        let digests = compactMap { Digest(hex: $0) }
        return digests.count == count ? digests : nil
    }
}
