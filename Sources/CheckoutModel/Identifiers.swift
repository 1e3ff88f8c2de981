/// A payment provider's short name, such as `dodo` or `stripe`; third parties use reverse DNS.
public struct ProviderID: RawRepresentable, Sendable, Hashable, Comparable,
    ExpressibleByStringLiteral, CustomStringConvertible
{
    /// Lower-case ASCII letters, digits, `.` and `-`.
    public let rawValue: String

    /// Takes the name as it stands; the registry refuses malformed ones.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// For constants in adapters.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name itself.
    public var description: String { rawValue }

    /// Orders by name.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Whether money can move.
///
/// Live and test facts are never mixed.
public enum ProviderMode: UInt8, Sendable, Hashable, CaseIterable {
    /// The provider's words do not tell.
    case unknown = 0
    /// Real money.
    case live = 1
    /// The provider's sandbox.
    case test = 2

    /// The word used in code, on the command line and in JSON.
    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .live: "live"
        case .test: "test"
        }
    }
}

/// Every name a provider gives to the parts of one checkout; nil when a voice did not say.
///
/// Ids are the provider's text, unchanged. Empty text is never stored: it reads as nil.
public struct ProviderIDs: Sendable, Hashable {
    /// The hosted checkout itself, such as `cks_…` or `cs_…`.
    public var session: String?
    /// One attempt to pay, such as `pay_…` or `pi_…`.
    public var payment: String?
    /// One refund.
    public var refund: String?
    /// One dispute or chargeback.
    public var dispute: String?
    /// One subscription; several payments may share it.
    public var subscription: String?
    /// The merchant's own reference; several sessions may share it, so it never joins them.
    public var order: String?
    /// The provider's customer; several sessions may share it, so it never joins them.
    public var customer: String?

    /// All ids absent unless given.
    public init(
        session: String? = nil, payment: String? = nil, refund: String? = nil,
        dispute: String? = nil, subscription: String? = nil, order: String? = nil,
        customer: String? = nil
    ) {
        self.session = session.nonEmpty
        self.payment = payment.nonEmpty
        self.refund = refund.nonEmpty
        self.dispute = dispute.nonEmpty
        self.subscription = subscription.nonEmpty
        self.order = order.nonEmpty
        self.customer = customer.nonEmpty
    }
}

extension Optional<String> {
    /// Nil for empty text, so that "no id" has one form.
    fileprivate var nonEmpty: String? { self?.isEmpty == true ? nil : self }
}
