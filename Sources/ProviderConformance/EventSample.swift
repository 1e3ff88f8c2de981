public import CheckoutModel
public import ProviderKit

/// Something that happened in a pretend shop, to be told in the provider's words.
public struct EventSample: Sendable, Hashable {
    /// What happened.
    public var kind: Kind
    /// The provider's id of the event, for providers whose bodies have one.
    public var eventID: String
    /// What it happened to; the fixtures' own ids.
    public var ids: ProviderIDs
    /// How much; broken on purpose in some checks.
    public var amount: SampleAmount
    /// When.
    public var occurredAt: Instant
    /// Live or test, for providers whose bodies say so.
    public var mode: ProviderMode
    /// The customer's address, for providers whose bodies have one; must never be shown.
    public var email: String

    /// What can happen, by the names that a vector file uses.
    public enum Kind: Sendable, Hashable {
        /// `payment.succeeded` and so on.
        case payment(CheckoutStatus)
        /// `authorized`
        case authorized
        /// `captured`
        case captured
        /// `refund.pending` and so on.
        case refund(RefundState)
        /// `dispute.opened` and so on.
        case dispute(DisputeState)
        /// `subscription.active` and so on.
        case subscription(SubscriptionState)
        /// `session.expired`
        case sessionExpired
        /// A type that the adapter cannot know, with a body of the provider's usual shape.
        case unknownType
    }
}

extension EventSample.Kind {
    /// Every kind that a vector file may list.
    public static let all: [Self] =
        CheckoutStatus.allCases.map { .payment($0) } + [.authorized, .captured]
        + RefundState.allCases.map { .refund($0) } + DisputeState.allCases.map { .dispute($0) }
        + SubscriptionState.allCases.map { .subscription($0) } + [.sessionExpired]

    /// The name in a vector file.
    public var name: String {
        switch self {
        case .payment(let status): "payment.\(status.name)"
        case .authorized: "authorized"
        case .captured: "captured"
        case .refund(let state): "refund.\(state.rawValue)"
        case .dispute(let state): "dispute.\(state.rawValue)"
        case .subscription(let state): "subscription.\(state.rawValue)"
        case .sessionExpired: "session.expired"
        case .unknownType: "ignored"
        }
    }

    /// Reads the name; nil for any other text.
    public init?(name: some StringProtocol) {
        guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// What an adapter's kind is, amounts left aside.
    init(_ kind: ProviderEvent.Kind) {
        switch kind {
        case .payment(let status, _, _): self = .payment(status)
        case .authorized: self = .authorized
        case .captured: self = .captured
        case .refund(let state, _): self = .refund(state)
        case .dispute(let state, _): self = .dispute(state)
        case .subscription(let state): self = .subscription(state)
        case .sessionExpired: self = .sessionExpired
        case .ignored: self = .unknownType
        }
    }

    /// True for kinds that say that a payment went through.
    var isSuccess: Bool { self == .payment(.succeeded) || self == .captured }

    /// True for kinds that are about a payment itself.
    var isPayment: Bool {
        switch self {
        case .payment, .authorized, .captured: true
        default: false
        }
    }
}

/// An amount to be written as the provider writes amounts.
public struct SampleAmount: Sendable, Hashable {
    /// The exact amount; for a broken one what a careless reader might take it for.
    public let money: Money
    /// The currency's code as it is to be written; in lower case in one check.
    public let currency: String
    /// JSON to be written as it stands in the place of the amount; nil for the right form.
    let broken: JSONValue?

    init(_ money: Money, currency: String? = nil, broken: JSONValue? = nil) {
        self.money = money
        self.currency = currency ?? money.currency.code
        self.broken = broken
    }

    /// A JSON integer of minor units, as most providers write it.
    public func minorInteger(_ profile: MoneyProfile = .iso4217) -> JSONValue {
        broken ?? .integer((try? profile.wireAmount(of: money)) ?? money.minorUnits)
    }

    /// Minor units as text, such as `"1999"`.
    public func minorText(_ profile: MoneyProfile = .iso4217) -> JSONValue {
        broken ?? .string("\((try? profile.wireAmount(of: money)) ?? money.minorUnits)")
    }

    /// Major units as text, such as `"19.99"`.
    public func decimalText() -> JSONValue { broken ?? .string(money.amountText) }

    /// Major units as a JSON number, such as `19.99`.
    public func decimalNumber() -> JSONValue {
        broken ?? (try? JSONValue(json: Array(money.amountText.utf8))) ?? .null
    }
}

/// A provider's answer about a payment, to be told in its words.
public struct StatusSample: Sendable, Hashable {
    /// The status, in the words of the vector file.
    public let word: String
    /// What was asked about.
    public let target: StatusQueryTarget
    /// The ids of what was asked about.
    public let ids: ProviderIDs
    /// How much.
    public let amount: SampleAmount
    /// Live or test, for providers whose replies say so.
    public let mode: ProviderMode
}
