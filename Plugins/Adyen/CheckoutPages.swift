public import CheckoutModel
public import ProviderKit

/// Where Adyen's payment links are opened. The host alone says live or test.
///
/// A hosted Checkout session (`CS…`) has a URL too, whose form no source states, so it is not
/// recognised. Source: adyen-python-api-library, test/mocks/checkout (test host); the live host is
/// the one that Adyen's documents give for Apple Pay's domain file.
extension AdyenProvider {
    static let linkPrefix = "PL"
    static let sessionPrefix = "CS"

    static let pages = CheckoutURLRule(
        hosts: ["test.adyen.link": .test, "eu.adyen.link": .live], pathPrefix: "/",
        idPrefix: linkPrefix)

    /// `/PL…` on the two hosts.
    public var checkoutURLRules: [CheckoutURLRule] { [pages] }

    /// A payment link, or not Adyen's; what stands at its place without `PL` names no link.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        guard let page = try? pages.read(checkoutURL), page.hasUsualID else { return .notMine }
        return .session(id: page.sessionID, mode: page.mode)
    }
}
