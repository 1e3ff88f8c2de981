public import CheckoutModel
public import ProviderKit

/// `POST /hosted-payments`. Source: checkout-sdk-python,
/// checkout_sdk/payments/hosted/hosted_payments.py, checkout_sdk/api_client.py.
extension CheckoutComProvider: SessionCreating {
    /// Plans the creation of a page over the draft's total, which must be priced.
    ///
    /// The key goes into `Cko-Idempotency-Key`. That Checkout.com keeps to it for pages, as it does
    /// for payments, is not documented, so the request does not count as repeatable. Customers who
    /// fail or give up come to the draft's cancel URL, or the return URL where there is none.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        var headers = try secrets.bearerHeaders()
        headers.append(.init(name: "Content-Type", value: "application/json"))
        headers.append(.init(name: "Cko-Idempotency-Key", value: idempotencyKey.rawValue))
        return HTTPRequestPlan(
            method: "POST", url: "\(try apiHost())/hosted-payments",
            headers: HeaderList(headers), body: try body(draft, idempotencyKey).json)
    }

    /// Reads `id` and `_links.redirect.href`.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject(errorField: "error_type")
        do throws(WebhookDecodingError) {
            let link = try object.object("_links")?.object("redirect")
            return CreatedSession(
                ids: ProviderIDs(
                    session: try object.requiredText("id"), order: reference(in: object)),
                checkoutURL: try link?.text("href"), expiresAt: object.time("expires_on"),
                mode: configuration.mode)
        } catch {
            throw .unreadable
        }
    }

    private func body(
        _ draft: SessionDraft, _ key: IdempotencyKey
    ) throws(RequestPlanError) -> JSONValue {
        let total = try draft.total()
        guard let country = configuration.billingCountry else {
            throw .missingField("billingCountry")
        }
        guard !draft.returnURL.isEmpty else { throw .missingField("returnURL") }
        let otherURL = draft.cancelURL ?? draft.returnURL
        var lines: [JSONValue] = []
        for item in draft.items {
            lines.append(
                .object([
                    "name": .string(item.name.isEmpty ? draft.reference : item.name),
                    "quantity": .integer(Int64(item.quantity)),
                    "price": try item.unitAmount.map(wireAmount),
                ]))
        }
        return .object([
            "amount": try wireAmount(total), "currency": .string(total.currency.code),
            "reference": .string(draft.reference),
            "billing": .object(["address": .object(["country": .string(country)])]),
            "processing_channel_id": configuration.processingChannelID.map(JSONValue.string),
            "customer": draft.customerEmail.map { .object(["email": .string($0)]) },
            "products": .array(lines),
            "success_url": .string(draft.returnURL), "failure_url": .string(otherURL),
            "cancel_url": .string(otherURL),
            "metadata": .object(["idempotency_key": .string(key.rawValue)]),
        ])
    }

    private func wireAmount(_ money: Money) throws(RequestPlanError) -> JSONValue {
        guard let amount = try? Self.descriptor.moneyProfile.wireAmount(of: money), amount >= 0
        else { throw .unusableAmount }
        return .integer(amount)
    }
}
