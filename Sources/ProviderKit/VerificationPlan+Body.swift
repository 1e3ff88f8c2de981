import Cryptography

/// How a signature stands in a header.
public enum SignatureEncoding: Sendable, Hashable {
    /// Hexadecimal digits; either case is read.
    case hex
    /// Base64.
    case base64
}

extension VerificationPlan {
    /// The plainest scheme: one header holds the HMAC-SHA256 of the raw body, under a secret of
    /// ours.
    ///
    /// `before` stands in front of the body in the signed bytes, as Square has its URL. `prefix` is
    /// dropped from the header's value where it is there. What is no signature at all fits no key:
    /// `signature_mismatch`. Throws `missing_header`, `ambiguous_header`, `malformed_header`.
    public static func body(
        of delivery: WebhookDelivery, header: String, encoding: SignatureEncoding,
        prefix: String = "", before: [UInt8] = [], scheme: String
    ) throws(WebhookRejection) -> VerificationPlan {
        let value = try delivery.headers.one(header)
        let text = value.hasPrefix(prefix) ? value.dropFirst(prefix.count) : value[...]
        let signature = SignatureCandidate.decode(text, encoding)
        return VerificationPlan(
            SignatureCandidate(
                scheme: scheme, algorithm: .hmacSHA256, keys: .secret(.webhook),
                signed: before.isEmpty ? [delivery.body] : [before, delivery.body],
                signatures: signature.map { [$0] } ?? []),
            time: nil)
    }
}

extension SignatureCandidate {
    /// The bytes of a signature's text; nil when it is none.
    public static func decode(
        _ text: some StringProtocol, _ encoding: SignatureEncoding
    ) -> [UInt8]? {
        switch encoding {
        case .hex: Hex.decode(Substring(text), accepting: .any)
        case .base64: Base64.decode(Substring(text))
        }
    }
}
