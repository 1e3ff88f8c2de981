public import CheckoutModel

/// Decides whether a signed return is the provider's own word; the only maker of
/// ``VerifiedReturn``.
public struct ReturnVerifier: Sendable {
    private let provider: any SignedReturn
    private let secrets: SecretSet

    /// Binds an adapter to its secrets; throws `missing_secret` when none of them can sign.
    public init(provider: any SignedReturn, secrets: SecretSet) throws(SecretError) {
        try secrets.requireSigningKey(of: type(of: provider).descriptor, \.verifiesReturns)
        self.provider = provider
        self.secrets = secrets
    }

    /// Throws what the adapter throws, or `signature_mismatch`; a signed time out of its window is
    /// a mismatch too.
    public func verify(
        _ request: ReturnRequest, at now: Instant
    ) throws(ReturnRejection) -> VerifiedReturn {
        let plan = try provider.plan(for: request)
        if let time = plan.time {
            guard (try? time.check(at: now)) != nil else { throw .signatureMismatch }
        }
        guard let match = plan.match(secrets) else { throw .signatureMismatch }
        return VerifiedReturn(
            provider: type(of: provider).descriptor.id, claim: try provider.parseReturn(request),
            scheme: match.scheme, keyFingerprint: match.keyFingerprint)
    }
}

/// A return whose signature held; verified evidence, unlike every other return.
public struct VerifiedReturn: Sendable {
    /// Who signed it.
    public let provider: ProviderID
    /// What it says.
    public let claim: ReturnClaim
    /// Which scheme held.
    public let scheme: String
    /// Eight hexadecimal digits that name the key without telling anything of it.
    public let keyFingerprint: String
}

extension SecretSet {
    /// Throws `missing_secret` unless there is a secret of a role that signs what is to be checked.
    func requireSigningKey(
        of descriptor: ProviderDescriptor, _ verifies: KeyPath<SecretRule, Bool> = \.verifies
    ) throws(SecretError) {
        let signing = descriptor.secretRules.filter { $0[keyPath: verifies] }.map(\.role)
        guard signing.contains(where: { count($0) > 0 }) || descriptor.resolvesKeys else {
            throw SecretError(role: signing.first ?? .webhook, problem: .missing)
        }
    }
}
