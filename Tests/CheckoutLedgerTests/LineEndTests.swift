import CheckoutLedger
import EventLog
import Testing

@Suite("Lines that end in carriage returns")
struct LineEndTests {
    private static let logKey = "fuzz+45da85d5+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"

    @Test(
        "A witness's memory is read again as it was written, whatever stands in a log's head",
        arguments: ["", "\r", "\r\n", "note\r\nmore", "\u{E9}\r"])
    func witness(_ extra: String) throws {
        let root = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let lines = ["checkout-ledger/witness/1", Self.logKey, "fuzz", "0", root]
        let text = lines.joined(separator: "\n") + "\n" + (extra.isEmpty ? "" : extra + "\n") + "\n"
        guard let witness = try? Witness(Array(text.utf8)) else {
            #expect(extra == "\r\n", "only an empty line ends a head")
            return
        }
        #expect(try Witness(witness.bytes) == witness)
    }

    @Test("A key file that an editor of another system saved is the same key")
    func keys() throws {
        let seeds = [UInt8](repeating: 7, count: 32)
        let text = try #require(
            NoteSigner.text(name: "shop.example/log", kind: .ed25519, seed: seeds))
        let plain = try #require(SealKey(text + "\n"))
        let other = try #require(SealKey(text + "\r\n"))
        #expect(other.name == plain.name)
        #expect(
            other.signers.map(\.verifier.description) == plain.signers.map(\.verifier.description))
    }
}
