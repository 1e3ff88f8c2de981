public import CheckoutModel
public import ProviderKit

/// `GET /payments/{id}` and `GET /billing_requests/{id}`, answered in an object of that name.
/// Source: gocardless-pro-python, gocardless_pro/client.py, api_client.py,
/// resources/{payment,billing_request}.py.
extension GoCardlessProvider: StatusQuerying {
    private static let version = "2015-07-06"

    /// Asks about a billing request or a payment; throws `unknown_mode` when the configuration does
    /// not say which of the two hosts knows it.
    ///
    /// From memory, not verified: that access tokens begin with `live_` and `sandbox_`; a token
    /// that begins otherwise is taken.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        guard let collection = Self.collection(of: target) else { throw .unsupportedTarget }
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/\(collection)/\(try URLSegment.encoded(target.id))",
            headers: HeaderList(try headers(secrets)))
    }

    /// The key, unless it is of the other mode.
    func headers(_ secrets: SecretSet) throws(RequestPlanError) -> [HeaderList.Field] {
        let key: String
        do throws(SecretError) {
            key = try secrets.apiKey(of: configuration.mode, live: "live_", test: "sandbox_")
        } catch {
            throw .secret(error)
        }
        return [
            .init(name: "Authorization", value: "Bearer \(key)"),
            .init(name: "Accept", value: "application/json"),
            .init(name: "GoCardless-Version", value: Self.version),
        ]
    }

    /// A billing request is pending until its payment tells; ask about the payment that it names.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        guard let collection = Self.collection(of: target) else { return .otherObject }
        return try reply.statusReport { (body) throws(WebhookDecodingError) in
            let object = try body.requiredObject(collection)
            guard try object.requiredText("id") == target.id else { return .otherObject }
            let word = try object.requiredText("status")
            let links = try object.object("links")
            if case .payment(let id) = target {
                return report(
                    StatusMapping.payment(word), word,
                    amount: try object.money(
                        "amount", currency: "currency", profile: Self.descriptor.moneyProfile),
                    ids: ProviderIDs(
                        payment: id, subscription: try links?.identifier("subscription"),
                        order: reference(in: object)))
            }
            let asked = try object.object("payment_request")
            return report(
                StatusMapping.billingRequest(word), word,
                amount: try asked?.money(
                    "amount", currency: "currency", profile: Self.descriptor.moneyProfile),
                ids: ProviderIDs(
                    session: target.id, payment: try links?.identifier("payment_request_payment"),
                    order: reference(in: object), customer: links?.note("customer")))
        }
    }

    private static func collection(of target: StatusQueryTarget) -> String? {
        switch target {
        case .session: "billing_requests"
        case .payment: "payments"
        case .order, .merchantReference: nil
        }
    }

    private func report(
        _ status: CheckoutStatus?, _ word: String, amount: Money?, ids: ProviderIDs
    ) -> StatusReport {
        .told(status, by: word, amount: amount, ids: ids, mode: configuration.mode)
    }

    func apiHost() throws(RequestPlanError) -> String {
        switch configuration.mode {
        case .live: "https://api.gocardless.com"
        case .test: "https://api-sandbox.gocardless.com"
        case .unknown: throw .unknownMode
        }
    }
}
