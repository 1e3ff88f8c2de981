/// What an app may show a customer about a checkout.
///
/// Always a hint, never an outcome.
///
/// Exhaustive on purpose: forgetting a case must not compile. Adding one is a major version.
@frozen public enum CheckoutStatus: UInt8, Sendable, Hashable, CaseIterable {
    /// Known not yet, or not understood: the answer to every doubt.
    case pending = 0
    /// The customer is told that the payment went through.
    case succeeded = 1
    /// The customer is told that the payment was declined.
    case failed = 2
    /// The customer, or the provider for them, left without paying.
    case cancelled = 3
    /// The checkout can no longer be paid.
    case expired = 4

    /// The word used in code, on the command line and in JSON.
    public var name: String {
        switch self {
        case .pending: "pending"
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .expired: "expired"
        }
    }

    /// Reads the exact lower-case word; nil for anything else.
    public init?(name: some StringProtocol) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
