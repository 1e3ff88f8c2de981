import Cryptography
import EventLog

/// Reads any bytes as a signed note, a seal, a verifier key and a witness's memory.
///
/// What is read is written again exactly as it was, and nothing but the one text that the known key
/// signed passes for signed by it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    checkNote(bytes)
    checkKey(String(decoding: bytes, as: UTF8.self))
    checkWitness(bytes)
    return 0
}

/// A key that anybody may know, and what it signed.
private struct Known: Sendable {
    let signers: [NoteSigner]
    let seal: Seal

    var verifiers: [NoteVerifier] { signers.map(\.verifier) }

    static let shared = make()

    private static func make() -> Known {
        var signers: [NoteSigner] = []
        for (kind, name) in [(NoteSignatureKind.ed25519, "fuzz"), (.timed, "fuzz/time")] {
            let seed = [UInt8](repeating: kind.rawValue, count: 32)
            guard let text = NoteSigner.text(name: name, kind: kind, seed: seed),
                let signer = NoteSigner(text)
            else { fatalError("the fixed key is refused") }
            signers.append(signer)
        }
        let head = TreeHead(
            origin: "fuzz", size: 3, root: MerkleProof.leafHash(of: Array("root".utf8)))
        return Known(signers: signers, seal: Seal(head, signedBy: signers, at: 1_772_600_767))
    }
}

private func checkNote(_ bytes: [UInt8]) {
    guard let note = try? SignedNote(bytes) else {
        require((try? Seal(bytes)) == nil, "what is no note is no seal")
        return
    }
    require(note.bytes == bytes, "a note is written as it was read")
    require(!note.signatures.isEmpty, "a note has a signature")
    if let checked = try? note.check(with: Known.shared.verifiers) {
        require(note.text == Known.shared.seal.note.text, "no other text is signed")
        require(!checked.isEmpty && checked.count <= 2, "each key counts once")
    }
    guard let seal = try? Seal(bytes) else { return }
    require(seal.head.text == note.text, "a head is written as it was read")
    require(seal.head.size <= UInt64(Int64.max), "a size has its bound")
    require(seal.note == note, "a seal has its note")
}

private func checkKey(_ text: String) {
    if let verifier = NoteVerifier(text) {
        require("\(verifier)".utf8.elementsEqual(text.utf8), "a key is written as it was read")
    }
    if let signer = NoteSigner(text) {
        let seal = Seal(Known.shared.seal.head, signedBy: [signer], at: 1)
        require(
            (try? seal.note.check(with: [signer.verifier])) != nil, "what a key signs holds")
    }
}

private func checkWitness(_ bytes: [UInt8]) {
    guard let witness = try? Witness(bytes) else { return }
    guard let again = try? Witness(witness.bytes) else {
        fatalError("a memory cannot be read again")
    }
    require(again == witness, "a memory is kept")
    var taking = witness
    let growth = GrowthProof(oldSize: 0, hashes: [], seal: Known.shared.seal)
    let known = Known.shared
    guard
        (try? taking.take(growth, from: known.verifiers, signedBy: known.signers[1], at: 2)) != nil
    else { return }
    require(taking.head(of: "fuzz") == known.seal.head, "what is signed is remembered")
    let before = witness.head(of: "fuzz")
    require(before.map { $0.size == 0 || $0 == known.seal.head } ?? true, "no fork is signed")
}

/// `precondition` would say nothing in an optimised build.
private func require(_ holds: Bool, _ rule: StaticString) {
    if !holds { fatalError("broken: \(rule)") }
}
