public import CheckoutModel
public import ProviderKit

/// `POST /v1/checkout/sessions`, form-encoded.
/// Source: stripe-python, stripe/checkout/_session.py, stripe/_api_requestor.py.
extension StripeProvider: SessionCreating {
    /// Plans the creation of a session for one payment.
    ///
    /// Stripe answers a repeated request with the same `Idempotency-Key` with the session that it
    /// made first.
    ///
    /// The return URL gets `{CHECKOUT_SESSION_ID}` in the configured parameter unless it carries
    /// the template already.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        var headers = try headers(secrets)
        headers.append(.init(name: "Content-Type", value: "application/x-www-form-urlencoded"))
        headers.append(.init(name: "Idempotency-Key", value: idempotencyKey.rawValue))
        return HTTPRequestPlan(
            method: "POST", url: "\(Self.apiHost)/v1/checkout/sessions",
            headers: HeaderList(headers), body: URLSegment.form(try pairs(draft)),
            isRepeatable: true)
    }

    /// Reads `id` and `url`.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject()
        do throws(WebhookDecodingError) {
            return CreatedSession(
                ids: try sessionIDs(object), checkoutURL: try object.text("url"),
                expiresAt: try object.integer("expires_at").map { Instant(seconds: $0) },
                mode: mode(of: object))
        } catch {
            throw .unreadable
        }
    }

    private func pairs(
        _ draft: SessionDraft
    ) throws(RequestPlanError) -> [(name: String, value: String)] {
        guard !draft.items.isEmpty else { throw .missingField("items") }
        guard !draft.returnURL.isEmpty else { throw .missingField("returnURL") }
        var pairs: [(name: String, value: String)] = [
            ("mode", "payment"), ("client_reference_id", draft.reference),
            (
                "success_url",
                ReturnTemplate.adding(
                    "{CHECKOUT_SESSION_ID}", as: configuration.sessionParameter,
                    to: draft.returnURL)
            ),
        ]
        if let cancelURL = draft.cancelURL { pairs.append(("cancel_url", cancelURL)) }
        if let email = draft.customerEmail { pairs.append(("customer_email", email)) }
        for (index, item) in draft.items.enumerated() {
            pairs += try line(item, name: "line_items[\(index)]")
        }
        return pairs
    }

    private func line(
        _ item: SessionDraft.Item, name: String
    ) throws(RequestPlanError) -> [(name: String, value: String)] {
        guard item.quantity >= 1 else { throw .missingField("quantity") }
        let quantity = (name: "\(name)[quantity]", value: String(item.quantity))
        guard let price = item.unitAmount else {
            guard let product = item.productID else { throw .missingField("unitAmount") }
            return [(name: "\(name)[price]", value: product), quantity]
        }
        guard let amount = try? Self.descriptor.moneyProfile.wireAmount(of: price), amount >= 0
        else { throw .unusableAmount }
        let product =
            item.productID.map { (name: "\(name)[price_data][product]", value: $0) }
            ?? (name: "\(name)[price_data][product_data][name]", value: item.name)
        guard !product.value.isEmpty else { throw .missingField("name") }
        return [
            (name: "\(name)[price_data][currency]", value: price.currency.code.lowercased()),
            (name: "\(name)[price_data][unit_amount]", value: String(amount)), product, quantity,
        ]
    }
}
