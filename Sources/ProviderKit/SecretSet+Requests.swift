import Cryptography

/// What requests are authenticated with; the keys themselves never leave the kit.
extension SecretSet {
    /// The value of an `Authorization` header that names a user and proves the API key.
    ///
    /// Throws `missing_secret`. Source: RFC 7617.
    public func basicAuthorization(user: String) throws(SecretError) -> String {
        "Basic \(Base64.encode(Array("\(user):\(try apiKey())".utf8)))"
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256 under the first signing key, base64.
    ///
    /// The same message gives the same signature. Throws `missing_secret`, and `malformed_secret`
    /// when the role's secrets are no RSA keys.
    public func signatureBase64(
        of message: [UInt8], role: SecretRole = .signingKey
    ) throws(SecretError) -> String {
        guard let key = keys(role).first else { throw SecretError(role: role, problem: .missing) }
        guard let signer = key.signer, let signature = try? signer.signPKCS1SHA256(message) else {
            throw SecretError(role: role, problem: .notAPrivateKey)
        }
        return Base64.encode(signature)
    }

    /// Opens what a provider sealed in a reply, with the first key that fits; nil when none does.
    public func open(_ sealed: SealedResource) -> [UInt8]? {
        for key in keys(sealed.keys) {
            if let text = try? AES256GCM(key: key.bytes)?.open(
                sealed.ciphertextAndTag, nonce: sealed.nonce,
                authenticating: sealed.associatedData)
            {
                return text
            }
        }
        return nil
    }

    /// The secrets of a file: one a line, and a PEM block is one whatever its lines.
    ///
    /// Empty lines are left out, and the line end of a last line; blanks inside a line stay, to be
    /// refused with their reason.
    public static func texts(inFile text: String) -> [String] {
        var found: [String] = []
        var block: [Substring]?
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for line in lines {
            if var lines = block {
                lines.append(line)
                block = lines
                if line.hasPrefix("-----END ") {
                    found.append(lines.joined(separator: "\n") + "\n")
                    block = nil
                }
            } else if line.hasPrefix("-----BEGIN ") {
                block = [line]
            } else if !line.isEmpty {
                found.append(String(line))
            }
        }
        if let block { found.append(block.joined(separator: "\n")) }
        return found
    }
}
