#if !canImport(CryptoKit) || os(macOS)
    import CCrypto
    import Synchronization

    /// A key and the contexts that have it expanded and are not in use, made when they are needed.
    ///
    /// Copying one context for each text was refused: it costs as much as expanding the key again.
    final class GCMKey: Sendable {
        private let idle: Mutex<[GCMContext]> = Mutex([])
        private let bytes: SecretBytes

        init(_ key: SecretBytes) { bytes = key }

        deinit { idle.withLock { for context in $0 { EVP_CIPHER_CTX_free(context.pointer) } } }

        /// Ciphertext ‖ tag into memory that has room for both.
        func seal(
            _ plaintext: [UInt8], nonce: UnsafeBufferPointer<UInt8>, authenticating data: [UInt8],
            into sealed: UnsafeMutableRawBufferPointer
        ) {
            let context = take()
            defer { giveBack(context) }
            context.begin(nonce: nonce.baseAddress, isSealing: true)
            context.authenticate(data)
            context.transform(plaintext[...], into: sealed)
            guard context.finish() else { preconditionFailure("libcrypto refused to seal") }
            let tag = sealed.baseAddress.map { $0 + plaintext.count }
            context.copyTag(to: tag?.assumingMemoryBound(to: UInt8.self))
        }

        /// The text; nil when it is not what was sealed with this key and the rest.
        ///
        /// The lengths of nonce and sealed text are ones that can be.
        func open(
            _ sealed: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
        ) -> [UInt8]? {
            let context = take()
            defer { giveBack(context) }
            context.begin(nonce: nonce, isSealing: false)
            let ciphertext = sealed.dropLast(Limits.gcmTagBytes)
            var isAuthentic = false
            let plaintext = [UInt8](unsafeUninitializedCapacity: ciphertext.count) {
                buffer, count in
                context.authenticate(data)
                context.transform(ciphertext, into: UnsafeMutableRawBufferPointer(buffer))
                context.expectTag(sealed.suffix(Limits.gcmTagBytes))
                isAuthentic = context.finish()
                if !isAuthentic {
                    // What was deciphered before the tag was checked is the sender's choice.
                    OPENSSL_cleanse(buffer.baseAddress, ciphertext.count)
                }
                count = isAuthentic ? ciphertext.count : 0
            }
            return isAuthentic ? plaintext : nil
        }

        /// A context that nobody else has, to be given back.
        private func take() -> GCMContext {
            if let context = idle.withLock({ $0.popLast() }) { return context }
            guard let context = EVP_CIPHER_CTX_new(),
                bytes.withUnsafeBytes({
                    EVP_CipherInit_ex2(
                        context, Cipher.aes256gcm.pointer, $0.baseAddress, nil, 1, nil)
                }) == 1
            else { preconditionFailure("out of memory") }
            return GCMContext(pointer: context)
        }

        private func giveBack(_ context: GCMContext) {
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
#endif
