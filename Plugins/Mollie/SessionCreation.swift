public import CheckoutModel
public import ProviderKit

/// `POST /v2/payments`.
/// Source: mollie-api-php, src/Http/Requests/CreatePaymentRequest.php, docs/idempotency.md.
extension MollieProvider: SessionCreating {
    /// The longest `description`, in characters; from memory, not verified.
    static let descriptionLimit = 255

    /// Plans a payment of one sum.
    ///
    /// Mollie answers a repeated request with the same `Idempotency-Key` with the payment that it
    /// made first. An access token needs the configured profile: throws `missing_field` without.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let key = try apiKey(secrets)
        return HTTPRequestPlan(
            method: "POST", url: "\(Self.apiHost)/v2/payments",
            headers: [
                "Authorization": "Bearer \(key)", "Accept": "application/json",
                "Content-Type": "application/json", "Idempotency-Key": idempotencyKey.rawValue,
            ],
            body: try body(draft, key: key).json, isRepeatable: true)
    }

    /// Reads `id`, `expiresAt` and the link to the page.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject(errorField: "title")
        do throws(WebhookDecodingError) {
            let page = try object.object("_links")?.object("checkout")?.text("href")
            return CreatedSession(
                ids: try paymentIDs(object, id: try object.requiredText("id")), checkoutURL: page,
                expiresAt: object.time("expiresAt"), mode: mode(of: object))
        } catch {
            throw .unreadable
        }
    }

    private func body(
        _ draft: SessionDraft, key: String
    ) throws(RequestPlanError) -> JSONValue {
        let total = try draft.total()
        guard !draft.returnURL.isEmpty else { throw .missingField("returnURL") }
        let isToken = key.hasPrefix("access_")
        if isToken, configuration.profileID == nil { throw .missingField("profileID") }
        let reference = configuration.referenceKeys.first ?? "order_id"
        return .object([
            "amount": .object([
                "currency": .string(total.currency.code),
                "value": .string(try Self.descriptor.moneyProfile.decimalText(of: total)),
            ]),
            "description": .string(String(draft.title.prefix(Self.descriptionLimit))),
            "redirectUrl": .string(draft.returnURL),
            "cancelUrl": draft.cancelURL.map(JSONValue.string),
            "webhookUrl": configuration.webhookURL.map(JSONValue.string),
            "metadata": .object([reference: .string(draft.reference)]),
            "profileId": isToken ? configuration.profileID.map(JSONValue.string) : nil,
            "testmode": isTestToken(key) ? .bool(true) : nil,
        ])
    }
}
