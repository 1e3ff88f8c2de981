import Cryptography
import Testing

/// A published key, nonce and text, and what they seal to.
struct SealCase: Sendable, CustomTestStringConvertible {
    let id: String
    let key: String
    let nonce: String
    let plaintext: String
    let data: String
    let sealed: String
    var testDescription: String { id }
}

@Suite("AES-256-GCM")
struct SealTests {
    static let zeroKey = String(repeating: "0", count: 64)
    static let zeroNonce = String(repeating: "0", count: 24)
    static let key = String(repeating: "feffe9928665731c6d6a8f9467308308", count: 2)
    static let plaintext =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    static let ciphertext =
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"

    /// The GCM specification (McGrew and Viega), which NIST submitted vectors from.
    static let published = [
        SealCase(
            id: "case 13, nothing", key: zeroKey, nonce: zeroNonce, plaintext: "", data: "",
            sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
        SealCase(
            id: "case 14, one block", key: zeroKey, nonce: zeroNonce,
            plaintext: "00000000000000000000000000000000", data: "",
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
        SealCase(
            id: "case 15, whole blocks", key: key, nonce: "cafebabefacedbaddecaf888",
            plaintext: plaintext + "1aafd255", data: "",
            sealed: ciphertext + "898015ad" + "b094dac5d93471bdec1a502270e3cc6c"),
        SealCase(
            id: "case 16, with data beside it", key: key, nonce: "cafebabefacedbaddecaf888",
            plaintext: plaintext, data: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            sealed: ciphertext + "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test("gives and takes the published texts", arguments: published)
    func publishedValues(_ sample: SealCase) throws {
        let cipher = try #require(AES256GCM(key: Hex.decode(sample.key) ?? []))
        let nonce = try #require(Hex.decode(sample.nonce))
        let plaintext = try #require(Hex.decode(sample.plaintext))
        let data = try #require(Hex.decode(sample.data))
        for _ in 0..<2 {
            let sealed = cipher.seal(plaintext, nonce: nonce, authenticating: data)
            #expect(Hex.encode(sealed) == sample.sealed)
            #expect(try cipher.open(sealed, nonce: nonce, authenticating: data) == plaintext)
        }
    }

    @Test("refuses a text of which any bit, or anything it belongs to, was changed")
    func flips() throws {
        let cipher = try #require(AES256GCM(key: SecureRandom.bytes(32)))
        let nonce = SecureRandom.bytes(12)
        let data: [UInt8] = [1, 2, 3]
        let sealed = cipher.seal(
            [UInt8]("a private field".utf8), nonce: nonce, authenticating: data)
        func isRefused(_ sealed: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) -> Bool {
            do throws(CryptographyError) {
                _ = try cipher.open(sealed, nonce: nonce, authenticating: data)
                return false
            } catch { return error.code == .authenticationFailed }
        }
        #expect(!isRefused(sealed, nonce, data))
        for place in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[place] ^= 1 << UInt8(bit)
                #expect(isRefused(changed, nonce, data))
            }
        }
        for place in nonce.indices {
            var changed = nonce
            changed[place] ^= 1
            #expect(isRefused(sealed, changed, data))
        }
        #expect(isRefused(sealed, nonce, [1, 2]))
        #expect(isRefused(sealed, nonce, []))
        #expect(isRefused(sealed.dropLast(), nonce, data))
        let other = try #require(AES256GCM(key: SecureRandom.bytes(32)))
        #expect(throws: CryptographyError.self) {
            try other.open(sealed, nonce: nonce, authenticating: data)
        }
    }

    @Test("gives back texts of any length, also when many tasks share the key")
    func roundTrips() async throws {
        let cipher = try #require(AES256GCM(key: SecureRandom.bytes(32)))
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<100).allSatisfy { length in
                        let text = SecureRandom.bytes(length * 3)
                        let nonce =
                            [UInt8](repeating: UInt8(task), count: 8) + [0, 0, 0] + [UInt8(length)]
                        let sealed = cipher.seal(text, nonce: nonce, authenticating: [UInt8(task)])
                        let opened = try? cipher.open(
                            sealed, nonce: nonce, authenticating: [UInt8(task)])
                        return sealed.count == text.count + 16 && opened == text
                    }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test("takes keys of 32 bytes, nonces of 12 and texts with a tag only")
    func lengths() throws {
        #expect(AES256GCM(key: [UInt8](repeating: 0, count: 16)) == nil)
        #expect(AES256GCM(key: []) == nil)
        let cipher = try #require(AES256GCM(key: [UInt8](repeating: 0, count: 32)))
        for (sealed, nonce) in [(15, 12), (0, 12), (16, 11), (16, 16), (16, 0)] {
            let error = #expect(throws: CryptographyError.self) {
                try cipher.open(
                    [UInt8](repeating: 0, count: sealed), nonce: [UInt8](repeating: 0, count: nonce)
                )
            }
            #expect(error?.code == .wrongLength)
        }
    }
}
