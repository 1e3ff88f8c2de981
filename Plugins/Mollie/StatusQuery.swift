public import CheckoutModel
public import ProviderKit

/// `GET /v2/payments/{id}`.
/// Source: mollie-api-php, src/Http/Requests/GetPaymentRequest.php.
extension MollieProvider: StatusQuerying {
    private static let collections = StatusCollections(session: "payments", payment: "payments")

    static let apiHost = "https://api.mollie.com"

    /// Asks about a payment, which is the checkout; access tokens are told which mode is meant.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let key = try apiKey(secrets)
        let mark = isTestToken(key) ? "?testmode=true" : ""
        return HTTPRequestPlan(
            method: "GET",
            url: "\(Self.apiHost)/v2/\(try Self.collections.path(of: target))\(mark)",
            headers: ["Authorization": "Bearer \(key)", "Accept": "application/json"])
    }

    /// The payment's own word; an answer of the other mode is about something else.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport { (object) throws(WebhookDecodingError) in
            let id = try object.requiredText("id")
            let mode = mode(of: object)
            guard id == target.id, configuration.mode == .unknown || mode == configuration.mode
            else { return .otherObject }
            let word = try object.requiredText("status")
            return .told(
                StatusMapping.payment(word), by: word, amount: try object.amount(),
                ids: try paymentIDs(object, id: id), mode: mode)
        }
    }

    /// The key, unless it is of the other mode.
    func apiKey(_ secrets: SecretSet) throws(RequestPlanError) -> String {
        do throws(SecretError) {
            return try secrets.apiKey(of: configuration.mode, live: "live_", test: "test_")
        } catch {
            throw .secret(error)
        }
    }

    /// Access tokens serve both modes and must be told.
    func isTestToken(_ key: String) -> Bool {
        key.hasPrefix("access_") && configuration.mode == .test
    }
}
