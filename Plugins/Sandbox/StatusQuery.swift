public import CheckoutModel
public import ProviderKit

/// `GET /sandbox/api/checkouts/{id}` and `GET /sandbox/api/payments/{id}`.
extension SandboxProvider: StatusQuerying {
    /// Asks about a session or a payment.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let collection: String
        switch target {
        case .session: collection = "checkouts"
        case .payment: collection = "payments"
        case .order, .merchantReference: throw .unsupportedTarget
        }
        return HTTPRequestPlan(
            method: "GET", url: "\(apiURL)/\(collection)/\(try URLSegment.encoded(target.id))",
            headers: HeaderList(try secrets.bearerHeaders()))
    }

    /// The object's own word.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        let object: JSONFields
        switch try reply.statusObject() {
        case .success(let fields): object = fields
        case .failure(let nothing): return nothing.report
        }
        do throws(WebhookDecodingError) {
            try Self.requirePretence(object)
            guard try object.requiredText("id") == target.id else {
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
            let word = try object.requiredText("status")
            let status: CheckoutStatus?
            var ids = ProviderIDs(order: try object.identifier("reference"))
            switch target {
            case .session(let id):
                status = StatusMapping.checkout(word)
                (ids.session, ids.payment) = (id, try object.identifier("payment"))
            case .payment(let id):
                status = StatusMapping.payment(word)
                (ids.session, ids.payment) = (try object.identifier("checkout"), id)
            case .order, .merchantReference:
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
            guard let status else { return .indeterminate(.unknownWord, retryAfterSeconds: nil) }
            return .known(
                PaymentFacts(
                    status: status, amount: try money(object), ids: ids, mode: .test,
                    rawStatus: word))
        } catch {
            return .indeterminate(.unreadable, retryAfterSeconds: nil)
        }
    }

    /// A sandbox on this machine is asked under a name that its port has to be put behind.
    var apiURL: String {
        (origin.isLocal ? "https://\(Self.localHost)" : configuration.origin) + "/sandbox/api"
    }
}
