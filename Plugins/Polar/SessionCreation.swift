public import CheckoutModel
public import ProviderKit

/// `POST /v1/checkouts/`. Source: polar-python, models/checkoutcreate.py; polar-sdk 1.0.2,
/// services/checkouts.py.
extension PolarProvider: SessionCreating {
    /// Plans the creation of a checkout for one product known to Polar.
    ///
    /// Polar has no carts: several products in a request are a choice for the customer, so a draft
    /// with more than one line or piece is refused with `too_many_items`. An amount is sent for
    /// products with a price of the customer's choice; Polar ignores it for others. Polar documents
    /// no idempotency header, so a repeated request makes a second checkout; the key goes into
    /// `metadata.idempotency_key`, by which both are found. The return URL gets `{CHECKOUT_ID}` in
    /// the configured parameter.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        var headers = try secrets.bearerHeaders()
        headers.append(.init(name: "Content-Type", value: "application/json"))
        return HTTPRequestPlan(
            method: "POST", url: "\(try apiHost())/v1/checkouts/", headers: HeaderList(headers),
            body: try body(draft, idempotencyKey).json)
    }

    /// Reads `id`, `url` and `expires_at`.
    ///
    /// The URL holds the checkout's client secret: open it, and record it nowhere.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject(errorField: "error")
        do throws(WebhookDecodingError) {
            return CreatedSession(
                ids: try checkoutIDs(object), checkoutURL: try object.text("url"),
                expiresAt: object.time("expires_at"), mode: configuration.mode)
        } catch {
            throw .unreadable
        }
    }

    private func body(
        _ draft: SessionDraft, _ key: IdempotencyKey
    ) throws(RequestPlanError) -> JSONValue {
        guard let item = draft.items.first else { throw .missingField("items") }
        guard item.quantity >= 1 else { throw .missingField("quantity") }
        guard draft.items.count == 1, item.quantity == 1 else { throw .tooManyItems }
        guard let product = item.productID else { throw .missingField("productID") }
        guard !draft.returnURL.isEmpty else { throw .missingField("returnURL") }
        let reference = configuration.referenceKeys.first ?? "order_id"
        return .object([
            "products": .array([.string(product)]),
            "amount": try item.unitAmount.map(wireAmount),
            "currency": item.unitAmount.map { .string($0.currency.code.lowercased()) },
            "success_url": .string(
                ReturnTemplate.adding(
                    "{CHECKOUT_ID}", as: configuration.sessionParameter, to: draft.returnURL)),
            "return_url": draft.cancelURL.map(JSONValue.string),
            "customer_email": draft.customerEmail.map(JSONValue.string),
            "metadata": .object([
                reference: .string(draft.reference), "idempotency_key": .string(key.rawValue),
            ]),
        ])
    }

    private func wireAmount(_ money: Money) throws(RequestPlanError) -> JSONValue {
        guard let amount = try? Self.descriptor.moneyProfile.wireAmount(of: money), amount >= 0
        else { throw .unusableAmount }
        return .integer(amount)
    }
}
