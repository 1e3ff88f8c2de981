public import CheckoutModel
public import ProviderKit

/// `GET /v1/payment_links/{id}`, `/v1/orders/{id}` and `/v1/payments/{id}`. Source:
/// razorpay-python, razorpay/constants/url.py, tests/mocks.
extension RazorpayProvider: StatusQuerying {
    static let apiBase = "https://api.razorpay.com/v1"

    /// Asks about a link or an order, as the id's prefix says, or a payment.
    ///
    /// An id of neither prefix is of the configured kind. The API key decides between live and
    /// test; throws `missing_field` without its id.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let collection: String
        switch target {
        case .session(let id): collection = isOrder(id) ? "orders" : "payment_links"
        case .order: collection = "orders"
        case .payment: collection = "payments"
        case .merchantReference: throw .unsupportedTarget
        }
        return HTTPRequestPlan(
            method: "GET",
            url: "\(Self.apiBase)/\(collection)/\(try URLSegment.encoded(target.id))",
            headers: HeaderList(try headers(secrets)))
    }

    func isOrder(_ id: String) -> Bool {
        id.hasPrefix("order_")
            || (configuration.checkout == .orders && !id.hasPrefix("plink_"))
    }

    /// The object's own words.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport(about: target) { (object) throws(WebhookDecodingError) in
            switch target {
            case .session(let id): return isOrder(id) ? try order(object) : try link(object)
            case .order: return try order(object)
            case .payment: return try payment(object)
            case .merchantReference: return .otherObject
            }
        }
    }

    private func link(_ link: JSONFields) throws(WebhookDecodingError) -> StatusReport {
        let word = try link.requiredText("status")
        let status = StatusMapping.paymentLink(word)
        let captured = link.objects("payments").last { $0.note("status") == "captured" }
        return report(
            status, word, amount: try total(link, status),
            ids: ProviderIDs(
                session: try link.requiredText("id"),
                payment: try captured?.identifier("payment_id"),
                order: link.note("reference_id")))
    }

    private func order(_ order: JSONFields) throws(WebhookDecodingError) -> StatusReport {
        let word = try order.requiredText("status")
        let status = StatusMapping.order(word)
        return report(
            status, word, amount: try total(order, status),
            ids: ProviderIDs(
                session: try order.requiredText("id"), order: order.note("receipt")))
    }

    private func payment(_ payment: JSONFields) throws(WebhookDecodingError) -> StatusReport {
        let word = try payment.requiredText("status")
        let session =
            configuration.checkout == .orders ? try payment.identifier("order_id") : nil
        return report(
            StatusMapping.payment(word), word, amount: try Self.money("amount", payment),
            ids: ProviderIDs(
                session: session, payment: try payment.requiredText("id"),
                order: reference(in: payment), customer: try payment.identifier("customer_id")))
    }

    /// What was paid where it is paid, else what is asked for.
    private func total(
        _ object: JSONFields, _ status: CheckoutStatus?
    ) throws(WebhookDecodingError) -> Money? {
        if status == .succeeded, let paid = try Self.money("amount_paid", object) { return paid }
        return try Self.money("amount", object)
    }

    private func report(
        _ status: CheckoutStatus?, _ word: String, amount: Money?, ids: ProviderIDs
    ) -> StatusReport {
        .told(status, by: word, amount: amount, ids: ids, mode: configuration.effectiveMode)
    }

    func headers(_ secrets: SecretSet) throws(RequestPlanError) -> [HeaderList.Field] {
        guard let keyID = configuration.keyID else { throw .missingField("keyID") }
        do throws(SecretError) {
            return [
                .init(
                    name: "Authorization", value: try secrets.basicAuthorization(user: keyID)),
                .init(name: "Accept", value: "application/json"),
            ]
        } catch {
            throw .secret(error)
        }
    }
}
