public import CheckoutModel
public import ProviderKit

/// Where trades are paid: the gateway itself, with the trade in its query. The host alone says live
/// or test. Source: smartwalle/alipay, alipay_type.go (hosts), trade_type.go (methods).
extension AlipayProvider {
    static let gatewayPath = "gateway.do"

    private static let gateways = CheckoutURLRule(
        hosts: [
            "openapi.alipay.com": .live, "openapi-sandbox.dl.alipaydev.com": .test,
            "openapi.alipaydev.com": .test,
        ], pathPrefix: "/")

    private static let payMethods: Set<String> = ["alipay.trade.page.pay", "alipay.trade.wap.pay"]

    /// None: the trade stands in JSON inside the query, which no rule reads.
    public var checkoutURLRules: [CheckoutURLRule] { [] }

    /// A trade of ours, a payment request whose trade was posted instead, or not Alipay's.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        guard let page = try? Self.gateways.read(checkoutURL), page.sessionID == Self.gatewayPath,
            let form = FormFields((page.url.query ?? "").utf8),
            let method = form["method"], Self.payMethods.contains(method)
        else { return .notMine }
        guard let content = form["biz_content"],
            let trade = try? JSONFields(body: Array(content.utf8)),
            let id = trade.note("out_trade_no"), Self.isTradeNumber(id)
        else { return .linkWithoutSession(mode: page.mode) }
        return .session(id: id, mode: page.mode)
    }
}
