import Cryptography
import Testing

@Suite("Hexadecimal text")
struct HexTests {
    @Test("gives back every byte in both cases")
    func everyByte() {
        let bytes = [UInt8](0...255)
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        #expect(Hex.decode(Hex.encode(bytes, letters: .upper), accepting: .upper) == bytes)
        #expect(Hex.encode([0x0f, 0xa0]) == "0fa0")
        #expect(Hex.encode([0x0f, 0xa0], letters: .upper) == "0FA0")
    }

    @Test(
        "refuses whatever is not pairs of the digits asked for",
        arguments: [
            ("f", Hex.Letters.any), ("0g", .any), (" 0f", .any), ("0f ", .any), ("0x0f", .any),
            ("0F", .lower), ("0f", .upper), ("ﬀ", .any), ("٠٠", .any), ("0\n", .any),
        ])
    func refused(_ text: String, _ letters: Hex.Letters) {
        #expect(Hex.decode(text, accepting: letters) == nil)
    }

    @Test("mixes cases only when asked to, and reads no digits as no bytes")
    func mixed() {
        #expect(Hex.decode("aB", accepting: .any) == [0xab])
        #expect(Hex.decode("") == [])
    }
}

@Suite("Base64 text")
struct Base64Tests {
    @Test(
        "gives the published texts of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func published(_ plain: String, _ text: String) {
        #expect(Base64.encode([UInt8](plain.utf8)) == text)
        #expect(Base64.decode(text) == [UInt8](plain.utf8))
        let bare = text.filter { $0 != "=" }
        #expect(Base64.decode(bare, padding: .optional) == [UInt8](plain.utf8))
        #expect(Base64.decode(text, padding: .optional) == [UInt8](plain.utf8))
        #expect(Base64.decode(bare, padding: .none) == [UInt8](plain.utf8))
        #expect((Base64.decode(bare) == nil) == (bare != text))
        #expect((Base64.decode(text, padding: .none) == nil) == (bare != text))
    }

    @Test("gives back any bytes in both alphabets")
    func roundTrip() {
        for count in 0..<70 {
            let bytes = SecureRandom.bytes(count)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            let safe = Base64.encode(bytes, alphabet: .urlSafe, padded: false)
            #expect(Base64.decode(safe, padding: .none, alphabet: .urlSafe) == bytes)
        }
        #expect(Base64.encode([0xfb, 0xff, 0xbf]) == "+/+/")
        #expect(Base64.encode([0xfb, 0xff, 0xbf], alphabet: .urlSafe, padded: true) == "-_-_")
    }

    @Test(
        "refuses blanks, strangers, false padding and other alphabets",
        arguments: [
            " Zg==", "Zg== ", "Zg=\n=", "Zm9v\n", "Zg=", "Zg===", "Zg", "Z", "Z===", "====", "=",
            "Zm=v", "Zm9v====", "Zm9-", "Zm9_", "Zm9é", "Zm9\0", "Zg==Zg==",
        ])
    func refused(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("refuses unused bits that are set, unless told that the text is not canonical")
    func trailingBits() {
        #expect(Base64.decode("Zh==") == nil)
        #expect(Base64.decode("Zm9=") == nil)
        #expect(Base64.decode("Zh==", canonical: false) == [UInt8(ascii: "f")])
        #expect(Base64.decode("Zm9=", canonical: false) == [UInt8]("fo".utf8))
    }
}

@Suite("Secrets")
struct SecretTests {
    @Test("compare equal only when every byte is equal")
    func constantTime() {
        let bytes = SecureRandom.bytes(32)
        #expect(ConstantTime.equal(bytes, Array(bytes)))
        #expect(ConstantTime.equal([], []))
        #expect(!ConstantTime.equal(bytes, []))
        #expect(!ConstantTime.equal(bytes, bytes + [0]))
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 0x80
            #expect(!ConstantTime.equal(bytes, other))
        }
    }

    @Test("are new random bytes each time")
    func random() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(16) != SecureRandom.bytes(16))
        var zeros = [UInt8](repeating: 0, count: 64)
        zeros.withUnsafeMutableBytes { SecureRandom.fill($0) }
        #expect(Set(zeros).count > 16)
    }
}
