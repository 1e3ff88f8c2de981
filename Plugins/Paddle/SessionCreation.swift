public import CheckoutModel
public import ProviderKit

/// `POST /transactions`. Source: paddle-python-sdk,
/// Resources/Transactions/Operations/CreateTransaction.py and Price/TransactionNonCatalogPrice.py.
extension PaddleProvider: SessionCreating {
    /// Plans the creation of a transaction.
    ///
    /// A line names a price of Paddle's (`pri_…`), which has its own amount, or has an amount here
    /// and names a product of Paddle's (`pro_…`) or a name for a new one. Where customers go
    /// afterwards is told to Paddle's script on the page, not here, so neither of the draft's URLs
    /// is sent, and Paddle takes no address without a customer of its own. Paddle has no
    /// idempotency header, so a repeated request makes a second transaction; the key goes into
    /// `custom_data.idempotency_key`, by which both are found.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        var headers = try headers(secrets)
        headers.append(.init(name: "Content-Type", value: "application/json"))
        return HTTPRequestPlan(
            method: "POST", url: "\(try apiHost())/transactions", headers: HeaderList(headers),
            body: try body(draft, idempotencyKey).json)
    }

    /// Reads `data.id` and `data.checkout.url`, which is null for an account without a payment
    /// link.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let object = try reply.createdObject()
        do throws(WebhookDecodingError) {
            let data = try object.requiredObject("data")
            return CreatedSession(
                ids: try transactionIDs(data),
                checkoutURL: try data.object("checkout")?.text("url"), expiresAt: nil,
                mode: configuration.mode)
        } catch {
            throw .unreadable
        }
    }

    private func body(
        _ draft: SessionDraft, _ key: IdempotencyKey
    ) throws(RequestPlanError) -> JSONValue {
        guard !draft.items.isEmpty else { throw .missingField("items") }
        var lines: [JSONValue] = []
        for item in draft.items { lines.append(try line(item)) }
        let reference = configuration.referenceKeys.first ?? "order_id"
        return .object([
            "items": .array(lines),
            "currency_code": draft.items.lazy.compactMap(\.unitAmount).first.map {
                .string($0.currency.code)
            },
            "collection_mode": .string("automatic"),
            "custom_data": .object([
                reference: .string(draft.reference), "idempotency_key": .string(key.rawValue),
            ]),
            "checkout": configuration.checkoutPage.map { .object(["url": .string($0)]) },
        ])
    }

    private func line(_ item: SessionDraft.Item) throws(RequestPlanError) -> JSONValue {
        guard item.quantity >= 1 else { throw .missingField("quantity") }
        let quantity = JSONValue.integer(Int64(item.quantity))
        guard let money = item.unitAmount else {
            guard let price = item.productID else { throw .missingField("unitAmount") }
            return .object(["price_id": .string(price), "quantity": quantity])
        }
        // A price of Paddle's cannot be given another amount.
        guard item.productID?.hasPrefix("pri_") != true,
            let amount = try? Self.descriptor.moneyProfile.wireAmount(of: money), amount >= 0
        else { throw .unusableAmount }
        guard !item.name.isEmpty || item.productID != nil else { throw .missingField("name") }
        let name = item.name.isEmpty ? item.productID ?? "" : item.name
        let product: JSONValue = .object([
            "name": .string(name), "tax_category": .string("standard"),
        ])
        return .object([
            "quantity": quantity,
            "price": .object([
                "description": .string(name),
                "unit_price": .object([
                    "amount": .string(String(amount)),
                    "currency_code": .string(money.currency.code),
                ]),
                "product_id": item.productID.map(JSONValue.string),
                "product": item.productID == nil ? product : nil,
            ]),
        ])
    }
}
