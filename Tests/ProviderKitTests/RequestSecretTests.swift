import Cryptography
import ProviderKit
import ProviderVectors
import TestSupport
import Testing

@Suite("Secrets that sign requests")
struct RequestSecretTests {
    private static let rules = [
        SecretRule(role: .signingKey, encoding: .rsaPrivateKey),
        SecretRule(role: .webhookPublicKey, encoding: .rsaPublicKey),
        SecretRule(role: .decryptionKey, encoding: .utf8, minimumBytes: 32, maximumBytes: 32),
        SecretRule(role: .apiKey, encoding: .utf8, minimumBytes: 4),
    ]

    private func secrets(_ texts: [SecretRole: [String]]) throws -> SecretSet {
        try SecretSet(texts, rules: Self.rules)
    }

    /// What stands between the lines of a PEM block, in one line.
    private func oneLine(_ pem: String) -> String {
        pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    }

    @Test("A signing key signs what its public half verifies, as PEM and as one line of base64")
    func signing() throws {
        let message = Array("GET\n/v3/pay\n".utf8)
        let publicKey = try RSAPublicKey(spkiPEM: KnownKeyPair.first.publicPEM)
        let other = try RSAPublicKey(spkiPEM: KnownKeyPair.second.publicPEM)
        for text in [KnownKeyPair.first.privatePEM, oneLine(KnownKeyPair.first.privatePEM)] {
            let base64 = try secrets([.signingKey: [text]]).signatureBase64(of: message)
            let signature = try #require(Base64.decode(base64))
            #expect(publicKey.verifyPKCS1SHA256(signature, for: message))
            #expect(!other.verifyPKCS1SHA256(signature, for: message))
            #expect(!publicKey.verifyPKCS1SHA256(signature, for: message + [0]))
        }
    }

    @Test("A public key in the place of the private one is named when the program starts")
    func wrongHalf() {
        for text in [KnownKeyPair.first.publicPEM, oneLine(KnownKeyPair.first.publicPEM), "AAAA"] {
            #expect {
                try secrets([.signingKey: [text]])
            } throws: { ($0 as? SecretError)?.problem == .notAPrivateKey }
        }
        #expect {
            try secrets([.webhookPublicKey: [KnownKeyPair.first.privatePEM]])
        } throws: { ($0 as? SecretError)?.problem == .notAPublicKey }
        #expect {
            try secrets([.apiKey: [KnownKeyPair.first.privatePEM]])
        } throws: { ($0 as? SecretError)?.problem == .pemBlock }
    }

    @Test("Without a signing key nothing is signed")
    func missing() {
        #expect {
            try secrets([:]).signatureBase64(of: [1])
        } throws: { ($0 as? SecretError)?.problem == .missing }
    }

    @Test("Basic authorization joins user and key")
    func basic() throws {
        // The pair of RFC 7617 §2.
        let secrets = try secrets([.apiKey: ["open%20sesame"]])
        #expect(
            try secrets.basicAuthorization(user: "Aladdin") == "Basic QWxhZGRpbjpvcGVuJTIwc2VzYW1l")
    }

    @Test("A sealed part of a reply opens with the right key only")
    func opening() throws {
        let key = String(repeating: "k", count: 32)
        let nonce = Array("123456789012".utf8)
        let text = Array("certificate".utf8)
        let sealer = try #require(AES256GCM(key: Array(key.utf8)))
        let sealed = sealer.seal(text, nonce: nonce, authenticating: [7])
        let resource = SealedResource(
            keys: .decryptionKey, nonce: nonce, associatedData: [7], ciphertextAndTag: sealed)
        #expect(try secrets([.decryptionKey: [key]]).open(resource) == text)
        let other = String(repeating: "o", count: 32)
        #expect(try secrets([.decryptionKey: [other]]).open(resource) == nil)
        #expect(try secrets([:]).open(resource) == nil)
    }

    @Test("A file of secrets has one a line, and a PEM block is one")
    func file() {
        let pem = KnownKeyPair.first.publicPEM
        #expect(SecretSet.texts(inFile: "whsec_1\nwhsec_2\n") == ["whsec_1", "whsec_2"])
        #expect(SecretSet.texts(inFile: "whsec_1\r\n\r\nwhsec_2") == ["whsec_1", "whsec_2"])
        #expect(SecretSet.texts(inFile: " whsec_1 \n") == [" whsec_1 "])
        #expect(SecretSet.texts(inFile: "a\n\(pem)\nb\n") == ["a", pem + "\n", "b"])
        #expect(SecretSet.texts(inFile: "-----BEGIN X-----\nAA") == ["-----BEGIN X-----\nAA"])
        #expect(SecretSet.texts(inFile: "\n\n").isEmpty)
    }

    @Test("No description shows a key")
    func hidden() throws {
        let secrets = try secrets([.signingKey: [KnownKeyPair.first.privatePEM]])
        var shown = "\(secrets)"
        dump(secrets, to: &shown)
        dump(try RSAPrivateKey(pem: KnownKeyPair.first.privatePEM), to: &shown)
        #expect(!shown.contains("MII"))
    }
}
