public import CheckoutModel
public import ProviderKit

/// Where charges are opened.
/// Source: coinbase-commerce-python, tests/test_webhook.py (`hosted_url`).
extension CoinbaseCommerceProvider {
    private static let hosts: KeyValuePairs<String, ProviderMode> = [
        "commerce.coinbase.com": .live
    ]

    private static let charges = CheckoutURLRule(hosts: hosts, pathPrefix: "/charges/")

    /// Newer pages name the charge's UUID and not its code (from memory, not verified): the page is
    /// known, the session is not.
    private static let payPages = CheckoutURLRule(hosts: hosts, pathPrefix: "/pay/")

    /// `/charges/<code>`.
    public var checkoutURLRules: [CheckoutURLRule] { [Self.charges] }

    /// A charge by its code, a page that does not name one, or not Coinbase's.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        if let page = try? Self.charges.read(checkoutURL) {
            return .session(id: page.sessionID, mode: page.mode)
        }
        if let page = try? Self.payPages.read(checkoutURL) {
            return .linkWithoutSession(mode: page.mode)
        }
        return .notMine
    }
}
