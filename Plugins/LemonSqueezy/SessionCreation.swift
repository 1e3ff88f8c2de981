public import CheckoutModel
public import ProviderKit

/// `POST /v1/checkouts`. Source: lemonsqueezy.js, src/checkouts/{index,types}.ts.
extension LemonSqueezyProvider: SessionCreating {
    /// Plans the creation of a checkout for one variant of the configured store.
    ///
    /// A price of its own holds for one piece, so a draft with such a price and more pieces, or
    /// with more than one line, is refused with `too_many_items`. It is sent without its currency:
    /// Lemon Squeezy reads it in the store's, so declare the total with the session and let the
    /// ledger compare. Lemon Squeezy documents no idempotency header, so a repeated request makes
    /// a second checkout; the key goes into the custom data, by which both are found.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        var headers = try secrets.bearerHeaders(accepting: Self.mediaType)
        headers.append(.init(name: "Content-Type", value: Self.mediaType))
        return HTTPRequestPlan(
            method: "POST", url: "\(Self.apiHost)/v1/checkouts", headers: HeaderList(headers),
            body: try body(draft, idempotencyKey).json)
    }

    /// Reads `data.id` and its `url` and `expires_at`.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject()
        do throws(WebhookDecodingError) {
            let data = try object.requiredObject("data")
            let attributes = try data.requiredObject("attributes")
            return CreatedSession(
                ids: ProviderIDs(session: try data.requiredText("id")),
                checkoutURL: try attributes.text("url"),
                expiresAt: attributes.time("expires_at"), mode: mode(attributes))
        } catch {
            throw .unreadable
        }
    }

    private func body(
        _ draft: SessionDraft, _ key: IdempotencyKey
    ) throws(RequestPlanError) -> JSONValue {
        guard let store = configuration.storeID else { throw .missingField("storeID") }
        guard let item = draft.items.first else { throw .missingField("items") }
        guard item.quantity >= 1 else { throw .missingField("quantity") }
        guard draft.items.count == 1, item.quantity == 1 || item.unitAmount == nil else {
            throw .tooManyItems
        }
        guard let variant = item.productID else { throw .missingField("productID") }
        let isTest: JSONValue? =
            configuration.mode == .unknown ? nil : .bool(configuration.mode == .test)
        return .object([
            "data": .object([
                "type": .string("checkouts"),
                "attributes": .object([
                    "custom_price": try item.unitAmount.map(wireAmount),
                    "product_options": .object([
                        "name": item.name.isEmpty ? nil : .string(item.name),
                        "redirect_url": .string(draft.returnURL),
                    ]),
                    "checkout_data": try checkoutData(draft, item, variant, key),
                    "test_mode": isTest,
                ]),
                "relationships": .object([
                    "store": relationship("stores", store),
                    "variant": relationship("variants", variant),
                ]),
            ])
        ])
    }

    private func checkoutData(
        _ draft: SessionDraft, _ item: SessionDraft.Item, _ variant: String, _ key: IdempotencyKey
    ) throws(RequestPlanError) -> JSONValue {
        var quantities: JSONValue?
        if item.quantity > 1 {
            guard let number = Int64(variant) else { throw .unusableID }
            quantities = .array([
                .object([
                    "variant_id": .integer(number), "quantity": .integer(Int64(item.quantity)),
                ])
            ])
        }
        let reference = configuration.referenceKeys.first ?? "order_id"
        return .object([
            "email": draft.customerEmail.map(JSONValue.string),
            "custom": .object([
                reference: .string(draft.reference), "idempotency_key": .string(key.rawValue),
            ]),
            "variant_quantities": quantities,
        ])
    }

    private func relationship(_ type: String, _ id: String) -> JSONValue {
        .object(["data": .object(["type": .string(type), "id": .string(id)])])
    }

    private func wireAmount(_ money: Money) throws(RequestPlanError) -> JSONValue {
        guard let amount = try? Self.descriptor.moneyProfile.wireAmount(of: money), amount >= 0
        else { throw .unusableAmount }
        return .integer(amount)
    }
}
