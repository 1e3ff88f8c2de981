public import CheckoutModel
public import ProviderKit

/// `POST /checkouts`. Source: typescript, src/resources/checkout-sessions.ts.
extension DodoPaymentsProvider: SessionCreating {
    /// Plans the creation of a session from products known to Dodo.
    ///
    /// Dodo documents no idempotency header, so a repeated request makes a second session. The key
    /// goes into `metadata.idempotency_key`, by which both are found. Amounts are sent for products
    /// with a price of the customer's choice; Dodo ignores them for others.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        var headers = try headers(secrets).fields
        headers.append(.init(name: "Content-Type", value: "application/json"))
        return HTTPRequestPlan(
            method: "POST", url: "\(try apiHost())/checkouts", headers: HeaderList(headers),
            body: try body(draft, idempotencyKey).json)
    }

    /// Reads `session_id` and `checkout_url`, which is null when a saved card pays.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let fields = try reply.createdObject()
        do throws(WebhookDecodingError) {
            return CreatedSession(
                ids: ProviderIDs(
                    session: try fields.requiredText("session_id"),
                    payment: try fields.identifier("payment_id")),
                checkoutURL: try fields.text("checkout_url"), expiresAt: nil,
                mode: configuration.providerMode)
        } catch {
            throw .unreadable
        }
    }

    private func body(
        _ draft: SessionDraft, _ key: IdempotencyKey
    ) throws(RequestPlanError) -> JSONValue {
        guard !draft.items.isEmpty else { throw .missingField("items") }
        var cart: [JSONValue] = []
        for item in draft.items {
            guard let product = item.productID else { throw .missingField("productID") }
            guard item.quantity >= 1 else { throw .missingField("quantity") }
            cart.append(
                .object([
                    "product_id": .string(product), "quantity": .integer(Int64(item.quantity)),
                    "amount": try item.unitAmount.map(wireAmount),
                ]))
        }
        let reference = configuration.referenceKeys.first ?? "order_id"
        return .object([
            "product_cart": .array(cart),
            "billing_currency": draft.items.first?.unitAmount.map {
                .string($0.currency.code)
            },
            "return_url": draft.returnURL.isEmpty ? nil : .string(draft.returnURL),
            "cancel_url": draft.cancelURL.map(JSONValue.string),
            "customer": draft.customerEmail.map { .object(["email": .string($0)]) },
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
