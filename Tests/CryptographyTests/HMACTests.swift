import Cryptography
import Testing

/// A published key, message and code.
struct HMACCase: Sendable, CustomTestStringConvertible {
    let id: String
    let key: [UInt8]
    let message: [UInt8]
    let hex: String
    var testDescription: String { id }
}

@Suite("HMAC")
struct HMACTests {
    static let sha256 = [
        HMACCase(
            id: "RFC 4231 case 1", key: [UInt8](repeating: 0x0b, count: 20),
            message: [UInt8]("Hi There".utf8),
            hex: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        HMACCase(
            id: "RFC 4231 case 2, short key", key: [UInt8]("Jefe".utf8),
            message: [UInt8]("what do ya want for nothing?".utf8),
            hex: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        HMACCase(
            id: "RFC 4231 case 3", key: [UInt8](repeating: 0xaa, count: 20),
            message: [UInt8](repeating: 0xdd, count: 50),
            hex: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        HMACCase(
            id: "RFC 4231 case 6, key longer than a block",
            key: [UInt8](repeating: 0xaa, count: 131),
            message: [UInt8]("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            hex: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    ]

    static let sha1 = [
        HMACCase(
            id: "RFC 2202 case 1", key: [UInt8](repeating: 0x0b, count: 20),
            message: [UInt8]("Hi There".utf8), hex: "b617318655057264e28bc0b6fb378c8ef146be00"),
        HMACCase(
            id: "RFC 2202 case 2", key: [UInt8]("Jefe".utf8),
            message: [UInt8]("what do ya want for nothing?".utf8),
            hex: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        HMACCase(
            id: "RFC 2202 case 6, key longer than a block",
            key: [UInt8](repeating: 0xaa, count: 80),
            message: [UInt8]("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            hex: "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
    ]

    @Test("with SHA-256 gives the published codes", arguments: sha256)
    func publishedSHA256(_ sample: HMACCase) {
        let key = HMACKey(sha256: sample.key)
        #expect(Hex.encode(key.authenticate(sample.message)) == sample.hex)
        #expect(Hex.encode(key.authenticate(sample.message)) == sample.hex, "a key is reusable")
        #expect(key.byteCount == 32)
    }

    @Test("with SHA-1 gives the published codes", arguments: sha1)
    func publishedSHA1(_ sample: HMACCase) {
        let key = HMACKey(sha1: sample.key)
        #expect(Hex.encode(key.authenticate(sample.message)) == sample.hex)
        #expect(key.byteCount == 20)
    }

    @Test("reads parts as one message and keeps no trace of an earlier one")
    func parts() {
        let key = HMACKey(sha256: [1, 2, 3])
        let whole = key.authenticate([UInt8]("id.time.body".utf8))
        _ = key.authenticate([9, 9, 9])
        #expect(key.authenticate([UInt8]("id.".utf8), [], [UInt8]("time.body".utf8)) == whole)
        #expect(key.authenticate() == key.authenticate([UInt8]()))
        #expect(key.isValid(whole, for: [UInt8]("id.time.body".utf8)))
        #expect(!key.isValid(whole.dropLast() + [whole[31] ^ 1], for: [UInt8]("id.time.body".utf8)))
        #expect(!key.isValid([], for: [UInt8]("id.time.body".utf8)))
    }

    @Test("gives the same codes to many tasks that share one key")
    func shared() async {
        let key = HMACKey(sha256: [UInt8](repeating: 7, count: 32))
        let expected = (0..<64).map { key.authenticate([UInt8($0)]) }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<64).allSatisfy { key.authenticate([UInt8($0)]) == expected[$0] }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test("derives keys that differ by root and by label")
    func derivation() {
        let root = [UInt8](repeating: 1, count: 32)
        let key = KeyDerivation.deriveKey(root: root, label: "seal v1")
        #expect(key.count == 32)
        #expect(key == HMACKey(sha256: root).authenticate([UInt8]("seal v1\0".utf8)))
        #expect(key != KeyDerivation.deriveKey(root: root, label: "seal v2"))
        #expect(key != KeyDerivation.deriveKey(root: root.reversed() + [2], label: "seal v1"))
    }
}
