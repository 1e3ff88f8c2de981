public import CheckoutModel
public import ProviderKit

/// `POST /charges`. Source: coinbase-commerce-python, README; docs.cdp.coinbase.com, Create charge.
extension CoinbaseCommerceProvider: SessionCreating {
    /// Plans the creation of a charge over the draft's total, which must be priced.
    ///
    /// Coinbase Commerce documents no idempotency header, so a repeated request makes a second
    /// charge; the key goes into `metadata.idempotency_key`, by which both are found.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        var headers = try headers(secrets)
        headers.append(.init(name: "Content-Type", value: "application/json"))
        return HTTPRequestPlan(
            method: "POST", url: "\(Self.apiHost)/charges", headers: HeaderList(headers),
            body: try body(draft, idempotencyKey).json)
    }

    /// Reads `data.code`, `data.id`, `data.hosted_url` and `data.expires_at`.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject(errorField: "type")
        do throws(WebhookDecodingError) {
            let charge = try object.requiredObject("data")
            return CreatedSession(
                ids: try ids(charge), checkoutURL: try charge.text("hosted_url"),
                expiresAt: charge.time("expires_at"), mode: .live)
        } catch {
            throw .unreadable
        }
    }

    private func body(
        _ draft: SessionDraft, _ key: IdempotencyKey
    ) throws(RequestPlanError) -> JSONValue {
        let total = try draft.total()
        guard total.currency.exponent != nil else { throw .unusableAmount }
        let reference = configuration.referenceKeys.first ?? "order_id"
        return .object([
            "name": .string(draft.title),
            "description": .string(draft.reference),
            "pricing_type": .string("fixed_price"),
            "local_price": .object([
                "amount": .string(total.amountText), "currency": .string(total.currency.code),
            ]),
            "metadata": .object([
                reference: .string(draft.reference), "idempotency_key": .string(key.rawValue),
            ]),
            "redirect_url": draft.returnURL.isEmpty ? nil : .string(draft.returnURL),
            "cancel_url": draft.cancelURL.map(JSONValue.string),
        ])
    }
}
