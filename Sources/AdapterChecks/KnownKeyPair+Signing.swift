import Cryptography
import ProviderVectors

extension KnownKeyPair {
    /// RSASSA-PKCS1-v1_5 with SHA-256 under a private key in PEM; nothing where it is no key.
    static func signature(of message: [UInt8], under pem: [UInt8]) -> [UInt8] {
        let key = try? RSAPrivateKey(pem: String(decoding: pem, as: UTF8.self))
        return (try? key?.signPKCS1SHA256(message)) ?? []
    }
}
