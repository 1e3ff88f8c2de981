public import CheckoutModel
public import ProviderKit

/// Where customers agree to pay. The page names its flow, which is not the billing request.
/// Source: gocardless-pro-python, tests/fixtures; the forms below `/billing` and `/obauth` are seen
/// in public code.
extension GoCardlessProvider {
    private static let hosts: KeyValuePairs<String, ProviderMode> = [
        "pay.gocardless.com": .live, "pay-sandbox.gocardless.com": .test,
    ]
    private static let pages = [
        CheckoutURLRule(hosts: hosts, pathPrefix: "/flow/"),
        CheckoutURLRule(hosts: hosts, pathPrefix: "/obauth/"),
        CheckoutURLRule(hosts: hosts, path: "/billing/static/flow", idParameter: "id"),
    ]

    /// None, because no page names a checkout.
    public var checkoutURLRules: [CheckoutURLRule] { [] }

    /// A page without a checkout, or not GoCardless's; the host says live or test.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        for rule in Self.pages {
            if let page = try? rule.read(checkoutURL) {
                return .linkWithoutSession(mode: page.mode)
            }
        }
        return .notMine
    }
}
