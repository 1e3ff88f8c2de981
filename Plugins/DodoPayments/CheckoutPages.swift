public import CheckoutModel
public import ProviderKit

/// Where Dodo's checkouts are opened. The host alone says live or test.
/// Source: mobile-sdk-ios, UrlValidator.swift; dodo-docs, checkout-session.mdx.
extension DodoPaymentsProvider {
    private static let hosts: KeyValuePairs<String, ProviderMode> = [
        "checkout.dodopayments.com": .live, "test.checkout.dodopayments.com": .test,
    ]

    private static let sessions = CheckoutURLRule(
        hosts: hosts, pathPrefix: "/session/", idPrefix: "cks_")

    /// A static link names a product; whoever opens it gets a session that we never hear of.
    private static let links = CheckoutURLRule(hosts: hosts, pathPrefix: "/buy/")

    /// `/session/<id>` on the two hosts.
    public var checkoutURLRules: [CheckoutURLRule] { [Self.sessions] }

    /// A session, a static `/buy/` link without one, or not Dodo's.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        if let page = try? Self.sessions.read(checkoutURL) {
            return .session(id: page.sessionID, mode: page.mode)
        }
        if let link = try? Self.links.read(checkoutURL) {
            return .linkWithoutSession(mode: link.mode)
        }
        return .notMine
    }
}
