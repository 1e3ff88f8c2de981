import CCrypto

/// Signatures over Curve25519, the pure form that hashes inside.
///
/// Source: RFC 8032.
public enum Ed25519 {
    /// A key that signs.
    ///
    /// The seed stays with libcrypto, which wipes it at the end, and cannot be read back.
    public struct PrivateKey: Sendable {
        private let key: PublicKeyReference
        /// What others verify with.
        public let publicKey: PublicKey

        /// Nil unless the seed has exactly 32 bytes; it must be random and secret.
        public init?(seed: [UInt8]) {
            guard seed.count == Limits.ed25519KeyBytes,
                let pointer = EVP_PKEY_new_raw_private_key_ex(
                    nil, "ED25519", nil, seed, seed.count)
            else { return nil }
            key = PublicKeyReference(pointer)
            var bytes = [UInt8](repeating: 0, count: Limits.ed25519KeyBytes)
            var count = bytes.count
            guard EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1,
                let publicKey = PublicKey(bytes: bytes)
            else { preconditionFailure("libcrypto gave no public key") }
            self.publicKey = publicKey
        }

        /// The 64 bytes of the signature; the same message always gets the same one.
        public func sign(_ message: [UInt8]) -> [UInt8] {
            guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
            defer { EVP_MD_CTX_free(context) }
            var signature = [UInt8](repeating: 0, count: Limits.ed25519SignatureBytes)
            var count = signature.count
            guard EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1,
                EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
                count == signature.count
            else { preconditionFailure("libcrypto refused to sign") }
            return signature
        }
    }

    /// A key that verifies.
    public struct PublicKey: Sendable, Hashable {
        /// The 32 bytes that name it.
        public let bytes: [UInt8]
        private let key: PublicKeyReference

        /// Nil unless there are exactly 32 bytes; whether they are a point of the curve shows at
        /// the first signature, of which none is valid if not.
        public init?(bytes: [UInt8]) {
            guard bytes.count == Limits.ed25519KeyBytes,
                let pointer = EVP_PKEY_new_raw_public_key_ex(
                    nil, "ED25519", nil, bytes, bytes.count)
            else { return nil }
            self.bytes = bytes
            key = PublicKeyReference(pointer)
        }

        /// True when `signature` is this key's signature of `message`; false for any other bytes
        /// of any length.
        public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            signature.count == Limits.ed25519SignatureBytes
                && key.verify(signature, of: message, nil)
        }

        /// True for the same 32 bytes.
        public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

        /// Hashes the 32 bytes.
        public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
    }
}
