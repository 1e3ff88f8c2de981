public import CheckoutModel
public import ProviderKit

/// Where Polar's checkouts are opened. The host alone says live or test.
///
/// What stands in the path is the checkout's client secret and not its id: whoever has it can act
/// for the customer. It is never taken for an id, so a page names no session here; the id comes
/// from the reply to the creation and from webhooks.
/// Source: polar-python, docs/models (checkout URL); the sandbox's host is seen in public code.
extension PolarProvider {
    private static let pages = CheckoutURLRule(
        hosts: ["polar.sh": .live, "sandbox.polar.sh": .test], pathPrefix: "/checkout/")

    /// None: Polar's pages name no session.
    public var checkoutURLRules: [CheckoutURLRule] { [] }

    /// A page of Polar's that names no session, or not Polar's.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        guard let page = try? Self.pages.read(checkoutURL) else { return .notMine }
        return .linkWithoutSession(mode: page.mode)
    }
}
