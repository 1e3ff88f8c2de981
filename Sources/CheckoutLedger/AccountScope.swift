public import CheckoutModel

/// The merchant's account an event is recorded for: provider, account, and the mode that account
/// is configured for.
///
/// Ids are unique inside a scope. The mode is the account's, not the event's: most webhooks do
/// not say theirs, and an id must not lead to two streams because one voice was silent. An event
/// that contradicts its scope's mode is a discrepancy.
public struct AccountScope: Sendable, Hashable, CustomStringConvertible {
    /// The payment provider.
    public let provider: ProviderID
    /// The merchant's name for the account; empty for the only one.
    public let account: String
    /// What the account is configured for; `unknown` without a configuration.
    public let mode: ProviderMode

    /// The only account of a provider, unless told otherwise.
    public init(_ provider: ProviderID, account: String = "", mode: ProviderMode = .unknown) {
        self.provider = provider
        self.account = account
        self.mode = mode
    }

    /// As people write it, such as `dodo` or `dodo/eu`.
    public var description: String {
        account.isEmpty ? provider.rawValue : "\(provider.rawValue)/\(account)"
    }
}
