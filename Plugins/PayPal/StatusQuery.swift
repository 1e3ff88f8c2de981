public import CheckoutModel
public import ProviderKit

/// `GET /v2/checkout/orders/{id}` and `GET /v2/payments/captures/{id}`.
/// Source: PayPal-TypeScript-Server-SDK, src/client.ts, src/controllers/ordersController.ts and
/// paymentsController.ts.
extension PayPalProvider: StatusQuerying {
    /// Asks about an order or a capture; throws `unknown_mode` when the configuration does not say
    /// which of the two hosts knows it.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let collection: String
        switch target {
        case .session: collection = "checkout/orders"
        case .payment: collection = "payments/captures"
        case .order, .merchantReference: throw .unsupportedTarget
        }
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiHost())/v2/\(collection)/\(try URLSegment.encoded(target.id))",
            headers: ["Accept": "application/json"], token: try token(secrets))
    }

    /// An order is known by its captures, a capture by its own word.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        let fields: JSONFields
        switch try reply.statusObject() {
        case .success(let object): fields = object
        case .failure(let nothing): return nothing.report
        }
        do throws(WebhookDecodingError) {
            let word = try fields.requiredText("status")
            guard try fields.requiredText("id") == target.id else {
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
            switch target {
            case .session:
                let order = try OrderReading(fields)
                return report(order.status, order.amount, order.ids, word)
            case .payment(let id):
                let related = try fields.object("supplementary_data")?.object("related_ids")
                let session = try related?.identifier("order_id")
                return report(
                    StatusMapping.capture(word), try fields.object("amount")?.amount(),
                    ProviderIDs(
                        session: session ?? fields.linked("/v2/checkout/orders/"), payment: id,
                        order: reference(in: fields)), word)
            case .order, .merchantReference:
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
        } catch {
            return .indeterminate(.unreadable, retryAfterSeconds: nil)
        }
    }

    private func report(
        _ status: CheckoutStatus?, _ amount: Money?, _ ids: ProviderIDs, _ word: String
    ) -> StatusReport {
        guard let status else { return .indeterminate(.unknownWord, retryAfterSeconds: nil) }
        return .known(
            PaymentFacts(
                status: status, amount: amount, ids: ids, mode: configuration.mode,
                rawStatus: word))
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
