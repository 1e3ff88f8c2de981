import CCrypto
import Synchronization

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
        self.key = GCMKey(key)
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
        let context = key.take()
        defer { key.giveBack(context) }
        nonce.withContiguousBytes { context.begin(nonce: $0.baseAddress, isSealing: true) }
        context.authenticate(data)
        context.transform(plaintext[...], into: sealed)
        guard context.finish() else { preconditionFailure("libcrypto refused to seal") }
        let tag = sealed.baseAddress.map { $0 + plaintext.count }
        context.copyTag(to: tag?.assumingMemoryBound(to: UInt8.self))
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
        let context = key.take()
        defer { key.giveBack(context) }
        context.begin(nonce: nonce, isSealing: false)
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

/// A key and the contexts that have it expanded and are not in use, made when they are needed.
///
/// Copying one context for each text was refused: it costs as much as expanding the key again.
private final class GCMKey: Sendable {
    private let idle: Mutex<[GCMContext]> = Mutex([])
    private let bytes: SecretBytes

    init(_ key: [UInt8]) { bytes = SecretBytes(key) }

    deinit { idle.withLock { for context in $0 { EVP_CIPHER_CTX_free(context.pointer) } } }

    /// A context that nobody else has, to be given back.
    func take() -> GCMContext {
        if let context = idle.withLock({ $0.popLast() }) { return context }
        guard let context = EVP_CIPHER_CTX_new(),
            bytes.withUnsafeBytes({
                EVP_CipherInit_ex2(
                    context, Cipher.aes256gcm.pointer, $0.baseAddress, nil, 1, nil)
            }) == 1
        else { preconditionFailure("out of memory") }
        return GCMContext(pointer: context)
    }

    func giveBack(_ context: GCMContext) {
        let isKept = idle.withLock { idle in
            guard idle.count < Limits.idleContexts else { return false }
            idle.append(context)
            return true
        }
        if !isKept { EVP_CIPHER_CTX_free(context.pointer) }
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

/// One text being sealed or opened; used by one thread at a time.
private struct GCMContext: @unchecked Sendable {
    let pointer: OpaquePointer

    func begin(nonce: UnsafePointer<UInt8>?, isSealing: Bool) {
        guard EVP_CipherInit_ex2(pointer, nil, nil, nonce, isSealing ? 1 : 0, nil) == 1 else {
            preconditionFailure("libcrypto took no nonce")
        }
    }

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
        // GCM leaves nothing for the end; a block's room is what the call may ask for.
        var rest: (UInt64, UInt64) = (0, 0)
        return withUnsafeMutableBytes(of: &rest) { rest in
            var count: Int32 = 0
            return EVP_CipherFinal_ex(
                pointer, rest.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == 1
        }
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
