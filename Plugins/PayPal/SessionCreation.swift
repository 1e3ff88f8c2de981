public import CheckoutModel
public import ProviderKit

/// `POST /v2/checkout/orders` with intent `CAPTURE`.
/// Source: PayPal-TypeScript-Server-SDK, src/controllers/ordersController.ts,
/// src/models/orderRequest.ts.
extension PayPalProvider: SessionCreating {
    /// The longest `PayPal-Request-Id`.
    static let requestIDLimit = 108
    /// The longest `description` and, from memory, `custom_id`.
    static let textLimit = 127

    /// Plans an order of one sum; the host captures it once it is approved.
    ///
    /// PayPal answers a repeated request with the same `PayPal-Request-Id` with the order that it
    /// made first, for six hours. Throws `missing_field` for a reference that is longer than an
    /// order can carry, since a cut one would name another order.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        HTTPRequestPlan(
            method: "POST", url: "\(try apiHost())/v2/checkout/orders",
            headers: [
                "Accept": "application/json", "Content-Type": "application/json",
                "PayPal-Request-Id": idempotencyKey.text(limit: Self.requestIDLimit),
            ],
            body: try body(draft).json, isRepeatable: true, token: try token(secrets))
    }

    /// Reads `id` and the link that the payer follows.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject(errorField: "name")
        guard let id = (try? object.identifier("id")) ?? nil else { throw .unreadable }
        let links = object.objects("links")
        let page = ["payer-action", "approve"].lazy.compactMap { relation in
            links.first { $0.note("rel") == relation }?.note("href")
        }.first
        return CreatedSession(
            ids: ProviderIDs(session: id), checkoutURL: page, expiresAt: nil,
            mode: configuration.mode)
    }

    private func body(_ draft: SessionDraft) throws(RequestPlanError) -> JSONValue {
        let total = try draft.total()
        guard !draft.returnURL.isEmpty else { throw .missingField("returnURL") }
        guard (1...Self.textLimit).contains(draft.reference.utf8.count) else {
            throw .missingField("reference")
        }
        return .object([
            "intent": .string("CAPTURE"),
            "purchase_units": .array([
                .object([
                    "custom_id": .string(draft.reference),
                    "description": .string(String(draft.title.prefix(Self.textLimit))),
                    "amount": .object([
                        "currency_code": .string(total.currency.code),
                        "value": .string(
                            try Self.descriptor.moneyProfile.decimalText(of: total)),
                    ]),
                ])
            ]),
            "payment_source": .object([
                "paypal": .object([
                    "email_address": draft.customerEmail.map(JSONValue.string),
                    "experience_context": .object([
                        "return_url": .string(draft.returnURL),
                        "cancel_url": .string(draft.cancelURL ?? draft.returnURL),
                        "user_action": .string("PAY_NOW"),
                    ]),
                ])
            ]),
        ])
    }
}
