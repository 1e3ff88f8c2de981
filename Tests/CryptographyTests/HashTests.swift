import Cryptography
import Testing

/// A published input and its published hash.
struct HashCase: Sendable, CustomTestStringConvertible {
    let id: String
    let message: String
    let hex: String
    var testDescription: String { id }
}

@Suite("SHA-256")
struct HashTests {
    static let published = [
        HashCase(
            id: "FIPS 180-4, no bytes", message: "",
            hex: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        HashCase(
            id: "FIPS 180-4, abc", message: "abc",
            hex: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        HashCase(
            id: "FIPS 180-4, two blocks",
            message: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            hex: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    ]

    @Test("gives the published hashes", arguments: published)
    func publishedHashes(_ sample: HashCase) {
        #expect(SHA256.hash([UInt8](sample.message.utf8)).hex == sample.hex)
    }

    @Test("gives one hash however the message is cut")
    func anyCut() {
        let message = [UInt8](0...255) + [UInt8](0...255)
        let whole = SHA256.hash(message)
        var hash = SHA256()
        for cut in stride(from: 0, through: message.count, by: 13) {
            hash.update(Array(message[..<cut]))
            hash.update(message[cut...])
            #expect(hash.finalize() == whole)
            hash.update(message[..<cut])
            hash.update(message[cut...].lazy.map { $0 })
            #expect(hash.finalize() == whole)
        }
    }

    @Test("hashes Merkle leaves and nodes as the prefix byte and then the content")
    func prefixed() {
        var hash = SHA256()
        let left = SHA256.hash([1])
        let right = SHA256.hash([2])
        let leaf = [UInt8]("leaf".utf8).withUnsafeBytes { hash.hash($0, prefix: 0) }
        #expect(leaf == SHA256.hash([0] + [UInt8]("leaf".utf8)))
        #expect(
            hash.hash(prefix: 1, left, right) == SHA256.hash([1] + left.bytes + right.bytes))
        let empty = hash.hash(UnsafeRawBufferPointer(start: nil, count: 0), prefix: 0)
        #expect(empty.hex == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d")
    }
}

@Suite("Digests")
struct DigestTests {
    @Test("are ordered as their bytes are, first byte first")
    func order() throws {
        let rising = try (0..<32).reversed().map { place in
            var bytes = [UInt8](repeating: 0, count: 32)
            bytes[place] = 1
            return try #require(Digest(bytes: bytes))
        }
        #expect(rising.shuffled().sorted() == rising)
        #expect(Set(rising).count == 32)
    }

    @Test("take exactly 32 bytes or 64 lower-case digits and give them back")
    func forms() throws {
        let bytes = [UInt8](200..<232)
        let digest = try #require(Digest(bytes: bytes))
        #expect(digest.bytes == bytes)
        #expect(Digest(hex: digest.hex) == digest)
        #expect(Digest(bytes: bytes.dropLast()) == nil)
        #expect(Digest(bytes: bytes + [0]) == nil)
        #expect(Digest(hex: digest.hex.uppercased()) == nil)
        #expect(Digest(hex: digest.hex + "00") == nil)
        #expect(Digest(hex: String(digest.hex.dropLast()) + "g") == nil)
        #expect(Digest.byteCount == MemoryLayout<Digest>.size)
    }
}
