/// What was odd about a return URL's parameters.
public struct ReturnFlags: OptionSet, Sendable, Hashable {
    /// One bit a role for conflicts, then the two of the status.
    public let rawValue: UInt16

    /// Takes the bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Parameters of that role have different values.
    public static func conflict(_ role: ReturnRole) -> Self { Self(rawValue: 1 << role.rawValue) }

    /// No parameter tells a status.
    public static let missingStatus = Self(rawValue: 1 << 8)
    /// The status word is not in the vocabulary.
    public static let unknownStatus = Self(rawValue: 1 << 9)

    /// Conflicts that make the status pending.
    ///
    /// Spelt out, so that it is a constant.
    static var decidingConflicts: Self { Self(rawValue: 0b1_1111) }

    /// Two status words differ.
    public var isStatusConflicting: Bool { contains(.conflict(.status)) }

    /// The stable words for programs, such as `conflicting_payment`, in a fixed order.
    public var codes: [String] {
        var codes = ReturnRole.allCases.filter { contains(.conflict($0)) }.map {
            "conflicting_\($0)"
        }
        if contains(.missingStatus) { codes.append("missing_status") }
        if contains(.unknownStatus) { codes.append("unknown_status") }
        return codes
    }
}

/// What a return URL says, in one provider's words.
///
/// A hint, whatever it says.
///
/// Holds the URL's buffer and places in it; strings are made when they are asked for. A field with
/// conflicting values is nil: the parameters have them all.
public struct ReturnReading: Sendable {
    /// The URL, with every parameter.
    public let url: ReturnURL
    /// What to show; `pending` on every doubt.
    public let status: CheckoutStatus
    private let tally: ReturnTally
    /// Where the licence keys are when there are several; the tally knows a single one.
    ///
    /// Not the vocabulary, to look them up when asked: a reference more costs a tenth of reading.
    private let keyIndices: [Int]?

    init(
        url: consuming ReturnURL, status: CheckoutStatus, tally: ReturnTally, keyIndices: [Int]?
    ) {
        self.url = url
        self.status = status
        self.tally = tally
        self.keyIndices = keyIndices
    }

    /// What was odd.
    public var flags: ReturnFlags { tally.flags }

    /// The provider's own status word, decoded and otherwise as it came.
    public var statusWord: String? { text(.status) }

    /// The id of the attempt to pay.
    public var paymentID: String? { text(.payment) }

    /// The id of the subscription.
    public var subscriptionID: String? { text(.subscription) }

    /// The id of the hosted checkout.
    public var sessionID: String? { text(.session) }

    /// The merchant's own reference.
    public var orderID: String? { text(.order) }

    /// The provider's id of the customer.
    public var customerID: String? { text(.customer) }

    /// Private: never logged, kept only sealed.
    public var customerEmail: String? { text(.email) }

    /// The ids together.
    public var ids: ProviderIDs {
        ProviderIDs(
            session: sessionID, payment: paymentID, subscription: subscriptionID, order: orderID,
            customer: customerID)
    }

    /// Every licence key in order, split at commas after decoding, without blanks around them and
    /// without empty ones.
    ///
    /// Private. Empty when there is none.
    public var licenseKeys: [String] {
        let found = keyIndices ?? tally.index(of: .licenseKey).map { [$0] } ?? []
        return found.flatMap { index in
            url.parameters[index].value.split(separator: ",").compactMap { part in
                let key = part.drop(while: \.isWhitespace)
                let end = key.lastIndex { !$0.isWhitespace }
                return end.map { String(key[...$0]) }
            }
        }
    }

    private func text(_ role: ReturnRole) -> String? {
        guard !flags.contains(.conflict(role)), let index = tally.index(of: role) else {
            return nil
        }
        return url.parameters[index].value
    }
}
