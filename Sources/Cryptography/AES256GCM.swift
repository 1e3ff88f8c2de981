import CCrypto

/// AES-256-GCM under one key: text that nobody can read or change without the key.
///
/// A nonce must never be used twice under one key: that would give the key's protection away, and
/// nothing here can notice. Usable from any thread; the key is expanded once and copied for each
/// text. Source: NIST SP 800-38D.
public struct AES256GCM: Sendable {
    /// Always 32.
    public static let keyByteCount = Limits.aesKeyBytes
    /// Always 12.
    public static let nonceByteCount = Limits.gcmNonceBytes
    /// Always 16; what sealing adds to a text.
    public static let tagByteCount = Limits.gcmTagBytes

    private let template: GCMTemplate

    /// Nil unless the key has exactly 32 bytes.
    public init?(key: [UInt8]) {
        guard key.count == Self.keyByteCount else { return nil }
        template = GCMTemplate(key: key)
    }

    /// Ciphertext ‖ tag, 16 bytes longer than the text.
    ///
    /// `authenticating` is not stored and must be given again to open. The nonce has 12 bytes,
    /// which the caller stores; another length is a fault of the program and ends it.
    public func seal(
        _ plaintext: [UInt8], nonce: [UInt8], authenticating data: [UInt8] = []
    ) -> [UInt8] {
        precondition(nonce.count == Self.nonceByteCount, "a nonce has 12 bytes")
        let context = template.makeContext(nonce: nonce, isSealing: true)
        defer { EVP_CIPHER_CTX_free(context.pointer) }
        return [UInt8](unsafeUninitializedCapacity: plaintext.count + Self.tagByteCount) {
            buffer, count in
            context.authenticate(data)
            context.transform(plaintext[...], into: UnsafeMutableRawBufferPointer(buffer))
            guard context.finish() else { preconditionFailure("libcrypto refused to seal") }
            context.copyTag(to: buffer.baseAddress.map { $0 + plaintext.count })
            count = plaintext.count + Self.tagByteCount
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
        let context = template.makeContext(nonce: nonce, isSealing: false)
        defer { EVP_CIPHER_CTX_free(context.pointer) }
        let ciphertext = sealed.dropLast(Self.tagByteCount)
        var isAuthentic = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: ciphertext.count) { buffer, count in
            context.authenticate(data)
            context.transform(ciphertext, into: UnsafeMutableRawBufferPointer(buffer))
            context.expectTag(sealed.suffix(Self.tagByteCount))
            isAuthentic = context.finish()
            if !isAuthentic {
                // What was deciphered before the tag was checked is the sender's choice.
                OPENSSL_cleanse(buffer.baseAddress, ciphertext.count)
            }
            count = isAuthentic ? ciphertext.count : 0
        }
        guard isAuthentic else {
            throw CryptographyError(
                .authenticationFailed, "A sealed text could not be opened.",
                hint: "The key, the text or what it belongs to is another than at sealing.")
        }
        return plaintext
    }
}

/// Two contexts with the expanded key; only copied from after `init`.
private final class GCMTemplate: @unchecked Sendable {
    private let sealing: OpaquePointer
    private let opening: OpaquePointer

    init(key: [UInt8]) {
        sealing = Self.keyed(key, isSealing: true)
        opening = Self.keyed(key, isSealing: false)
    }

    deinit {
        EVP_CIPHER_CTX_free(sealing)
        EVP_CIPHER_CTX_free(opening)
    }

    private static func keyed(_ key: [UInt8], isSealing: Bool) -> OpaquePointer {
        guard let context = EVP_CIPHER_CTX_new(),
            EVP_CipherInit_ex2(context, Cipher.aes256gcm.pointer, key, nil, isSealing ? 1 : 0, nil)
                == 1
        else { preconditionFailure("out of memory") }
        return context
    }

    func makeContext(nonce: [UInt8], isSealing: Bool) -> GCMContext {
        guard let context = EVP_CIPHER_CTX_new(),
            EVP_CIPHER_CTX_copy(context, isSealing ? sealing : opening) == 1,
            EVP_CipherInit_ex2(context, nil, nil, nonce, isSealing ? 1 : 0, nil) == 1
        else { preconditionFailure("out of memory") }
        return GCMContext(pointer: context)
    }
}

/// AES-256-GCM as libcrypto offers it, looked up once in a process.
private struct Cipher: @unchecked Sendable {
    let pointer: OpaquePointer

    static let aes256gcm: Cipher = {
        guard let pointer = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else {
            preconditionFailure("libcrypto offers no AES-256-GCM; its configuration removes it")
        }
        return Cipher(pointer: pointer)
    }()
}

/// One text being sealed or opened.
private struct GCMContext {
    let pointer: OpaquePointer

    func authenticate(_ data: [UInt8]) {
        guard !data.isEmpty else { return }
        precondition(data.count <= Int(Int32.max), "too much to authenticate")
        var count: Int32 = 0
        guard EVP_CipherUpdate(pointer, nil, &count, data, Int32(data.count)) == 1 else {
            preconditionFailure("libcrypto refused to authenticate")
        }
    }

    func transform(_ text: ArraySlice<UInt8>, into buffer: UnsafeMutableRawBufferPointer) {
        guard !text.isEmpty else { return }
        precondition(text.count <= Int(Int32.max), "a text is too long")
        var count: Int32 = 0
        let status = text.withUnsafeBufferPointer { text in
            EVP_CipherUpdate(
                pointer, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), &count,
                text.baseAddress, Int32(text.count))
        }
        precondition(status == 1 && count == text.count, "libcrypto refused to encipher")
    }

    /// False when the tag is not the right one; while sealing never.
    func finish() -> Bool {
        var rest = [UInt8](repeating: 0, count: Limits.gcmTagBytes)
        var count: Int32 = 0
        return EVP_CipherFinal_ex(pointer, &rest, &count) == 1
    }

    func copyTag(to target: UnsafeMutablePointer<UInt8>?) {
        let status = EVP_CIPHER_CTX_ctrl(
            pointer, EVP_CTRL_AEAD_GET_TAG, Int32(Limits.gcmTagBytes), target)
        precondition(status == 1, "libcrypto gave no tag")
    }

    func expectTag(_ tag: ArraySlice<UInt8>) {
        var tag = [UInt8](tag)
        let status = EVP_CIPHER_CTX_ctrl(
            pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag)
        precondition(status == 1, "libcrypto took no tag")
    }
}
