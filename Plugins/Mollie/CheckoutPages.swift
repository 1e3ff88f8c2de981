public import CheckoutModel
public import ProviderKit

/// Where Mollie's payments are paid. No URL says live or test but that of the test page.
///
/// That the last segment is the payment's id without `tr_` is observed, not promised: the id in the
/// API's answer is the better one. Source: mollie-api-php, src/Fake/Responses. From memory, not
/// verified: the older host of payment links.
extension MollieProvider {
    static let idPrefix = "tr_"

    private static let methods = CheckoutURLRule(
        hosts: ["www.mollie.com": .unknown], pathPrefix: "/checkout/select-method/")
    private static let testPage = CheckoutURLRule(
        hosts: ["www.mollie.com": .test], path: "/checkout/test-mode", idParameter: "token")
    private static let links = CheckoutURLRule(
        hosts: ["payment-links.mollie.com": .unknown, "paymentlink.mollie.com": .unknown],
        pathPrefix: "/payment/")

    /// `/checkout/select-method/<id>`.
    public var checkoutURLRules: [CheckoutURLRule] { [Self.methods] }

    /// A payment; a page that names none: the test page, and payment links, each of whose payments
    /// has an id that we do not hear of; or not Mollie's.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        if let page = try? Self.methods.read(checkoutURL) {
            let hasPrefix = page.sessionID.hasPrefix(Self.idPrefix)
            return .session(
                id: hasPrefix ? page.sessionID : Self.idPrefix + page.sessionID, mode: page.mode)
        }
        for rule in [Self.testPage, Self.links] {
            if let page = try? rule.read(checkoutURL) {
                return .linkWithoutSession(mode: page.mode)
            }
        }
        return .notMine
    }
}
