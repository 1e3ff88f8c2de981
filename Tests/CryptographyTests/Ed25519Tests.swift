import Cryptography
import Testing

/// A published seed, its public key, a message and its signature.
struct SignatureCase: Sendable, CustomTestStringConvertible {
    let id: String
    let seed: String
    let publicKey: String
    let message: String
    let signature: String
    var testDescription: String { id }
}

@Suite("Ed25519")
struct Ed25519Tests {
    static let published = [
        SignatureCase(
            id: "RFC 8032 test 1",
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        SignatureCase(
            id: "RFC 8032 test 2",
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        SignatureCase(
            id: "RFC 8032 test 3",
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    ]

    @Test("makes and takes the published keys and signatures", arguments: published)
    func publishedValues(_ sample: SignatureCase) throws {
        let key = try #require(Ed25519.PrivateKey(seed: Hex.decode(sample.seed) ?? []))
        let message = try #require(Hex.decode(sample.message))
        #expect(Hex.encode(key.publicKey.bytes) == sample.publicKey)
        #expect(Hex.encode(key.sign(message)) == sample.signature)
        let read = try #require(
            Ed25519.PublicKey(bytes: Hex.decode(sample.publicKey) ?? []))
        #expect(read == key.publicKey)
        #expect(read.isValid(Hex.decode(sample.signature) ?? [], for: message))
    }

    @Test("refuses other messages, other keys and signatures changed or cut anywhere")
    func refused() throws {
        let key = try #require(Ed25519.PrivateKey(seed: SecureRandom.bytes(32)))
        let other = try #require(Ed25519.PrivateKey(seed: SecureRandom.bytes(32)))
        let message = [UInt8]("a tree head".utf8)
        let signature = key.sign(message)
        #expect(key.publicKey.isValid(signature, for: message))
        #expect(!key.publicKey.isValid(signature, for: message + [0]))
        #expect(!other.publicKey.isValid(signature, for: message))
        for place in signature.indices {
            var changed = signature
            changed[place] ^= 1
            #expect(!key.publicKey.isValid(changed, for: message))
        }
        for length in [0, 1, 63] {
            #expect(!key.publicKey.isValid(Array(signature.prefix(length)), for: message))
        }
        #expect(!key.publicKey.isValid(signature + [0], for: message))
    }

    @Test("takes seeds and public keys of 32 bytes only")
    func lengths() {
        for length in [0, 31, 33, 64] {
            #expect(Ed25519.PrivateKey(seed: [UInt8](repeating: 1, count: length)) == nil)
            #expect(Ed25519.PublicKey(bytes: [UInt8](repeating: 1, count: length)) == nil)
        }
    }
}
