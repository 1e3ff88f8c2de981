public import CheckoutModel
public import ProviderKit

/// `GET /v1/checkout/sessions/{id}` and `GET /v1/payment_intents/{id}`.
/// Source: stripe-python, stripe/checkout/_session.py, stripe/_api_requestor.py.
extension StripeProvider: StatusQuerying {
    static let apiHost = "https://api.stripe.com"
    private static let collections = StatusCollections(
        session: "checkout/sessions", payment: "payment_intents")

    /// Asks about a session or a payment; the API key decides between live and test, and must be of
    /// the account's mode where that is known.
    ///
    /// Throws `unusable_id` for a session of the other mode than the account's.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        if case .session(let id) = target, !isOurs(Self.mode(ofSession: id)) { throw .unusableID }
        return HTTPRequestPlan(
            method: "GET",
            url: "\(Self.apiHost)/v1/\(try Self.collections.path(of: target))",
            headers: HeaderList(try headers(secrets)))
    }

    /// The object's own words.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport(about: target) { (object) throws(WebhookDecodingError) in
            switch target {
            case .session:
                return report(
                    StatusMapping.session(
                        status: object.note("status"),
                        paymentStatus: object.note("payment_status")),
                    amount: try amount("amount_total", object), ids: try sessionIDs(object),
                    word: sessionWords(object), object)
            case .payment(let id):
                let word = try object.requiredText("status")
                return report(
                    StatusMapping.paymentIntent(word), amount: try amount("amount", object),
                    ids: ProviderIDs(payment: id, customer: try object.reference("customer")),
                    word: word, object)
            case .order, .merchantReference: return .otherObject
            }
        }
    }

    private func amount(
        _ name: String, _ object: JSONFields
    ) throws(WebhookDecodingError) -> Money? {
        try object.money(name, currency: "currency", profile: Self.descriptor.moneyProfile)
    }

    private func report(
        _ status: CheckoutStatus?, amount: Money?, ids: ProviderIDs, word: String?,
        _ object: JSONFields
    ) -> StatusReport {
        .told(status, by: word, amount: amount, ids: ids, mode: mode(of: object))
    }

    /// Throws `malformed_secret` for a key of the other mode than the account's.
    func headers(_ secrets: SecretSet) throws(RequestPlanError) -> [HeaderList.Field] {
        try secrets.bearerHeaders(
            of: configuration.mode,
            prefixes: [
                (live: "sk_live_", test: "sk_test_"), (live: "rk_live_", test: "rk_test_"),
            ])
    }
}
