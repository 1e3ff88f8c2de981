public import CheckoutModel
public import ProviderKit

/// Where Stripe's checkouts are opened. The id alone says live or test: the host is the same.
/// Source: stripe-python, stripe/checkout/_session.py; pay-rails/pay fixtures.
extension StripeProvider {
    static let idPrefix = "cs_"

    static func pages(customDomains: [String]) -> [CheckoutURLRule] {
        (["checkout.stripe.com"] + customDomains).map { host in
            CheckoutURLRule(
                hosts: [host: .unknown], pathPrefix: "/c/pay/", idPrefix: idPrefix)
        }
    }

    /// `/c/pay/cs_…` on Stripe's host and the configured ones.
    public var checkoutURLRules: [CheckoutURLRule] { pages }

    /// A session, or not Stripe's; what stands at its place without `cs_` names no session.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        for rule in pages {
            if let page = try? rule.read(checkoutURL), page.hasUsualID {
                return .session(id: page.sessionID, mode: Self.mode(ofSession: page.sessionID))
            }
        }
        return .notMine
    }

    /// False when the account is known to be of the other mode.
    func isOurs(_ mode: ProviderMode) -> Bool {
        mode == .unknown || configuration.mode == .unknown || mode == configuration.mode
    }

    /// Live or test by the id; unknown for ids of neither form.
    static func mode(ofSession id: String) -> ProviderMode {
        if id.hasPrefix("cs_test_") { return .test }
        return id.hasPrefix("cs_live_") ? .live : .unknown
    }
}
