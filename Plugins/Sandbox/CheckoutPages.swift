public import CheckoutModel
public import ProviderKit

/// Where the sandbox's checkouts are opened: below its origin, and nowhere else.
extension SandboxProvider {
    /// `/sandbox/pay/<id>` of an https origin; none for a sandbox on this machine, whose pages are
    /// plain http.
    public var checkoutURLRules: [CheckoutURLRule] { origin.isLocal ? [] : [pages] }

    /// A session of mode test, or not the sandbox's.
    ///
    /// Plain http is taken for this machine's own address and port alone, written exactly as in the
    /// configuration: no money and no customer is behind it, and browsers keep no secret from it.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        var text = checkoutURL
        if origin.isLocal {
            let written = configuration.origin
            guard checkoutURL.hasPrefix(written + "/") else { return .notMine }
            text = "https://\(origin.host)\(checkoutURL.dropFirst(written.count))"
        }
        guard let page = try? pages.read(text) else { return .notMine }
        return .session(id: page.sessionID, mode: page.mode)
    }
}
