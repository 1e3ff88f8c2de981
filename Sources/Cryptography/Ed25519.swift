/// Signatures over Curve25519, the pure form that hashes inside.
///
/// Source: RFC 8032.
public enum Ed25519 {
    /// A key that signs.
    ///
    /// The seed cannot be read back.
    public struct PrivateKey: Sendable {
        private let key: Ed25519Signer
        /// What others verify with.
        public let publicKey: PublicKey

        /// Nil unless the seed has exactly 32 bytes; it must be random and secret.
        public init?(seed: [UInt8]) {
            guard let key = Ed25519Signer(seed: seed) else { return nil }
            guard let publicKey = PublicKey(bytes: key.publicBytes) else {
                preconditionFailure("a public key has \(Limits.ed25519KeyBytes) bytes")
            }
            self.key = key
            self.publicKey = publicKey
        }

        /// The 64 bytes of the signature.
        public func sign(_ message: [UInt8]) -> [UInt8] { key.sign(message) }
    }

    /// A key that verifies.
    public struct PublicKey: Sendable, Hashable {
        /// The 32 bytes that name it.
        public let bytes: [UInt8]
        private let key: Ed25519Verifier

        /// Nil unless there are exactly 32 bytes; whether they are a point of the curve shows at
        /// the first signature, of which none is valid if not.
        public init?(bytes: [UInt8]) {
            guard let key = Ed25519Verifier(bytes: bytes) else { return nil }
            self.bytes = bytes
            self.key = key
        }

        /// True when `signature` is this key's signature of `message`; false for any other bytes
        /// of any length.
        public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            signature.count == Limits.ed25519SignatureBytes
                && key.isValid(signature, for: message)
        }

        /// True for the same 32 bytes.
        public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

        /// Hashes the 32 bytes.
        public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
    }
}
