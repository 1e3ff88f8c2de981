public import CheckoutModel
public import ProviderKit

/// `GET /checkouts/{id}` and `GET /payments/{id}`.
/// Source: typescript, src/client.ts, src/resources/{checkout-sessions,payments}.ts.
extension DodoPaymentsProvider: StatusQuerying {
    private static let collections = StatusCollections(session: "checkouts", payment: "payments")

    /// Asks about a session or a payment; throws `unknown_mode` when the configuration does not
    /// say which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/\(try Self.collections.path(of: target))",
            headers: try headers(secrets))
    }

    /// A session's answer has no amount; ask about the payment that it names for that.
    ///
    /// A null status is pending: the customer is still typing, or gave up, or the session ran out,
    /// and Dodo does not tell these apart.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport { (fields) throws(WebhookDecodingError) in
            switch target {
            case .session(let id): return try session(fields, asked: id)
            case .payment(let id): return try payment(fields, asked: id)
            case .order, .merchantReference: return .otherObject
            }
        }
    }

    private func session(
        _ fields: JSONFields, asked id: String
    ) throws(WebhookDecodingError) -> StatusReport {
        guard try fields.requiredText("id") == id else { return .otherObject }
        return report(
            word: try fields.text("payment_status"), amount: nil,
            ids: ProviderIDs(session: id, payment: try fields.identifier("payment_id")))
    }

    private func payment(
        _ fields: JSONFields, asked id: String
    ) throws(WebhookDecodingError) -> StatusReport {
        guard try fields.requiredText("payment_id") == id else { return .otherObject }
        return report(
            word: try fields.text("status"),
            amount: try fields.money(
                "total_amount", currency: "currency", profile: Self.descriptor.moneyProfile),
            ids: ProviderIDs(
                session: try fields.identifier("checkout_session_id"), payment: id,
                subscription: try fields.identifier("subscription_id"),
                order: reference(in: fields),
                customer: try fields.object("customer")?.identifier("customer_id")))
    }

    private func report(word: String?, amount: Money?, ids: ProviderIDs) -> StatusReport {
        let status = word.map(StatusMapping.payment) ?? .pending
        return .told(status, by: word, amount: amount, ids: ids, mode: configuration.providerMode)
    }

    func apiHost() throws(RequestPlanError) -> String {
        switch configuration.mode {
        case .live: "https://live.dodopayments.com"
        case .test: "https://test.dodopayments.com"
        case nil: throw .unknownMode
        }
    }

    func headers(_ secrets: SecretSet) throws(RequestPlanError) -> HeaderList {
        do throws(SecretError) {
            return [
                "Authorization": "Bearer \(try secrets.apiKey())", "Accept": "application/json",
            ]
        } catch {
            throw .secret(error)
        }
    }
}
