public import CheckoutModel
public import ProviderKit

/// `POST /sandbox/api/checkouts`.
extension SandboxProvider: SessionCreating {
    /// Plans the creation of a session over one amount, the draft's exact total.
    ///
    /// The sandbox keeps to the idempotency key, so that repeating the request is harmless.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        guard !draft.returnURL.isEmpty else { throw .missingField("returnURL") }
        let total = try draft.total()
        var headers = try secrets.bearerHeaders()
        headers.append(.init(name: "Content-Type", value: "application/json"))
        headers.append(.init(name: "Idempotency-Key", value: idempotencyKey.rawValue))
        let body = JSONValue.object([
            "amount": .integer(total.minorUnits), "currency": .string(total.currency.code),
            "title": .string(draft.title), "reference": .string(draft.reference),
            "return_url": .string(draft.returnURL),
            "cancel_url": draft.cancelURL.map(JSONValue.string),
            "customer_email": draft.customerEmail.map(JSONValue.string),
        ])
        return HTTPRequestPlan(
            method: "POST", url: "\(apiURL)/checkouts", headers: HeaderList(headers),
            body: body.json, isRepeatable: true)
    }

    /// Reads `id`, `url` and `expires_at`.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject()
        do throws(WebhookDecodingError) {
            try Self.requirePretence(object)
            return CreatedSession(
                ids: ProviderIDs(
                    session: try object.requiredText("id"),
                    order: try object.identifier("reference")),
                checkoutURL: try object.text("url"), expiresAt: object.time("expires_at"),
                mode: .test)
        } catch {
            throw .unreadable
        }
    }
}
