import CheckoutModel
public import ProviderKit

/// WeChat signs `<timestamp>\n<nonce>\n<body>\n` with RSA under the platform key whose serial a
/// header names, and seals what the event is about.
///
/// It sends a few wrong signatures on purpose, to see whether they are refused; they are, like
/// every other. Source: wechatpay-go, core/auth/validators/wechat_pay_validator.go, core/notify.
extension WeChatPayProvider: WebhookReceiving {
    private static let signatureType = "WECHATPAY2-SHA256-RSA2048"

    /// The configured merchant.
    public var account: String? { configuration.merchantID }

    /// The key that opens what deliveries are about, and the public key whose id is configured.
    public func missingRole(in secrets: SecretSet) -> SecretRole? {
        if secrets.count(.decryptionKey) == 0 { return .decryptionKey }
        let needsKey = configuration.publicKeyID != nil && secrets.count(.webhookPublicKey) == 0
        return needsKey ? .webhookPublicKey : nil
    }

    /// One plan; `unknown_key` for a public key that is not the configured one.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        let time = try delivery.headers.one("Wechatpay-Timestamp")
        let nonce = try delivery.headers.one("Wechatpay-Nonce")
        let serial = try delivery.headers.one("Wechatpay-Serial")
        let signature = try delivery.headers.one("Wechatpay-Signature")
        if let type = delivery.headers.first("Wechatpay-Signature-Type"),
            type != Self.signatureType
        {
            throw .unsupportedScheme
        }
        return [
            VerificationPlan(
                SignatureCandidate(
                    scheme: "wechatpay/sha256-rsa2048", algorithm: .rsaPKCS1SHA256,
                    keys: try PlatformKey.selector(
                        serial: serial, publicKeyID: configuration.publicKeyID),
                    signed: [
                        Array("\(time)\n\(nonce)\n".utf8), delivery.body, [UInt8(ascii: "\n")],
                    ],
                    signatures: SignatureCandidate.decode(signature, .base64).map { [$0] } ?? []),
                time: TimeWindow(
                    unixSeconds: time, header: "Wechatpay-Timestamp",
                    toleranceSeconds: configuration.toleranceSeconds),
                sealed: Self.resource(in: delivery.body)?.sealed)
        ]
    }

    /// Named by the event's id in the body; a body without one is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: .live,
            id: body?.note("id") ?? "sha256:\(delivery.bodyHex)")
    }

    /// One event for a delivery.
    ///
    /// Throws what ``ProviderKit/JSONFields`` throws for the fields that the event's type needs.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        let envelope = EventEnvelope(
            id: try body.requiredText("id"), type: try body.requiredText("event_type"),
            createdAt: body.time("create_time"), mode: .live)
        guard let meaning = StatusMapping.events[envelope.type] else {
            return [envelope.event(.ignored, rawStatus: nil)]
        }
        guard let opened = delivery.opened.first else {
            throw WebhookDecodingError(.missingField, field: "resource")
        }
        return [try event(meaning, try JSONFields(body: opened), envelope)]
    }

    /// WeChat reads the status, and the code and message on failure.
    ///
    /// Source: wechatpay-im/website, webhook/v3.
    public func acknowledgement(for outcome: WebhookOutcome) -> HTTPReply {
        switch outcome {
        case .recorded, .duplicate, .ignored, .quarantined:
            Self.reply(200, "SUCCESS", "OK")
        case .rejected(.bodyTooLarge): Self.reply(413, "FAIL", "The body is too large.")
        case .rejected: Self.reply(401, "FAIL", "The signature does not hold.")
        case .temporarilyUnavailable: Self.reply(503, "FAIL", "Not stored; please send again.")
        }
    }

    private static func reply(_ status: Int, _ code: String, _ message: String) -> HTTPReply {
        HTTPReply(
            status: status, headers: ["Content-Type": "application/json"],
            body: JSONValue.object(["code": .string(code), "message": .string(message)]).json)
    }

    private static func resource(in body: [UInt8]) -> JSONFields? {
        guard let fields = try? JSONFields(body: body) else { return nil }
        return (try? fields.object("resource")) ?? nil
    }
}

/// The key that a header names.
enum PlatformKey {
    static let publicKeyPrefix = "PUB_KEY_ID_"
    private static let serialLimit = 64

    /// The configured public key, or a platform certificate for the host to fetch.
    ///
    /// Only a serial in hexadecimal can name a certificate, so that nothing else causes a request.
    /// Source: wechatpay-go, core/auth/verifiers/sha256withrsa_combined_verifier.go.
    static func selector(
        serial: String, publicKeyID: String?
    ) throws(WebhookRejection) -> KeySelector {
        if serial.hasPrefix(publicKeyPrefix) {
            guard serial == publicKeyID else { throw .unknownKey }
            return .secret(.webhookPublicKey)
        }
        guard let request = request(serial: serial) else {
            throw .malformedHeader("Wechatpay-Serial")
        }
        return .resolved(request)
    }

    /// Nil for what is no serial number; the case of its digits does not count.
    static func request(serial: String) -> KeyRequest? {
        let isSerial =
            (1...serialLimit).contains(serial.utf8.count)
            && serial.utf8.allSatisfy {
                $0.isASCIILetterOrDigit && ($0 | 0x20) <= UInt8(ascii: "f")
            }
        return isSerial ? .platformKey(serial: serial.uppercased()) : nil
    }
}
