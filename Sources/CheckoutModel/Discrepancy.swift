/// A contradiction in what was heard, worth a person's look.
///
/// Derived, never stored.
public struct Discrepancy: Sendable, Hashable {
    /// What kind; stable words.
    public let code: Code
    /// One sentence for a person, without private data.
    public let message: String

    /// Pairs a code with its sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of contradiction, an open set.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable word, as JSON shows it.
        public let rawValue: String
        /// Takes the word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// True when money is in doubt, so that the session must not simply count as settled.
        public var needsReview: Bool { !Self.notices.contains(self) }
        private static let notices: Set<Code> = [
            .hintDisagrees, .failedAfterSuccess, .deliveryConflicted,
        ]

        /// Paid, but not the total asked for.
        public static let amountMismatch = Self(rawValue: "amount_mismatch")
        /// Paid in another currency than asked for.
        public static let currencyMismatch = Self(rawValue: "currency_mismatch")
        /// Two payments of one session went through.
        public static let paidTwice = Self(rawValue: "paid_twice")
        /// Two sessions of one order were paid.
        public static let orderPaidTwice = Self(rawValue: "order_paid_twice")
        /// One payment was confirmed with two different amounts.
        public static let paymentAmountConflict = Self(rawValue: "payment_amount_conflict")
        /// Two different totals were declared.
        public static let expectedTotalConflict = Self(rawValue: "expected_total_conflict")
        /// A refund names a payment nobody confirmed.
        public static let refundWithoutPayment = Self(rawValue: "refund_without_payment")
        /// More went back than came in.
        public static let refundedMoreThanPaid = Self(rawValue: "refunded_more_than_paid")
        /// Amounts cannot be added: mixed currencies, or too large.
        public static let amountsNotComparable = Self(rawValue: "amounts_not_comparable")
        /// What the customer was shown differs from the outcome.
        public static let hintDisagrees = Self(rawValue: "hint_disagrees")
        /// A failure dated after the success of the same payment.
        public static let failedAfterSuccess = Self(rawValue: "failed_after_success")
        /// Two operators' resolutions stand side by side.
        public static let resolutionConflict = Self(rawValue: "resolution_conflict")
        /// An operator decided against a verified payment, or the other way round.
        public static let resolutionContradictsPayment =
            Self(rawValue: "resolution_contradicts_payment")
        /// Live and test facts in one session.
        public static let modesMixed = Self(rawValue: "modes_mixed")
        /// A delivery id was used for two different bodies.
        public static let deliveryConflicted = Self(rawValue: "delivery_conflicted")
        /// A genuine delivery could not be applied.
        public static let deliveryQuarantined = Self(rawValue: "delivery_quarantined")
        /// A delivery named, outside its signature, a session that it cannot be of.
        public static let sessionContradicted = Self(rawValue: "session_contradicted")
        /// A dispute is open or lost.
        public static let disputed = Self(rawValue: "disputed")

        /// Every kind that this build finds, those about money first.
        public static let all: [Code] = [
            .amountMismatch, .currencyMismatch, .paidTwice, .orderPaidTwice,
            .paymentAmountConflict, .expectedTotalConflict, .refundWithoutPayment,
            .refundedMoreThanPaid, .amountsNotComparable, .resolutionConflict,
            .resolutionContradictsPayment, .modesMixed, .deliveryQuarantined, .disputed,
            .hintDisagrees, .failedAfterSuccess, .deliveryConflicted,
        ]
    }
}

extension SessionEvidence {
    /// True when a contradiction puts money in doubt.
    public var needsReview: Bool { discrepancies.contains { $0.code.needsReview } }

    /// Every contradiction inside this session, in a fixed order.
    ///
    /// Contradictions between sessions (an order paid twice) are found by the ledger, which sees
    /// them all.
    public var discrepancies: [Discrepancy] {
        var found: [Discrepancy] = []
        found += paymentDiscrepancies
        found += refundDiscrepancies
        found += voiceDiscrepancies
        return found
    }

    private var paymentDiscrepancies: [Discrepancy] {
        var found: [Discrepancy] = []
        let succeeded = succeededPayments
        if expectedTotals.count > 1 {
            found.append(.init(.expectedTotalConflict, "Two different totals were asked for."))
        }
        if !succeeded.isEmpty, !amountsFit {
            let currencies = Set(expectedTotals.map(\.currency))
            let sameCurrency = succeeded.allSatisfy {
                $0.highest.map { currencies.contains($0.currency) } ?? true
            }
            found.append(
                sameCurrency
                    ? .init(.amountMismatch, "The amount paid is not the total asked for.")
                    : .init(.currencyMismatch, "The payment is in another currency than asked."))
        }
        if succeeded.count > 1 {
            found.append(
                .init(.paidTwice, "\(succeeded.count) payments of this session went through."))
        }
        if succeeded.contains(where: { $0.lowest != $0.highest }) || isUnnamedAmountStrange {
            found.append(
                .init(.paymentAmountConflict, "One payment was confirmed with two amounts."))
        }
        if succeeded.contains(where: {
            $0.succeededAt != .max && $0.failedAt > $0.succeededAt
        }) {
            found.append(
                .init(.failedAfterSuccess, "A failure is dated after the success it concerns."))
        }
        if !paid.isExact || !refunded.isExact {
            found.append(.init(.amountsNotComparable, "Amounts in several currencies."))
        }
        return found
    }

    /// True when the amount of a success without a payment's name is that of no named one, nor all
    /// of them together.
    private var isUnnamedAmountStrange: Bool {
        let named = succeededPayments
        guard let first = payments.first, first.reference == .none, let amount = first.highest,
            named.first?.reference != EventReference.none, !named.isEmpty
        else { return false }
        return first.lowest != amount
            || (paid.total != amount && !named.contains { $0.highest == amount })
    }

    private var refundDiscrepancies: [Discrepancy] {
        var found: [Discrepancy] = []
        let known = Set(succeededPayments.map(\.reference))
        let standing = refunds.filter { $0.state.type == .refundSucceeded }
        if standing.contains(where: { refund in
            // Nobody knows the name of a payment that was confirmed without one.
            refund.payment == .none || known.contains(.none)
                ? known.isEmpty : !known.contains(refund.payment)
        }) {
            found.append(
                .init(.refundWithoutPayment, "A refund names a payment nobody confirmed."))
        }
        if let paid = paid.total, let back = refunded.total {
            if paid.currency != back.currency {
                found.append(
                    .init(.amountsNotComparable, "Refunded in another currency than paid."))
            } else if back.minorUnits > paid.minorUnits {
                found.append(.init(.refundedMoreThanPaid, "More was refunded than paid."))
            }
        }
        if disputes.contains(where: { $0.state.type != .disputeWon }) {
            found.append(.init(.disputed, "The customer's bank disputes a payment."))
        }
        return found
    }

    private var voiceDiscrepancies: [Discrepancy] {
        var found: [Discrepancy] = []
        if let outcome, let shown = shownToCustomer, shown != outcome.status {
            found.append(
                .init(
                    .hintDisagrees,
                    "The customer was shown \(shown.name), the outcome is \(outcome.status.name)."))
        }
        let standing = standingResolutions
        if Set(standing.map(\.outcome)).count > 1 {
            found.append(.init(.resolutionConflict, "Two resolutions stand side by side."))
        }
        if let resolution = effectiveResolution {
            let contradicted =
                switch verifiedPaymentOutcome {
                case .paid, .needsReview: resolution.outcome != .succeeded
                case .ended(let status): resolution.outcome != status
                case .open, .nothing: false
                }
            if contradicted {
                found.append(
                    .init(
                        .resolutionContradictsPayment,
                        "An operator decided otherwise than the provider says."))
            }
        }
        if modes.nonzeroBitCount > 1 {
            found.append(.init(.modesMixed, "Live and test facts stand in one session."))
        }
        if marks.contains(.deliveryConflicted) {
            found.append(
                .init(.deliveryConflicted, "One delivery id came with two different bodies."))
        }
        if marks.contains(.deliveryQuarantined) {
            found.append(.init(.deliveryQuarantined, "A genuine delivery could not be applied."))
        }
        if marks.contains(.sessionContradicted) {
            found.append(
                .init(
                    .sessionContradicted,
                    "A delivery names, unsigned, a session of another order or payment."))
        }
        return found
    }

    /// What the app last had to show without an outcome; nil when it had nothing definite.
    private var shownToCustomer: CheckoutStatus? {
        if !hintedStatuses.isEmpty {
            guard let only = hintedStatuses.only, only != .pending else { return nil }
            return only
        }
        return marks.contains(.closed) && !marks.contains(.returned) ? .cancelled : nil
    }
}
