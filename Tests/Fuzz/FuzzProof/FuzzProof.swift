import CheckoutLedger
import Cryptography
import EventLog

/// Reads any bytes as a proof, a proof of growth and an export's manifest with its proof.
///
/// What is read is written again as it was; no proof shows a record that a known log does not have,
/// or growth from a history that it did not have.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    checkProof(bytes)
    checkGrowth(bytes)
    checkExport(bytes)
    checkHashes(bytes)
    return 0
}

/// A log of seven records and its seal.
private struct KnownLog: Sendable {
    static let records = (0..<7).map { Array("record \($0)".utf8) }
    static let leaves = records.map { MerkleProof.leafHash(of: $0) }
    static let shared = make()

    let verifiers: [NoteVerifier]
    let seal: Seal
    /// Of the first records, by their number.
    let heads: [TreeHead]

    private static func make() -> KnownLog {
        let seed = [UInt8](repeating: 1, count: 32)
        guard let text = NoteSigner.text(name: "fuzz", kind: .ed25519, seed: seed),
            let signer = NoteSigner(text)
        else { fatalError("the fixed key is refused") }
        var tree = PartialTree()
        var heads = [TreeHead(origin: "fuzz", size: 0, root: tree.root())]
        for leaf in leaves {
            tree.add(leaf)
            heads.append(TreeHead(origin: "fuzz", size: tree.size, root: tree.root()))
        }
        return KnownLog(
            verifiers: [signer.verifier], seal: Seal(heads[7], signedBy: [signer], at: 1),
            heads: heads)
    }
}

private func checkProof(_ bytes: [UInt8]) {
    guard let proof = try? ProofFile(bytes) else { return }
    require(proof.bytes == bytes, "a proof is written as it was read")
    for (index, record) in KnownLog.records.enumerated()
    where (try? proof.check(record, with: KnownLog.shared.verifiers)) != nil {
        require(proof.index == UInt64(index), "a record is at its own position only")
        require(proof.seal.head == KnownLog.shared.seal.head, "the seal is the one there is")
    }
    for stranger in [[], [0], Array("record 7".utf8)] {
        require(
            (try? proof.check(stranger, with: KnownLog.shared.verifiers)) == nil,
            "no other record is proven")
    }
}

private func checkGrowth(_ bytes: [UInt8]) {
    guard let growth = try? GrowthProof(bytes) else { return }
    require(growth.bytes == bytes, "a proof of growth is written as it was read")
    let isSigned = (try? growth.seal.note.check(with: KnownLog.shared.verifiers)) != nil
    for head in KnownLog.shared.heads {
        let isShown = (try? growth.check(from: head)) != nil
        if isShown { require(growth.oldSize == head.size, "growth is from one size") }
        let other = TreeHead(origin: "fuzz", size: head.size, root: KnownLog.leaves[6])
        require(!isSigned || (try? growth.check(from: other)) == nil, "no fork is growth")
    }
}

/// A manifest, an empty line, the lines of the proof.
private func checkExport(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let first = lines.first, var check = try? ExportCheck(manifest: Array(first)) else {
        return
    }
    var rows: UInt64 = 0
    for (number, line) in lines.dropFirst().enumerated() where !line.isEmpty {
        let line = TextLine(number: number + 1, offset: 0, bytes: Array(line), isEnded: true)
        do {
            if try check.take(line) != nil { rows += 1 }
        } catch {
            return
        }
    }
    require(check.manifest.summary.rows == rows, "each row is counted")
    let sums = SHA256.hash(bytes)
    require(
        (try? check.finish(sha256: sums, proofSHA256: sums, with: KnownLog.shared.verifiers))
            == nil, "no file has two hashes at once")
}

/// The bytes as numbers and hashes of proofs, which reach deeper than their texts.
private func checkHashes(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return }
    let (index, size) = (UInt64(bytes[0]), UInt64(bytes[1]))
    var hashes: [Digest] = []
    for byte in bytes.dropFirst(2).prefix(70) {
        hashes.append(
            byte < 7
                ? KnownLog.leaves[Int(byte)] : KnownLog.shared.heads[Int(byte) % 8].root)
    }
    let log = KnownLog.shared
    for (place, leaf) in KnownLog.leaves.enumerated()
    where MerkleProof.includes(
        leaf, at: index, in: 7, root: log.heads[7].root, proof: hashes)
    {
        require(index == UInt64(place), "a leaf is at its own place only")
    }
    _ = MerkleProof.isGrowth(
        from: index, log.heads[Int(index % 8)].root, to: size, log.heads[7].root, proof: hashes)
    _ = MerkleProof.root(
        ofSlice: KnownLog.leaves, from: index, in: size, left: hashes, right: hashes)
    var tree = PartialTree()
    for (hash, byte) in zip(hashes, bytes) {
        let before = tree.size
        let level = Int(byte & 63)
        let isTaken = tree.add(hash, of: Subtree(level: level, index: before >> UInt64(level)))
        require(isTaken == (tree.size > before), "a part is taken or not")
    }
    _ = tree.root()
}

/// `precondition` would say nothing in an optimised build.
private func require(_ holds: Bool, _ rule: StaticString) {
    if !holds { fatalError("broken: \(rule)") }
}
