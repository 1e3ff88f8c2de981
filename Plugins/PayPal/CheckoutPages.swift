public import CheckoutModel
import ProviderKit

/// Where orders are approved: the host alone says live or test, `token` is the order's id.
/// Source: seen in public code; the `payer-action` link of an order.
extension PayPalProvider {
    private static let page = CheckoutURLRule(
        hosts: ["www.paypal.com": .live, "www.sandbox.paypal.com": .test], path: "/checkoutnow",
        idParameter: "token")

    /// `/checkoutnow?token=…` on the two hosts.
    public var checkoutURLRules: [CheckoutURLRule] { [Self.page] }
}
