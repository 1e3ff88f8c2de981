public import CheckoutModel
public import ProviderKit

/// Paddle has no checkout pages of its own: the merchant's page opens the transaction that its
/// query names. Which hosts those are, only the configuration tells.
/// Source: paddle-node-sdk, mocks/notifications/transaction-completed.mock.ts.
extension PaddleProvider {
    /// The parameter that names the transaction to open.
    public static let sessionParameter = "_ptxn"
    static let idPrefix = "txn_"

    /// None: what is in the path is the merchant's affair, and the host may take returns too.
    public var checkoutURLRules: [CheckoutURLRule] { [] }

    /// https on a configured host with one `_ptxn=txn_…`, or not ours.
    ///
    /// A page without the parameter may be any page of the shop, so it is not ours either.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        guard let parts = try? URLText(parsing: checkoutURL),
            let url = try? ReturnURL(parsing: checkoutURL),
            parts.scheme.lowercased() == "https", parts.userInfo == nil,
            parts.port == nil || parts.port == 443,
            // ASCII only: other letters may fold to one of a configured name.
            let host = parts.host, host.utf8.allSatisfy({ $0 < 0x80 }),
            configuration.checkoutHosts.contains(host.lowercased()),
            let id = url.parameters.uniqueValue(named: Self.sessionParameter).text,
            Self.isTransaction(id)
        else { return .notMine }
        return .session(id: id, mode: configuration.mode)
    }

    /// `txn_` and letters or digits behind it.
    static func isTransaction(_ id: String) -> Bool {
        let rest = id.utf8.dropFirst(idPrefix.utf8.count)
        return id.hasPrefix(idPrefix) && !rest.isEmpty && id.utf8.count <= Limits.identifierBytes
            && rest.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0)
            }
    }
}
