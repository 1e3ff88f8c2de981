import ProviderKit

extension JSONFields {
    /// The sealed text that an event or a published certificate carries.
    ///
    /// Whatever cannot be read is left empty, which no key opens.
    /// Source: wechatpay-go, utils/aes.go.
    var sealed: SealedResource {
        SealedResource(
            keys: .decryptionKey, nonce: Array((note("nonce") ?? "").utf8),
            associatedData: Array((note("associated_data") ?? "").utf8),
            ciphertextAndTag: note("ciphertext").flatMap {
                SignatureCandidate.decode($0, .base64)
            } ?? [])
    }
}
