import Cryptography

/// The key and the scheme by which a plan held.
struct SignatureMatch: Sendable {
    let scheme: String
    let key: SecretKey
}

extension VerificationPlan {
    /// The first candidate and key that hold; nil when none does. Does not look at the time.
    func match(_ secrets: SecretSet) -> SignatureMatch? {
        for candidate in anyOf {
            for key in secrets.keys(candidate.keys) where candidate.holds(with: key) {
                return SignatureMatch(scheme: candidate.scheme, key: key)
            }
        }
        return nil
    }
}

extension SignatureCandidate {
    /// True when one of the signatures is right under this key; every pair is tried, in constant
    /// time for its bytes.
    func holds(with key: SecretKey) -> Bool {
        guard !signatures.isEmpty else { return false }
        switch algorithm {
        case .hmacSHA256:
            let code = key.hmac.authenticate(signed)
            return signatures.contains { ConstantTime.equal($0, code) }
        case .ed25519:
            guard let publicKey = key.ed25519 else { return false }
            let message = Array(signed.joined())
            return signatures.contains { publicKey.isValid($0, for: message) }
        }
    }
}
