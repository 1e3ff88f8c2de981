#if canImport(CryptoKit) && !os(macOS)
    import CryptoKit
    import Foundation

    /// A key that CryptoKit seals with.
    final class GCMKey: Sendable {
        private let key: SymmetricKey

        init(_ key: SecretBytes) {
            self.key = key.withUnsafeBytes { SymmetricKey(data: $0) }
        }

        /// Ciphertext ‖ tag into memory that has room for both.
        func seal(
            _ plaintext: [UInt8], nonce: UnsafeBufferPointer<UInt8>, authenticating data: [UInt8],
            into sealed: UnsafeMutableRawBufferPointer
        ) {
            guard let nonce = try? AES.GCM.Nonce(data: Data(nonce)),
                let box = try? AES.GCM.seal(
                    plaintext, using: key, nonce: nonce, authenticating: data)
            else { preconditionFailure("CryptoKit refused to seal") }
            sealed.copyBytes(from: box.ciphertext + box.tag)
        }

        /// The text; nil when it is not what was sealed with this key and the rest.
        ///
        /// The lengths of nonce and sealed text are ones that can be.
        func open(
            _ sealed: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
        ) -> [UInt8]? {
            guard let nonce = try? AES.GCM.Nonce(data: Data(nonce)),
                let box = try? AES.GCM.SealedBox(
                    nonce: nonce, ciphertext: sealed.dropLast(Limits.gcmTagBytes),
                    tag: sealed.suffix(Limits.gcmTagBytes)),
                let plaintext = try? AES.GCM.open(box, using: key, authenticating: data)
            else { return nil }
            return [UInt8](plaintext)
        }
    }
#endif
