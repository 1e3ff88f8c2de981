import Cryptography

/// Keys under other keys: nonce (12) ‖ ciphertext ‖ tag (16), bound to the row they stand in.
enum KeyWrap {
    private static let label = Array("ledger/key-wrap/v1\u{0}".utf8)

    static func wrap(_ secret: SecretBytes, with cipher: AES256GCM, name: [UInt8]) -> [UInt8] {
        let nonce = SecureRandom.bytes(AES256GCM.nonceByteCount)
        return nonce + cipher.seal(secret, nonce: nonce, authenticating: label + name)
    }

    /// Nil when the cipher's key is another one, or the bytes were changed.
    static func unwrap(_ wrapped: [UInt8], with cipher: AES256GCM, name: [UInt8]) -> SecretBytes? {
        let count = AES256GCM.nonceByteCount
        guard wrapped.count > count,
            var bytes = try? cipher.open(
                Array(wrapped[count...]), nonce: Array(wrapped[..<count]),
                authenticating: label + name)
        else { return nil }
        defer { cleanse(&bytes) }
        return SecretBytes(bytes)
    }
}
