import Cryptography

/// The scheme and the key by which a plan held.
struct SignatureMatch: Sendable {
    let scheme: String
    /// Nil for keys that are not ours.
    let secretIndex: Int?
    let keyFingerprint: String
}

extension VerificationPlan {
    /// The first candidate and key that hold; nil when none does.
    ///
    /// Does not look at the time.
    func match(_ secrets: SecretSet, _ resolved: ResolvedKeys = ResolvedKeys()) -> SignatureMatch? {
        for candidate in anyOf {
            switch candidate.keys {
            case .secret(let role):
                for key in secrets.keys(role) where candidate.holds(with: key) {
                    return SignatureMatch(
                        scheme: candidate.scheme, secretIndex: key.index,
                        keyFingerprint: key.fingerprint)
                }
            case .resolved(let request):
                guard let key = resolved[request], candidate.holds(with: key) else { continue }
                return SignatureMatch(
                    scheme: candidate.scheme, secretIndex: nil, keyFingerprint: key.fingerprint)
            }
        }
        return nil
    }

    /// The keys that the host has to fetch before this plan can hold.
    func requests() -> [KeyRequest] {
        anyOf.compactMap { candidate in
            if case .resolved(let request) = candidate.keys { request } else { nil }
        }
    }

    /// The opened text of the sealed part; nil where none is sealed.
    ///
    /// Throws `decrypt_failed`.
    func open(_ secrets: SecretSet) throws(WebhookRejection) -> [UInt8]? {
        guard let sealed else { return nil }
        guard let text = secrets.open(sealed) else { throw .decryptFailed }
        return text
    }
}

extension SignatureCandidate {
    /// True when one of the signatures is right under this secret; every pair is tried, in
    /// constant time for its bytes.
    func holds(with key: SecretKey) -> Bool {
        guard !signatures.isEmpty else { return false }
        switch algorithm {
        case .hmacSHA256:
            let code = key.hmac.authenticate(signed)
            if signatures.contains(where: { ConstantTime.equal($0, code) }) { return true }
            guard let other = key.otherHMAC?.authenticate(signed) else { return false }
            return signatures.contains { ConstantTime.equal($0, other) }
        case .hmacSHA1:
            let code = HMACKey(sha1: key.bytes).authenticate(signed)
            return signatures.contains { ConstantTime.equal($0, code) }
        case .ed25519:
            guard let publicKey = key.ed25519 else { return false }
            let message = Array(signed.joined())
            return signatures.contains { publicKey.isValid($0, for: message) }
        case .rsaPKCS1SHA256:
            guard let publicKey = key.rsa else { return false }
            let message = Array(signed.joined())
            return signatures.contains { publicKey.verifyPKCS1SHA256($0, for: message) }
        }
    }

    /// The same for a key that the host fetched.
    func holds(with key: ResolvedKey) -> Bool {
        guard algorithm == .rsaPKCS1SHA256, !signatures.isEmpty else { return false }
        let message = Array(signed.joined())
        return signatures.contains { key.rsa.verifyPKCS1SHA256($0, for: message) }
    }
}
