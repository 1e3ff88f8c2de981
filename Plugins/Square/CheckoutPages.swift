public import CheckoutModel
public import ProviderKit

/// Where Square's checkouts are opened. No page names its order or link.
/// Source: square-python-sdk, legacy/doc/models/retrieve-payment-link-response.md;
/// developer.squareup.com, checkout-api/quick-pay-checkout (sandbox host). From memory, not
/// verified: the longer path on `checkout.square.site`.
extension SquareProvider {
    private static let links = CheckoutURLRule(
        hosts: ["square.link": .live, "sandbox.square.link": .test], pathPrefix: "/u/")

    private static let siteHosts: KeyValuePairs<String, ProviderMode> = [
        "checkout.square.site": .live
    ]

    /// None: no page names a session.
    public var checkoutURLRules: [CheckoutURLRule] { [] }

    /// A link without a session, or not Square's.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        for rule in [Self.links] + Self.sites(for: checkoutURL) {
            if let page = try? rule.read(checkoutURL) {
                return .linkWithoutSession(mode: page.mode)
            }
        }
        return .notMine
    }

    /// `/<page>`, and `/merchant/<id>/checkout/<page>` for whatever merchant the URL names.
    private static func sites(for url: String) -> [CheckoutURLRule] {
        var prefixes = ["/"]
        if let path = (try? URLText(parsing: url))?.path {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count > 4, parts[1] == "merchant", parts[3] == "checkout" {
                prefixes.append(parts[...3].joined(separator: "/") + "/")
            }
        }
        return prefixes.map { CheckoutURLRule(hosts: siteHosts, pathPrefix: $0) }
    }
}
