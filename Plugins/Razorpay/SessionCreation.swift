public import CheckoutModel
public import ProviderKit

/// `POST /v1/payment_links`, or `POST /v1/orders` where checkouts are orders. Source:
/// razorpay-python, documents/paymentLink.md, documents/order.md.
extension RazorpayProvider: SessionCreating {
    /// Plans the creation of a link, or of an order, over the draft's total.
    ///
    /// Razorpay documents no idempotency header, so a repeated request may make a second one. The
    /// key goes into `notes.idempotency_key`, by which both are found. There is no URL for
    /// customers who give up: the draft's is not sent.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let total = try draft.total()
        guard let units = try? Self.descriptor.moneyProfile.wireAmount(of: total) else {
            throw .unusableAmount
        }
        let notes = JSONValue.object(["idempotency_key": .string(idempotencyKey.rawValue)])
        let body: JSONValue
        let collection: String
        switch configuration.checkout {
        case .paymentLinks:
            let hasReturn = !draft.returnURL.isEmpty
            collection = "payment_links"
            body = .object([
                "amount": .integer(units), "currency": .string(total.currency.code),
                "reference_id": .string(draft.reference), "description": .string(draft.title),
                "callback_url": hasReturn ? .string(draft.returnURL) : nil,
                "callback_method": hasReturn ? .string("get") : nil,
                "customer": draft.customerEmail.map { .object(["email": .string($0)]) },
                "notes": notes,
            ])
        case .orders:
            collection = "orders"
            body = .object([
                "amount": .integer(units), "currency": .string(total.currency.code),
                "receipt": .string(draft.reference), "notes": notes,
            ])
        }
        return HTTPRequestPlan(
            method: "POST", url: "\(Self.apiBase)/\(collection)",
            headers: HeaderList(
                try headers(secrets) + [
                    .init(name: "Content-Type", value: "application/json")
                ]), body: body.json)
    }

    /// Reads `id` and, of a link, `short_url` and `expire_by`; an order has no page of its own.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject()
        do throws(WebhookDecodingError) {
            let isLink = configuration.checkout == .paymentLinks
            let expiry = try object.integer("expire_by") ?? 0
            return CreatedSession(
                ids: ProviderIDs(
                    session: try object.requiredText("id"),
                    order: object.note(isLink ? "reference_id" : "receipt")),
                checkoutURL: isLink ? try object.requiredText("short_url") : nil,
                expiresAt: expiry > 0 ? Instant(seconds: expiry) : nil,
                mode: configuration.effectiveMode)
        } catch {
            throw .unreadable
        }
    }
}
