public import CheckoutModel
import ProviderKit

/// Where Checkout.com's pages are opened. The host alone says live or test.
/// Source: seen in public code for the sandbox; the live host is from memory, not verified.
extension CheckoutComProvider {
    private static let pages = CheckoutURLRule(
        hosts: ["pay.checkout.com": .live, "pay.sandbox.checkout.com": .test],
        pathPrefix: "/page/", idPrefix: "hpp_")

    /// `/page/hpp_…` on the two hosts.
    public var checkoutURLRules: [CheckoutURLRule] { [Self.pages] }
}
