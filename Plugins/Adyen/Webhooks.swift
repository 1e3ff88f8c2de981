import CheckoutModel
public import ProviderKit

/// Adyen signs each item of a payments webhook, inside the body, over eight of its fields; platform
/// and management webhooks are signed as a whole, in a header.
///
/// The eight fields are joined by `:` without escaping. So that they can be taken apart in one way
/// only, an item is refused whose references, account or event code hold a `:` themselves; the
/// merchant's own reference may. Everything else in an item, `live`, `reason`, `eventDate` and
/// `additionalData` among it, is not signed: nothing that decides is read from there.
/// Source: adyen-python-api-library, Adyen/util.py, test/UtilTest.py; adyen-node-api-library,
/// src/utils/hmacValidator.ts.
extension AdyenProvider: WebhookReceiving {
    static let signatureField = "additionalData.hmacSignature"
    static let signatureHeader = "HmacSignature"

    /// The configured merchant account.
    public var account: String? { configuration.merchantAccount }

    /// A plan for each item, or one over the whole body where there are no items.
    ///
    /// Throws `missing_header` for an item without a signature, with the field's name, and for a
    /// body that is neither: webhooks must be set to JSON.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        guard let items = Self.items(of: delivery) else {
            return [
                try VerificationPlan.body(
                    of: delivery, header: Self.signatureHeader, encoding: .base64,
                    scheme: "adyen/body")
            ]
        }
        var plans: [VerificationPlan] = []
        for item in items { plans.append(try plan(for: item)) }
        return plans
    }

    /// The items of a payments webhook; nil for every other body.
    static func items(of delivery: WebhookDelivery) -> [JSONValue]? {
        guard let body = try? JSONValue(json: delivery.body),
            let wrappers = body["notificationItems"]?.elements
        else { return nil }
        return wrappers.map { $0["NotificationRequestItem"] ?? .null }
    }

    private func plan(for item: JSONValue) throws(WebhookRejection) -> VerificationPlan {
        guard let text = item["additionalData"]?["hmacSignature"]?.text, !text.isEmpty else {
            throw .missingHeader(Self.signatureField)
        }
        guard let signed = Self.signedText(of: item) else { throw .signatureMismatch }
        let signature = SignatureCandidate.decode(text, .base64)
        return VerificationPlan(
            SignatureCandidate(
                scheme: "adyen/item", algorithm: .hmacSHA256, keys: .secret(.webhook),
                signed: [Array(signed.utf8)], signatures: signature.map { [$0] } ?? []),
            time: nil)
    }

    /// The eight fields; nil where no honest sender could have written them.
    private static func signedText(of item: JSONValue) -> String? {
        let amount = item["amount"]
        let fields = [
            item["pspReference"], item["originalReference"], item["merchantAccountCode"],
            item["merchantReference"], amount?["value"], amount?["currency"], item["eventCode"],
            item["success"],
        ].map(text)
        let mayHoldColon = 3
        for (index, field) in fields.enumerated() {
            guard let field, index == mayHoldColon || !field.utf8.contains(UInt8(ascii: ":"))
            else { return nil }
        }
        guard fields.last == "true" || fields.last == "false" else { return nil }
        return fields.compactMap { $0 }.joined(separator: ":")
    }

    /// A field as it is signed; empty when absent, nil when it is an object or a list.
    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case nil, .null: ""
        case .string(let text): text
        case .number(let number): number.text
        default: nil
        }
    }

    /// Named by event code, reference and success of its items, all of them signed.
    ///
    /// Adyen gives no delivery an id. A platform webhook is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let items = Self.items(of: delivery.delivery) ?? []
        let id =
            items.isEmpty
            ? "sha256:\(delivery.bodyHex)"
            : items.map { Self.key(of: $0).rawValue }.joined(separator: "+")
        return DeliveryIdentity(
            provider: Self.id, account: account, mode: configuration.mode, id: id)
    }

    static func key(of item: JSONValue) -> DedupeKey {
        let parts = ["eventCode", "pspReference", "success"].map { item[$0]?.text ?? "" }
        return DedupeKey(rawValue: parts.joined(separator: ":"))
    }

    /// One event for an item; platform webhooks are ignored, with their type.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        let body = try JSONFields(body: delivery.delivery.body)
        guard let items = Self.items(of: delivery.delivery) else {
            return [
                ProviderEvent(
                    key: DedupeKey(rawValue: "sha256:\(delivery.bodyHex)"), kind: .ignored,
                    occurredAt: body.time("timestamp"), mode: configuration.mode,
                    rawType: try body.requiredText("type"))
            ]
        }
        let fields = body.objects("notificationItems").map { wrapper in
            (try? wrapper.object("NotificationRequestItem")) ?? nil
        }
        var events: [ProviderEvent] = []
        for (item, fields) in zip(items, fields) {
            guard let fields else {
                throw WebhookDecodingError(.missingField, field: "NotificationRequestItem")
            }
            events.append(try event(fields, key: Self.key(of: item)))
        }
        return events
    }

    /// 200 with `[accepted]`, which webhooks that were set up before 2024 wait for; newer ones look
    /// at the status only.
    ///
    /// Source: adyen.com, knowledge hub, "Optimizing Webhook Integration".
    public func acknowledgement(for outcome: WebhookOutcome) -> HTTPReply {
        switch outcome {
        case .recorded, .duplicate, .ignored, .quarantined:
            HTTPReply(
                status: 200, headers: ["Content-Type": "text/plain"],
                body: Array("[accepted]".utf8))
        case .rejected(.bodyTooLarge): HTTPReply(status: 413)
        case .rejected: HTTPReply(status: 401)
        case .temporarilyUnavailable: HTTPReply(status: 503)
        }
    }
}
