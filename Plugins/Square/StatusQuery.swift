public import CheckoutModel
public import ProviderKit

/// `GET /v2/orders/{id}` and `GET /v2/payments/{id}`. Source: square-python-sdk,
/// src/square/environment.py, src/square/types/{order,payment,tender}.py.
extension SquareProvider: StatusQuerying {
    private static let collections = StatusCollections(
        session: "orders", payment: "payments", order: "orders")

    /// Asks about an order, which names the session, or a payment; throws `unknown_mode` when the
    /// configuration does not say which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/v2/\(try Self.collections.path(of: target))",
            headers: HeaderList(try headers(secrets)))
    }

    /// The object's own words.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport { (body) throws(WebhookDecodingError) in
            switch target {
            case .session(let id), .order(let id):
                return try order(body.requiredObject("order"), asked: id)
            case .payment(let id): return try payment(body.requiredObject("payment"), asked: id)
            case .merchantReference: return .otherObject
            }
        }
    }

    private func order(
        _ order: JSONFields, asked id: String
    ) throws(WebhookDecodingError) -> StatusReport {
        guard try order.requiredText("id") == id else { return .otherObject }
        let word = try order.requiredText("state")
        let status: CheckoutStatus
        switch StatusMapping.order(word) {
        case .status(let told): status = told
        case .asPaid: status = try isPaid(order) ? .succeeded : .pending
        case nil: return .indeterminate(.unknownWord, retryAfterSeconds: nil)
        }
        let tender = order.objects("tenders").first
        let ids = ProviderIDs(
            session: id, payment: try tender?.identifier("payment_id"),
            order: order.note("reference_id"), customer: try order.identifier("customer_id"))
        return .known(
            PaymentFacts(
                status: status, amount: try total(order), ids: ids, mode: configuration.mode,
                rawStatus: word))
    }

    /// Nothing is due, something was to be paid, and all of it was taken from cards.
    ///
    /// Other ways to pay do not say here whether the money was taken: the payment does.
    private func isPaid(_ order: JSONFields) throws(WebhookDecodingError) -> Bool {
        let tenders = order.objects("tenders")
        guard let due = try Self.money("net_amount_due_money", order), due.minorUnits == 0,
            let total = try Self.money("total_money", order), total.minorUnits > 0,
            !tenders.isEmpty
        else { return false }
        return tenders.allSatisfy { tender in
            let card = (try? tender.object("card_details")) ?? nil
            return card?.note("status") == StatusMapping.capturedCard
        }
    }

    /// What is sold, without a tip: the customer adds it to what we asked for.
    private func total(_ order: JSONFields) throws(WebhookDecodingError) -> Money? {
        guard let total = try Self.money("total_money", order) else { return nil }
        guard let tip = try Self.money("total_tip_money", order) else { return total }
        guard let rest = try? total.subtracting(tip) else {
            throw WebhookDecodingError(.amountOutOfRange, field: "total_tip_money")
        }
        return rest
    }

    private func payment(
        _ payment: JSONFields, asked id: String
    ) throws(WebhookDecodingError) -> StatusReport {
        guard try payment.requiredText("id") == id else { return .otherObject }
        let word = try payment.requiredText("status")
        return .told(
            StatusMapping.payment(word), by: word, amount: try Self.money("amount_money", payment),
            ids: try paymentIDs(payment), mode: configuration.mode)
    }

    func apiHost() throws(RequestPlanError) -> String {
        switch configuration.mode {
        case .live: "https://connect.squareup.com"
        case .test: "https://connect.squareupsandbox.com"
        case .unknown: throw .unknownMode
        }
    }

    func headers(_ secrets: SecretSet) throws(RequestPlanError) -> [HeaderList.Field] {
        do throws(SecretError) {
            return [
                .init(name: "Authorization", value: "Bearer \(try secrets.apiKey())"),
                .init(name: "Accept", value: "application/json"),
            ]
        } catch {
            throw .secret(error)
        }
    }
}
