#if canImport(CryptoKit) && !os(macOS)
    import CryptoKit
    import Foundation

    /// Signs with CryptoKit, which gives the same message another signature each time.
    struct Ed25519Signer: Sendable {
        private let key: Curve25519.Signing.PrivateKey
        let publicBytes: [UInt8]

        init?(seed: [UInt8]) {
            guard seed.count == Limits.ed25519KeyBytes,
                let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
            else { return nil }
            self.key = key
            publicBytes = [UInt8](key.publicKey.rawRepresentation)
        }

        func sign(_ message: [UInt8]) -> [UInt8] {
            guard let signature = try? key.signature(for: message) else {
                preconditionFailure("CryptoKit refused to sign")
            }
            return [UInt8](signature)
        }
    }

    /// Verifies with CryptoKit.
    struct Ed25519Verifier: Sendable {
        private let key: Curve25519.Signing.PublicKey

        init?(bytes: [UInt8]) {
            guard bytes.count == Limits.ed25519KeyBytes,
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
            else { return nil }
            self.key = key
        }

        func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            key.isValidSignature(signature, for: message)
        }
    }
#endif
