import CheckoutModel
public import ProviderKit

/// Paddle signs `<ts>:<body>` with HMAC-SHA256 under the whole text of the secret; several `h1`
/// stand in the header while a secret is being rotated.
/// Source: paddle-python-sdk, paddle_billing/Notifications/PaddleSignature.py; paddle-node-sdk,
/// src/notifications/helpers.
extension PaddleProvider: WebhookReceiving {
    static let signatureHeader = "Paddle-Signature"

    /// Nil: Paddle's events name no account.
    public var account: String? { nil }

    /// One plan over the header's `h1` items; `malformed_header` without a time or any of them.
    ///
    /// Items of other names are passed over.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        let text = try delivery.headers.one(Self.signatureHeader)
        guard
            let header = TimedSignatureHeader(
                text, time: "ts", version: "h1", separator: UInt8(ascii: ";")),
            header.hasVersion
        else { throw .malformedHeader(Self.signatureHeader) }
        return [
            VerificationPlan(
                SignatureCandidate(
                    scheme: "paddle/h1", algorithm: .hmacSHA256, keys: .secret(.webhook),
                    signed: [Array("\(header.timestamp):".utf8), delivery.body],
                    signatures: header.signatures),
                time: TimeWindow(
                    unixSeconds: header.timestamp, header: Self.signatureHeader,
                    toleranceSeconds: configuration.toleranceSeconds))
        ]
    }

    /// Named by the event's id, which all destinations and retries of it share; a body without one
    /// is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: configuration.mode,
            id: body?.note("event_id") ?? "sha256:\(delivery.bodyHex)")
    }

    /// One event for a delivery.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let type = try body.requiredText("event_type")
        let key = DedupeKey(rawValue: try body.requiredText("event_id"))
        guard let meaning = StatusMapping.events[type] else {
            let data = (try? body.object("data")) ?? nil
            return [
                ProviderEvent(
                    key: key, kind: .ignored, occurredAt: body.time("occurred_at"),
                    mode: configuration.mode, rawType: type, rawStatus: data?.note("status"))
            ]
        }
        let data = try body.requiredObject("data")
        return [
            ProviderEvent(
                key: key, kind: try kind(meaning, data), occurredAt: body.time("occurred_at"),
                mode: configuration.mode, ids: try ids(meaning, data), rawType: type,
                rawStatus: rawStatus(meaning, data))
        ]
    }
}
