/// The Standard Webhooks scheme, shared by Dodo Payments and other senders.
///
/// Signed text: `<webhook-id>.<webhook-timestamp>.<body>`. The header `webhook-signature` is a
/// list, separated by spaces, of `v1,` (HMAC-SHA256, base64) and `v1a,` (Ed25519, base64) items;
/// other versions and items that cannot be read are skipped.
/// Source: standard-webhooks/standard-webhooks, spec/standard-webhooks.md.
public enum StandardWebhooks {
    /// Names the delivery; the same over all retries.
    public static let idHeader = "webhook-id"
    /// Seconds since 1970 at which this attempt was signed.
    public static let timestampHeader = "webhook-timestamp"
    /// The list of signatures.
    public static let signatureHeader = "webhook-signature"

    /// The shared secret: base64 of at least 24 bytes behind `whsec_`, which may be missing.
    public static let sharedSecretRule = SecretRule(
        role: .webhook, encoding: .base64, prefix: "whsec_", minimumBytes: 24)

    /// The sender's Ed25519 public key: base64 of 32 bytes behind `whpk_`, which may be missing.
    public static let publicKeyRule = SecretRule(
        role: .webhookPublicKey, encoding: .base64, prefix: "whpk_", minimumBytes: 32,
        maximumBytes: 32)

    /// What must hold for this delivery.
    ///
    /// Throws `missing_header`, `ambiguous_header` or `malformed_header`; `toleranceSeconds` nil
    /// lets any time pass.
    public static func plan(
        for delivery: WebhookDelivery, toleranceSeconds: Int64? = Limits.toleranceSeconds
    ) throws(WebhookRejection) -> VerificationPlan {
        let id = try delivery.headers.one(idHeader)
        let timestamp = try delivery.headers.one(timestampHeader)
        let list = try delivery.headers.one(signatureHeader)
        let signed = [Array("\(id).\(timestamp).".utf8), delivery.body]
        let signatures = SignatureList(standardWebhooks: list)
        return VerificationPlan(
            SignatureCandidate(
                scheme: "standard-webhooks/v1", algorithm: .hmacSHA256, keys: .secret(.webhook),
                signed: signed, signatures: signatures.v1),
            SignatureCandidate(
                scheme: "standard-webhooks/v1a", algorithm: .ed25519,
                keys: .secret(.webhookPublicKey),
                signed: signed, signatures: signatures.v1a),
            time: TimeWindow(
                unixSeconds: timestamp, header: timestampHeader,
                toleranceSeconds: toleranceSeconds))
    }
}
