public import CheckoutModel

/// What makes two arrivals the same delivery: provider, account, mode and the webhook's id.
///
/// The account is the one this endpoint is configured for, not the one a body names, so that two
/// bodies under one id meet and their difference is seen.
public struct DeliveryIdentity: Sendable, Hashable, CustomStringConvertible {
    /// Who sent it.
    public let provider: ProviderID
    /// For which of our accounts; nil when only one is used.
    public let account: String?
    /// Live or test.
    public let mode: ProviderMode
    /// The provider's id of the delivery.
    public let id: String

    /// Joins the four.
    public init(provider: ProviderID, account: String?, mode: ProviderMode, id: String) {
        self.provider = provider
        self.account = account
        self.mode = mode
        self.id = id
    }

    /// One byte string for one identity, for hashing: each part with its length, so that no two
    /// identities share one.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = [mode.rawValue, account == nil ? 0 : 1]
        for part in [provider.rawValue, account ?? "", id] {
            let utf8 = Array(part.utf8)
            withUnsafeBytes(of: UInt32(utf8.count).littleEndian) { bytes += $0 }
            bytes += utf8
        }
        return bytes
    }

    /// For a person; two identities may read the same.
    public var description: String {
        "\(provider)/\(account ?? "-")/\(mode.name)/\(id)"
    }
}
