public import CheckoutModel
public import ProviderKit

/// `GET /paymentLinks/{id}`. Source: adyen-node-api-library, src/services/checkout,
/// src/typings/checkout/paymentLinkResponse.ts, src/service.ts (hosts).
extension AdyenProvider: StatusQuerying {
    /// Asks about a payment link.
    ///
    /// Throws `unsupported_target` for everything else: a `CS…` session can be asked about only
    /// with the `sessionResult` of its return and does not change its answer later, and nothing
    /// tells of a payment by its reference. `unknown_mode` when the configuration does not say
    /// which host knows it; `missing_field` without the prefix of the live host.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        guard case .session(let id) = target, !id.hasPrefix(Self.sessionPrefix) else {
            throw .unsupportedTarget
        }
        return HTTPRequestPlan(
            method: "GET",
            url: "\(try apiBase())/paymentLinks/\(try URLSegment.encoded(id))",
            headers: HeaderList(try headers(secrets)))
    }

    /// The link's own word and total; the payment's reference is not among it.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        try reply.statusReport { (link) throws(WebhookDecodingError) in
            guard try link.requiredText("id") == target.id, case .session = target else {
                return .otherObject
            }
            let word = try link.requiredText("status")
            return .told(
                StatusMapping.paymentLink(word), by: word, amount: try amount(link),
                ids: try ids(of: link), mode: configuration.mode)
        }
    }

    private func amount(_ link: JSONFields) throws(WebhookDecodingError) -> Money? {
        try link.object("amount")?.money(
            "value", currency: "currency", profile: Self.descriptor.moneyProfile)
    }

    func ids(of link: JSONFields) throws(WebhookDecodingError) -> ProviderIDs {
        ProviderIDs(session: try link.requiredText("id"), order: link.note("reference"))
    }

    func apiBase() throws(RequestPlanError) -> String {
        switch configuration.mode {
        case .test: return "https://checkout-test.adyen.com/v71"
        case .live:
            guard let prefix = configuration.liveURLPrefix else {
                throw .missingField("liveURLPrefix")
            }
            return "https://\(prefix)-checkout-live.adyenpayments.com/checkout/v71"
        case .unknown: throw .unknownMode
        }
    }

    func headers(_ secrets: SecretSet) throws(RequestPlanError) -> [HeaderList.Field] {
        do throws(SecretError) {
            return [
                .init(name: "X-API-Key", value: try secrets.apiKey()),
                .init(name: "Accept", value: "application/json"),
            ]
        } catch {
            throw .secret(error)
        }
    }
}
