public import CheckoutModel
public import ProviderKit

/// `POST /v2/checkout/orders/{id}/capture`.
///
/// Source: PayPal-TypeScript-Server-SDK, src/controllers/ordersController.ts (`ordersCapture`): the
/// path, `Prefer`, `PayPal-Request-Id` and its six hours. After those an order that was captured
/// cannot be captured again, so no money is taken twice.
extension PayPalProvider: PaymentCompleting {
    /// Takes the money of an approved order with intent `CAPTURE`; throws `unknown_mode` when the
    /// configuration does not say which of the two hosts knows it.
    public func completionRequest(
        for session: String, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let order = try URLSegment.encoded(session)
        return HTTPRequestPlan(
            method: "POST", url: "\(try apiHost())/v2/checkout/orders/\(order)/capture",
            headers: [
                "Accept": "application/json", "Content-Type": "application/json",
                "Prefer": "return=representation",
                "PayPal-Request-Id": idempotencyKey.text(limit: Self.requestIDLimit),
            ], body: Array("{}".utf8), isRepeatable: true, token: try token(secrets))
    }

    /// The order with its capture.
    ///
    /// Throws `refused` with PayPal's own issue, such as `INSTRUMENT_DECLINED`: nothing was taken.
    public func interpretCompletion(
        _ reply: HTTPReply, for session: String
    ) throws(ProviderReplyError) -> StatusReport {
        if reply.status == 422, let body = try? JSONFields(body: reply.body) {
            let issue = body.objects("details").first?.note("issue")
            guard issue == StatusMapping.capturedIssue else {
                throw .refused(providerCode: issue ?? body.note("name"))
            }
        }
        return try reply.statusReport(about: .session(session)) {
            (object) throws(WebhookDecodingError) in
            report(try OrderReading(object), try object.requiredText("status"))
        }
    }
}
