public import CheckoutModel
public import ProviderKit

/// `GET /v2/payments/{id}`.
/// Source: mollie-api-php, src/Http/Requests/GetPaymentRequest.php.
extension MollieProvider: StatusQuerying {
    static let apiHost = "https://api.mollie.com"

    /// Asks about a payment, which is the checkout; access tokens are told which mode is meant.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        switch target {
        case .session, .payment: break
        case .order, .merchantReference: throw .unsupportedTarget
        }
        let key = try apiKey(secrets)
        let mark = isTestToken(key) ? "?testmode=true" : ""
        return HTTPRequestPlan(
            method: "GET",
            url: "\(Self.apiHost)/v2/payments/\(try URLSegment.encoded(target.id))\(mark)",
            headers: ["Authorization": "Bearer \(key)", "Accept": "application/json"])
    }

    /// The payment's own word; an answer of the other mode is about something else.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        let object: JSONFields
        switch try reply.statusObject() {
        case .success(let fields): object = fields
        case .failure(let nothing): return nothing.report
        }
        do throws(WebhookDecodingError) {
            let id = try object.requiredText("id")
            let mode = mode(of: object)
            guard id == target.id, configuration.mode == .unknown || mode == configuration.mode
            else {
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
            let word = try object.requiredText("status")
            guard let status = StatusMapping.payment(word) else {
                return .indeterminate(.unknownWord, retryAfterSeconds: nil)
            }
            return .known(
                PaymentFacts(
                    status: status, amount: try object.amount(),
                    ids: try paymentIDs(object, id: id), mode: mode, rawStatus: word))
        } catch {
            return .indeterminate(.unreadable, retryAfterSeconds: nil)
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
