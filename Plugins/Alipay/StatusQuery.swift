public import CheckoutModel
public import ProviderKit

/// `alipay.trade.query`. Source: smartwalle/alipay, trade_type.go, alipay_type.go.
extension AlipayProvider: StatusQuerying {
    /// Asks about a trade by our number or by Alipay's.
    ///
    /// A `POST` that changes nothing, so it may be repeated. Throws `unknown_mode` when the
    /// configuration does not say which gateway knows it, `missing_field` without an application.
    public func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        _ = try URLSegment.encoded(target.id)
        let name: String
        switch target {
        case .session, .merchantReference: name = "out_trade_no"
        case .payment: name = "trade_no"
        case .order: throw .unsupportedTarget
        }
        let content = JSONValue.object([JSONMember(name: name, value: .string(target.id))])
        let pairs = try signed(
            method: "alipay.trade.query", content: content, secrets: secrets, now: now)
        return HTTPRequestPlan(
            method: "POST", url: try gateway(),
            headers: [
                "Content-Type": "application/x-www-form-urlencoded;charset=utf-8",
                "Accept": "application/json",
            ], body: URLSegment.form(pairs), isRepeatable: true)
    }

    /// The trade's own word.
    ///
    /// The answer's signature is not looked at: it came over TLS from the gateway that we asked.
    public func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        let body: JSONFields
        switch try reply.statusObject() {
        case .success(let fields): body = fields
        case .failure(let nothing): return nothing.report
        }
        let trade: JSONFields
        do throws(WebhookDecodingError) {
            trade = try body.requiredObject("alipay_trade_query_response")
        } catch {
            return .unreadable
        }
        guard let code = trade.note("code") else { return .unreadable }
        let sub = trade.note("sub_code")
        switch StatusMapping.fault(code: code, sub: sub) {
        case .nothing(let reason): return .indeterminate(reason, retryAfterSeconds: nil)
        case .unauthorized: throw .unauthorized
        case .refused: throw .refused(providerCode: sub ?? code)
        case nil: break
        }
        do throws(WebhookDecodingError) {
            return try report(trade, for: target)
        } catch {
            return .unreadable
        }
    }

    private func report(
        _ trade: JSONFields, for target: StatusQueryTarget
    ) throws(WebhookDecodingError) -> StatusReport {
        let ids = ProviderIDs(
            session: try trade.requiredText("out_trade_no"),
            payment: try trade.identifier("trade_no"),
            customer: try trade.identifier("buyer_user_id"))
        let answered: String?
        switch target {
        case .session, .merchantReference: answered = ids.session
        case .payment: answered = ids.payment
        case .order: answered = nil
        }
        guard answered == target.id else { return .otherObject }
        let word = try trade.requiredText("trade_status")
        let status: CheckoutStatus
        switch StatusMapping.trade(word) {
        case .status(let told): status = told
        // Closed after money went to the seller: paid, and given back since.
        case .closed: status = trade.note("send_pay_date") == nil ? .expired : .succeeded
        case nil: return .indeterminate(.unknownWord, retryAfterSeconds: nil)
        }
        return .known(
            PaymentFacts(
                status: status, amount: try amount(trade), ids: ids, mode: configuration.mode,
                rawStatus: word))
    }

    private func amount(_ trade: JSONFields) throws(WebhookDecodingError) -> Money? {
        guard let text = try trade.text("total_amount") else { return nil }
        guard let money = try? Money(parsing: text, currencyCode: Self.currency) else {
            throw WebhookDecodingError(.amountNotDecimal, field: "total_amount")
        }
        return money
    }
}
