public import CheckoutModel
public import ProviderKit

/// Where Lemon Squeezy's checkouts are opened. A page does not tell live from test.
/// Source: pay-rails/pay, docs (buy links); the form of custom checkouts is seen in public code.
extension LemonSqueezyProvider {
    static func pages(_ configuration: LemonSqueezyConfiguration, path: String) -> CheckoutURLRule {
        if let host = configuration.storeHost {
            return CheckoutURLRule(
                hosts: ["*.lemonsqueezy.com": configuration.mode, host: configuration.mode],
                pathPrefix: path)
        }
        return CheckoutURLRule(
            hosts: ["*.lemonsqueezy.com": configuration.mode], pathPrefix: path)
    }

    /// `/checkout/custom/<id>` on any store's host.
    public var checkoutURLRules: [CheckoutURLRule] { [sessions] }

    /// A checkout, a buy link, which names a product and no session, or not Lemon Squeezy's.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        if let page = try? sessions.read(checkoutURL) {
            return .session(id: page.sessionID, mode: page.mode)
        }
        if let link = try? links.read(checkoutURL) { return .linkWithoutSession(mode: link.mode) }
        return .notMine
    }
}
