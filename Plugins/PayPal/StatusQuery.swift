public import CheckoutModel
public import ProviderKit

/// `GET /v2/checkout/orders/{id}` and `GET /v2/payments/captures/{id}`.
/// Source: PayPal-TypeScript-Server-SDK, src/client.ts, src/controllers/ordersController.ts and
/// paymentsController.ts.
extension PayPalProvider: StatusQuerying {
    private static let collections = StatusCollections(
        session: "checkout/orders", payment: "payments/captures")

    /// Asks about an order or a capture; throws `unknown_mode` when the configuration does not say
    /// which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/v2/\(try Self.collections.path(of: target))",
            headers: ["Accept": "application/json"], token: try token(secrets))
    }

    /// An order is known by its captures, a capture by its own word.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport(about: target) { (fields) throws(WebhookDecodingError) in
            let word = try fields.requiredText("status")
            switch target {
            case .session: return try report(OrderReading(fields), word)
            case .payment(let id):
                let related = try fields.object("supplementary_data")?.object("related_ids")
                let session = try related?.identifier("order_id")
                return .told(
                    StatusMapping.capture(word), by: word,
                    amount: try fields.object("amount")?.amount(),
                    ids: ProviderIDs(
                        session: session ?? fields.linked("/v2/checkout/orders/"), payment: id,
                        order: reference(in: fields)), mode: configuration.mode)
            case .order, .merchantReference: return .otherObject
            }
        }
    }

    func report(_ order: OrderReading, _ word: String) -> StatusReport {
        .told(
            order.status, by: word, amount: order.amount, ids: order.ids, mode: configuration.mode,
            awaitsCompletion: order.awaitsCapture)
    }

    func apiHost() throws(RequestPlanError) -> String {
        switch configuration.mode {
        case .live: "https://api-m.paypal.com"
        case .test: "https://api-m.sandbox.paypal.com"
        case .unknown: throw .unknownMode
        }
    }

    /// An access token by client credentials; throws `missing_field` without a client id.
    func token(_ secrets: SecretSet) throws(RequestPlanError) -> TokenGrant {
        guard let clientID = configuration.clientID else { throw .missingField("clientID") }
        let host = try apiHost()
        do throws(SecretError) {
            return TokenGrant(
                url: "\(host)/v1/oauth2/token",
                headers: [
                    "Authorization": try secrets.basicAuthorization(user: clientID),
                    "Content-Type": "application/x-www-form-urlencoded",
                    "Accept": "application/json",
                ],
                body: URLSegment.form([("grant_type", "client_credentials")]))
        } catch {
            throw .secret(error)
        }
    }
}
