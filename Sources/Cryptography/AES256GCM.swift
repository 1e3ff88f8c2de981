/// AES-256-GCM under one key: text that nobody can read or change without the key.
///
/// A nonce must never be used twice under one key: that would give the key's protection away, and
/// nothing here can notice. Usable from any thread. The first text pays for expanding the key, a
/// thousand nanoseconds. Source: NIST SP 800-38D.
public struct AES256GCM: Sendable {
    /// Always 32.
    public static let keyByteCount = Limits.aesKeyBytes
    /// Always 12.
    public static let nonceByteCount = Limits.gcmNonceBytes
    /// Always 16; what sealing adds to a text.
    public static let tagByteCount = Limits.gcmTagBytes

    private let key: GCMKey

    /// Nil unless the key has exactly 32 bytes.
    public init?(key: [UInt8]) {
        guard key.count == Self.keyByteCount else { return nil }
        self.key = GCMKey(SecretBytes(key))
    }

    /// The same for a key that stays where it is; nil unless it has exactly 32 bytes.
    package init?(key: SecretBytes) {
        guard key.count == Self.keyByteCount else { return nil }
        self.key = GCMKey(key)
    }

    /// Ciphertext ‖ tag of another key, which is read where it stands.
    package func seal(
        _ secret: SecretBytes, nonce: [UInt8], authenticating data: [UInt8]
    ) -> [UInt8] {
        var text = secret.withUnsafeBytes { [UInt8]($0) }
        defer { cleanse(&text) }
        return seal(text, nonce: nonce, authenticating: data)
    }

    /// Ciphertext ‖ tag, 16 bytes longer than the text.
    ///
    /// `authenticating` is not stored and must be given again to open. The nonce has 12 bytes,
    /// which the caller stores; another length is a fault of the program and ends it.
    public func seal(
        _ plaintext: [UInt8], nonce: [UInt8], authenticating data: [UInt8] = []
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: plaintext.count + Self.tagByteCount) {
            buffer, count in
            seal(
                plaintext, nonce: nonce, authenticating: data,
                into: UnsafeMutableRawBufferPointer(buffer))
            count = plaintext.count + Self.tagByteCount
        }
    }

    /// The same into memory of the caller's, which has room for text and tag.
    package func seal(
        _ plaintext: [UInt8], nonce: some Collection<UInt8>, authenticating data: [UInt8],
        into sealed: UnsafeMutableRawBufferPointer
    ) {
        precondition(nonce.count == Self.nonceByteCount, "a nonce has 12 bytes")
        precondition(sealed.count >= plaintext.count + Self.tagByteCount, "no room for the tag")
        nonce.withContiguousBytes { nonce in
            key.seal(plaintext, nonce: nonce, authenticating: data, into: sealed)
        }
    }

    /// The text that was sealed with this key, this nonce and the same `authenticating`.
    ///
    /// Throws `AUTHENTICATION_FAILED` when any of them, or a bit of the sealed text, differs;
    /// `WRONG_LENGTH` for a nonce of other than 12 bytes or a sealed text shorter than its tag.
    public func open(
        _ sealed: [UInt8], nonce: [UInt8], authenticating data: [UInt8] = []
    ) throws(CryptographyError) -> [UInt8] {
        guard nonce.count == Self.nonceByteCount, sealed.count >= Self.tagByteCount else {
            throw CryptographyError(
                .wrongLength, "A sealed text or its nonce has a length that cannot be.",
                hint: "Check that it was stored whole.")
        }
        guard let plaintext = key.open(sealed, nonce: nonce, authenticating: data) else {
            throw CryptographyError(
                .authenticationFailed, "A sealed text could not be opened.",
                hint: "The key, the text or what it belongs to is another than at sealing.")
        }
        return plaintext
    }
}
