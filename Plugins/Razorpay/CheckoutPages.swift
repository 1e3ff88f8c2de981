public import CheckoutModel
public import ProviderKit

/// Where Razorpay's payment links are opened: short links that name neither the link nor the mode.
/// Source: razorpay-python, tests/mocks/fake_payment_link.json (`/i/`). From memory, not verified:
/// `/rzp/` in newer links.
extension RazorpayProvider {
    private static let links = ["/i/", "/rzp/"].map {
        CheckoutURLRule(hosts: ["rzp.io": .unknown], pathPrefix: $0)
    }

    /// None: no page names a session.
    public var checkoutURLRules: [CheckoutURLRule] { [] }

    /// A link without a session, or not Razorpay's.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        for rule in Self.links where (try? rule.read(checkoutURL)) != nil {
            return .linkWithoutSession(mode: configuration.effectiveMode)
        }
        return .notMine
    }
}
