import CheckoutModel
public import ProviderKit

/// PayPal signs `<transmission id>|<time>|<webhook id>|<CRC-32 of the body>` with RSA under the
/// certificate that a header names.
/// Source: PayPal-Python-SDK, paypalrestsdk/notifications.py.
extension PayPalProvider: WebhookReceiving {
    private static let algorithm = "SHA256withRSA"

    /// The configured merchant.
    public var account: String? { configuration.merchantID }

    /// The endpoint's id, which is no secret, but without which nothing could be verified.
    public func missingRole(in secrets: SecretSet) -> SecretRole? {
        configuration.webhookID == nil ? "webhook_id" : nil
    }

    /// One plan; `untrusted_key_source` for certificates anywhere but at PayPal, and of the other
    /// mode than the account's.
    ///
    /// Without a configured webhook id there is nothing to verify with, so nothing verifies.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        let id = try delivery.headers.one("PAYPAL-TRANSMISSION-ID")
        let time = try delivery.headers.one("PAYPAL-TRANSMISSION-TIME")
        let signature = try delivery.headers.one("PAYPAL-TRANSMISSION-SIG")
        let certificate = try delivery.headers.one(CertificateSource.header)
        guard try delivery.headers.one("PAYPAL-AUTH-ALGO") == Self.algorithm else {
            throw .unsupportedScheme
        }
        guard let source = CertificateSource(certificate, mode: configuration.mode) else {
            throw .untrustedKeySource
        }
        guard let webhookID = configuration.webhookID else { return [] }
        let checksum = CRC32.checksum(delivery.body)
        return [
            VerificationPlan(
                SignatureCandidate(
                    scheme: "paypal/sha256-rsa", algorithm: .rsaPKCS1SHA256,
                    keys: .resolved(.certificate(url: source.url)),
                    signed: [Array("\(id)|\(time)|\(webhookID)|\(checksum)".utf8)],
                    signatures: SignatureCandidate.decode(signature, .base64).map { [$0] } ?? []),
                time: TimeWindow(
                    rfc3339: time, header: "PAYPAL-TRANSMISSION-TIME",
                    toleranceSeconds: configuration.toleranceSeconds))
        ]
    }

    /// Named by the event's id in the body; a body without one is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: mode(of: delivery),
            id: body?.note("id") ?? "sha256:\(delivery.bodyHex)")
    }

    /// One event for a delivery.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let envelope = Envelope(
            id: try body.requiredText("id"), type: try body.requiredText("event_type"),
            resourceType: body.note("resource_type"), createdAt: body.time("create_time"),
            mode: mode(of: delivery))
        guard let meaning = StatusMapping.events[envelope.type] else {
            let resource = (try? body.object("resource")) ?? nil
            return [
                envelope.event(
                    .ignored, rawStatus: resource?.note("status") ?? resource?.note("state"))
            ]
        }
        return [try event(meaning, try body.requiredObject("resource"), envelope)]
    }

    /// The configured mode, else that of the host whose certificate verified the delivery.
    private func mode(of delivery: VerifiedDelivery) -> ProviderMode {
        guard configuration.mode == .unknown else { return configuration.mode }
        let header = delivery.delivery.headers.first(CertificateSource.header)
        return header.flatMap { CertificateSource($0, mode: .unknown) }?.mode ?? .unknown
    }
}

/// A place from which a certificate may be fetched.
///
/// The reference library does not look at the host at all: whoever names a certificate of their own
/// could sign for PayPal. From memory, not verified: the two hosts with `api-m`.
struct CertificateSource {
    static let header = "PAYPAL-CERT-URL"
    static let hosts: KeyValuePairs<String, ProviderMode> = [
        "api.paypal.com": .live, "api-m.paypal.com": .live,
        "api.sandbox.paypal.com": .test, "api-m.sandbox.paypal.com": .test,
    ]
    private static let rule = CheckoutURLRule(
        hosts: hosts, pathPrefix: "/v1/notifications/certs/")

    let url: String
    let mode: ProviderMode

    /// Nil for any other place, and for one of the other mode.
    init?(_ text: String, mode: ProviderMode) {
        guard let page = try? Self.rule.read(text), page.url.query == nil,
            mode == .unknown || mode == page.mode
        else { return nil }
        url = page.canonicalText
        self.mode = page.mode
    }
}
