public import CheckoutModel
public import ProviderKit

/// `POST /paymentLinks`. Source: adyen-node-api-library, src/typings/checkout/paymentLinkRequest.ts
/// and src/typings/requestOptions.ts (`Idempotency-Key`).
extension AdyenProvider: SessionCreating {
    /// Plans the creation of a payment link over the draft's total.
    ///
    /// Adyen answers a repeated request with the same `Idempotency-Key` with the link that it made
    /// first. It has no URL for customers who give up: the draft's is not sent. Throws
    /// `missing_field` without a configured merchant account.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        guard let merchantAccount = configuration.merchantAccount else {
            throw .missingField("merchantAccount")
        }
        guard !draft.reference.isEmpty else { throw .missingField("reference") }
        let total = try draft.total()
        guard let units = try? Self.descriptor.moneyProfile.wireAmount(of: total) else {
            throw .unusableAmount
        }
        let body = JSONValue.object([
            "merchantAccount": .string(merchantAccount), "reference": .string(draft.reference),
            "amount": .object([
                "value": .integer(units), "currency": .string(total.currency.code),
            ]),
            "description": .string(draft.title),
            "returnUrl": draft.returnURL.isEmpty ? nil : .string(draft.returnURL),
            "shopperEmail": draft.customerEmail.map(JSONValue.string),
        ])
        return HTTPRequestPlan(
            method: "POST", url: "\(try apiBase())/paymentLinks",
            headers: HeaderList(
                try headers(secrets) + [
                    .init(name: "Content-Type", value: "application/json"),
                    .init(name: "Idempotency-Key", value: idempotencyKey.rawValue),
                ]), body: body.json, isRepeatable: true)
    }

    /// Reads `id`, `url` and `expiresAt`.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let link = try reply.createdObject(errorField: "errorCode")
        do throws(WebhookDecodingError) {
            return CreatedSession(
                ids: try ids(of: link), checkoutURL: try link.requiredText("url"),
                expiresAt: link.time("expiresAt"), mode: configuration.mode)
        } catch {
            throw .unreadable
        }
    }
}
