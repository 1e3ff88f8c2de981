// Stand-ins that compute, over libcrypto: Apple documents what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CCrypto
public import Foundation

public enum CryptoKitError: Error {
    case incorrectKeySize
    case incorrectParameterSize
    case authenticationFailure
}

public struct SymmetricKey: Sendable {
    let bytes: [UInt8]

    public init(data: some ContiguousBytes) { bytes = data.withUnsafeBytes { [UInt8]($0) } }
}

public enum AES {
    public enum GCM {
        public struct Nonce: Sendable {
            let bytes: [UInt8]

            public init(data: some DataProtocol) throws {
                guard data.count >= 12 else { throw CryptoKitError.incorrectParameterSize }
                bytes = [UInt8](data)
            }
        }

        public struct SealedBox: Sendable {
            let nonce: Nonce
            public let ciphertext: Data
            public let tag: Data

            public init(
                nonce: Nonce, ciphertext: some DataProtocol, tag: some DataProtocol
            ) throws {
                guard tag.count == 16 else { throw CryptoKitError.incorrectParameterSize }
                self.nonce = nonce
                self.ciphertext = Data(ciphertext)
                self.tag = Data(tag)
            }
        }

        public static func seal(
            _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce,
            authenticating data: some DataProtocol
        ) throws -> SealedBox {
            let context = try begin(key, nonce, [UInt8](data), isSealing: true)
            defer { EVP_CIPHER_CTX_free(context) }
            let text = transform(context, [UInt8](message))
            var rest = [UInt8](repeating: 0, count: 16)
            var count: Int32 = 0
            precondition(EVP_CipherFinal_ex(context, &rest, &count) == 1)
            var tag = [UInt8](repeating: 0, count: 16)
            precondition(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1)
            return try SealedBox(nonce: nonce, ciphertext: text, tag: tag)
        }

        public static func open(
            _ box: SealedBox, using key: SymmetricKey, authenticating data: some DataProtocol
        ) throws -> Data {
            let context = try begin(key, box.nonce, [UInt8](data), isSealing: false)
            defer { EVP_CIPHER_CTX_free(context) }
            let text = transform(context, [UInt8](box.ciphertext))
            var tag = [UInt8](box.tag)
            precondition(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1)
            var rest = [UInt8](repeating: 0, count: 16)
            var count: Int32 = 0
            guard EVP_CipherFinal_ex(context, &rest, &count) == 1 else {
                throw CryptoKitError.authenticationFailure
            }
            return Data(text)
        }

        private static func begin(
            _ key: SymmetricKey, _ nonce: Nonce, _ data: [UInt8], isSealing: Bool
        ) throws -> OpaquePointer {
            guard key.bytes.count == 32 else { throw CryptoKitError.incorrectKeySize }
            guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory") }
            precondition(
                EVP_CipherInit_ex2(
                    context, EVP_aes_256_gcm(), key.bytes, nonce.bytes, isSealing ? 1 : 0, nil)
                    == 1)
            var count: Int32 = 0
            if !data.isEmpty {
                precondition(EVP_CipherUpdate(context, nil, &count, data, Int32(data.count)) == 1)
            }
            return context
        }

        private static func transform(_ context: OpaquePointer, _ text: [UInt8]) -> [UInt8] {
            guard !text.isEmpty else { return [] }
            var result = [UInt8](repeating: 0, count: text.count)
            var count: Int32 = 0
            precondition(
                EVP_CipherUpdate(context, &result, &count, text, Int32(text.count)) == 1)
            return result
        }
    }
}

public enum Curve25519 {
    public enum Signing {
        public struct PublicKey: Sendable {
            public let rawRepresentation: Data

            public init(rawRepresentation: some ContiguousBytes) throws {
                let bytes = rawRepresentation.withUnsafeBytes { [UInt8]($0) }
                guard bytes.count == 32 else { throw CryptoKitError.incorrectKeySize }
                self.rawRepresentation = Data(bytes)
            }

            public func isValidSignature(
                _ signature: some DataProtocol, for message: some DataProtocol
            ) -> Bool {
                let (key, signature, message) = (
                    [UInt8](rawRepresentation), [UInt8](signature), [UInt8](message)
                )
                let pointer = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, key, key.count)
                let context = EVP_MD_CTX_new()
                defer {
                    EVP_PKEY_free(pointer)
                    EVP_MD_CTX_free(context)
                }
                return EVP_DigestVerifyInit(context, nil, nil, nil, pointer) == 1
                    && EVP_DigestVerify(
                        context, signature, signature.count, message, message.count) == 1
            }
        }

        public struct PrivateKey: Sendable {
            private let seed: [UInt8]
            public let publicKey: PublicKey

            public init(rawRepresentation: some ContiguousBytes) throws {
                seed = rawRepresentation.withUnsafeBytes { [UInt8]($0) }
                guard seed.count == 32 else { throw CryptoKitError.incorrectKeySize }
                let pointer = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, 32)
                defer { EVP_PKEY_free(pointer) }
                var bytes = [UInt8](repeating: 0, count: 32)
                var count = 32
                precondition(EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1)
                publicKey = try PublicKey(rawRepresentation: bytes)
            }

            public func signature(for message: some DataProtocol) throws -> Data {
                let message = [UInt8](message)
                let pointer = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, 32)
                let context = EVP_MD_CTX_new()
                defer {
                    EVP_PKEY_free(pointer)
                    EVP_MD_CTX_free(context)
                }
                var bytes = [UInt8](repeating: 0, count: 64)
                var count = 64
                precondition(EVP_DigestSignInit(context, nil, nil, nil, pointer) == 1)
                precondition(
                    EVP_DigestSign(context, &bytes, &count, message, message.count) == 1)
                return Data(bytes)
            }
        }
    }
}
