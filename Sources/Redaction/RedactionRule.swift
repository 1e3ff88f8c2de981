/// What must not be stored, one rule each; the names R1 … R12 are stable.
///
/// The order is that of the table below, which is the whole policy: what is looked for, and what
/// is done about it.
package enum RedactionRule: UInt8, Sendable, Hashable, CaseIterable {
    case cardNumber = 1
    case oldVisaNumber = 2
    case cardField = 3
    case securityCode = 4
    case trackData = 5
    case pin = 6
    case cardDetail = 7
    case secretForm = 8
    case credential = 9
    case ownSecret = 10
    case personalField = 11
    case personalText = 12
    case identifier = 13
    case urlPart = 14

    /// What is done with a value that a rule finds.
    package enum Action: String, Sendable, Hashable, CaseIterable {
        /// The span gives way to a word that says what stood there.
        case mask
        /// The whole event is turned away; in a verified delivery the value is taken out instead.
        case refuse
        /// The field is left out.
        case drop
        /// The field goes into the sealed part.
        case seal
    }

    /// The name in errors, counters and reports.
    package var name: String {
        switch self {
        case .identifier: "id"
        case .urlPart: "url"
        default: "R\(rawValue)"
        }
    }

    /// What it looks for, in words.
    package var title: String {
        switch self {
        case .cardNumber: "card number"
        case .oldVisaNumber: "13-digit card number near a card word"
        case .cardField: "field of a card number"
        case .securityCode: "card security code"
        case .trackData: "magnetic stripe or chip track"
        case .pin: "PIN or PIN block"
        case .cardDetail: "card expiry, holder or service code"
        case .secretForm: "secret of a known form"
        case .credential: "password, authorization value or URL user-info"
        case .ownSecret: "this program's own secret"
        case .personalField: "personal field"
        case .personalText: "IBAN or e-mail address in text"
        case .identifier: "identifier that is none"
        case .urlPart: "part of a URL that is not kept"
        }
    }

    /// What is done about it unless a place has a reason to do otherwise.
    package var action: Action {
        switch self {
        case .cardField, .trackData, .pin, .identifier: .refuse
        case .cardDetail, .urlPart: .drop
        case .personalField: .seal
        case .cardNumber, .oldVisaNumber, .securityCode, .secretForm, .credential, .ownSecret,
            .personalText:
            .mask
        }
    }

    /// Reads the name back; nil for anything else.
    package init?(name: some StringProtocol) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

/// One thing that was found, without the thing itself.
package struct RedactionFinding: Sendable, Hashable {
    package let rule: RedactionRule
    package let action: RedactionRule.Action
    /// Which kind, in words that hold no part of the value: `pan:visa`, `field:cvv`, `email`.
    package let word: String
    /// Where, as names joined by dots; empty for a text by itself.
    package var path: String
    /// How long the value is, in powers of two: enough to look for it, too little to tell it.
    package let lengthClass: String

    init(
        _ rule: RedactionRule, _ word: String, action: RedactionRule.Action? = nil,
        path: String = "", byteCount: Int
    ) {
        self.rule = rule
        self.word = word
        self.action = action ?? rule.action
        self.path = path
        lengthClass = Self.lengthClass(byteCount)
    }

    /// `1`, `2-3`, `4-7` … `over 1023`.
    static func lengthClass(_ count: Int) -> String {
        guard count > 1 else { return "\(max(0, count))" }
        guard count < 1_024 else { return "over 1023" }
        let power = Int.bitWidth - count.leadingZeroBitCount - 1
        return "\(1 << power)-\((2 << power) - 1)"
    }
}
