public import CheckoutModel
public import ProviderKit

/// `POST /v2/online-checkout/payment-links`. Source: developer.squareup.com,
/// checkout-api/square-order-checkout; square-python-sdk, src/square/types/payment_link.py.
extension SquareProvider: SessionCreating {
    /// The longest idempotency key that Square takes for payment links, in characters.
    ///
    /// Source: developer.squareup.com, reference of CreatePaymentLink. From memory, not verified.
    private static let idempotencyKeyLimit = 192

    /// Plans the creation of a payment link for an order of the draft's lines.
    ///
    /// Square answers a repeated request with the same `idempotency_key` with the link that it made
    /// first. It has no URL for customers who give up: the draft's is not sent. Throws
    /// `missing_field` without a configured location.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        guard let location = configuration.locationID else { throw .missingField("locationID") }
        guard !draft.items.isEmpty else { throw .missingField("items") }
        var lines: [JSONValue] = []
        for item in draft.items { lines.append(try line(item)) }
        let body = JSONValue.object([
            "idempotency_key": .string(idempotencyKey.text(limit: Self.idempotencyKeyLimit)),
            "order": .object([
                "location_id": .string(location), "reference_id": .string(draft.reference),
                "line_items": .array(lines),
            ]),
            "checkout_options": draft.returnURL.isEmpty
                ? nil : .object(["redirect_url": .string(draft.returnURL)]),
            "pre_populated_data": draft.customerEmail.map {
                .object(["buyer_email": .string($0)])
            },
        ])
        return HTTPRequestPlan(
            method: "POST", url: "\(try apiHost())/v2/online-checkout/payment-links",
            headers: HeaderList(
                try headers(secrets) + [
                    .init(name: "Content-Type", value: "application/json")
                ]), body: body.json, isRepeatable: true)
    }

    /// Reads `payment_link.order_id` and `payment_link.url`.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let body = try created(reply)
        do throws(WebhookDecodingError) {
            let link = try body.requiredObject("payment_link")
            let order = try link.requiredText("order_id")
            let orders = try body.object("related_resources")?.objects("orders") ?? []
            let reference = orders.first { $0.note("id") == order }?.note("reference_id")
            return CreatedSession(
                ids: ProviderIDs(session: order, order: reference),
                checkoutURL: try link.requiredText("url"), expiresAt: nil,
                mode: configuration.mode)
        } catch {
            throw .unreadable
        }
    }

    /// Square lists its errors: the code of the first is the reason.
    private func created(_ reply: HTTPReply) throws(ProviderReplyError) -> JSONFields {
        do throws(ProviderReplyError) {
            return try reply.createdObject()
        } catch .refused(providerCode: nil) {
            let body = try? JSONFields(body: reply.body)
            throw .refused(providerCode: body?.objects("errors").first?.note("code"))
        } catch {
            throw error
        }
    }

    /// A catalogue's variation at its own price, or a line described here at the draft's.
    private func line(_ item: SessionDraft.Item) throws(RequestPlanError) -> JSONValue {
        guard item.quantity >= 1 else { throw .missingField("quantity") }
        let quantity = JSONValue.string(String(item.quantity))
        if let product = item.productID, item.unitAmount == nil {
            return .object(["catalog_object_id": .string(product), "quantity": quantity])
        }
        guard let price = item.unitAmount else { throw .missingField("unitAmount") }
        guard !item.name.isEmpty else { throw .missingField("name") }
        guard let units = try? Self.descriptor.moneyProfile.wireAmount(of: price), units >= 0
        else { throw .unusableAmount }
        return .object([
            "name": .string(item.name), "quantity": quantity,
            "base_price_money": .object([
                "amount": .integer(units), "currency": .string(price.currency.code),
            ]),
        ])
    }
}
