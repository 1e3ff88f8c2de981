#if canImport(CryptoKit) && !os(macOS)
    import Foundation
    import Security

    /// The half of an RSA key that verifies, held by the Security framework.
    struct RSAVerifier: @unchecked Sendable {  // SecKey is immutable
        private let key: SecKey

        /// Throws `MALFORMED_KEY` and `UNSUPPORTED_KEY`.
        init(_ bytes: [UInt8], form: RSAKeyForm) throws(CryptographyError) {
            guard !bytes.isEmpty, bytes.count <= Limits.keyTextBytes,
                let key = try Self.key(bytes, form)
            else { throw .malformedKey("public key") }
            self.key = key
            try key.checkSize()
        }

        private static func key(
            _ bytes: [UInt8], _ form: RSAKeyForm
        ) throws(CryptographyError) -> SecKey? {
            switch form {
            case .keyPEM:
                guard let der = PEMText.block(["PUBLIC KEY"], of: bytes) else { return nil }
                return try key(der, .keyDER)
            case .keyDER:
                return SecKey.rsa(try DERReader.publicKey(of: bytes), kSecAttrKeyClassPublic)
            case .certificatePEM:
                guard let der = PEMText.block(["CERTIFICATE"], of: bytes) else { return nil }
                return try key(der, .certificateDER)
            case .certificateDER:
                return SecCertificateCreateWithData(
                    nil, NSData(bytes: bytes, length: bytes.count)
                ).flatMap { SecCertificateCopyKey($0) }
            }
        }

        var bitCount: Int { SecKeyGetBlockSize(key) * 8 }

        func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            SecKeyVerifySignature(
                key, .rsaSignatureMessagePKCS1v15SHA256,
                NSData(bytes: message, length: message.count),
                NSData(bytes: signature, length: signature.count), nil)
        }
    }

    /// The half of an RSA key that signs, held by the Security framework.
    struct RSASigner: @unchecked Sendable {  // SecKey is immutable
        private let key: SecKey

        /// Throws `MALFORMED_KEY` and `UNSUPPORTED_KEY`.
        init(_ bytes: [UInt8], isPEM: Bool) throws(CryptographyError) {
            guard !bytes.isEmpty, bytes.count <= Limits.keyTextBytes,
                let der = isPEM
                    ? PEMText.block(["PRIVATE KEY", "RSA PRIVATE KEY"], of: bytes) : bytes,
                let key = SecKey.rsa(DERReader.privateKey(of: der) ?? der, kSecAttrKeyClassPrivate)
            else { throw .malformedKey("private key") }
            self.key = key
            try key.checkSize()
        }

        /// Nil when the key's numbers do not fit each other.
        func sign(_ message: [UInt8]) -> [UInt8]? {
            let signature = SecKeyCreateSignature(
                key, .rsaSignatureMessagePKCS1v15SHA256,
                NSData(bytes: message, length: message.count), nil)
            return signature.map { [UInt8](Data(referencing: $0 as NSData)) }
        }
    }

    extension SecKey {
        /// The key in a PKCS #1 structure.
        fileprivate static func rsa(_ der: [UInt8], _ keyClass: CFString) -> SecKey? {
            let attributes = NSDictionary(
                objects: [kSecAttrKeyTypeRSA, keyClass],
                forKeys: [kSecAttrKeyType as NSString, kSecAttrKeyClass as NSString])
            return SecKeyCreateWithData(
                NSData(bytes: der, length: der.count), attributes, nil)
        }

        fileprivate func checkSize() throws(CryptographyError) {
            let bits = Limits.minimumRSABits...Limits.maximumRSABits
            guard bits.contains(SecKeyGetBlockSize(self) * 8) else { throw .unsupportedKey }
        }
    }

    /// The first block of a PEM text with one of these labels.
    private enum PEMText {
        static func block(_ labels: [String], of bytes: [UInt8]) -> [UInt8]? {
            var lines: [Substring] = []
            var end: String?
            for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
                if let end {
                    if line == end { return Base64.decode(lines.joined()) }
                    lines.append(line)
                } else if let label = labels.first(where: { line == "-----BEGIN \($0)-----" }) {
                    end = "-----END \(label)-----"
                }
            }
            return nil
        }
    }
#endif
