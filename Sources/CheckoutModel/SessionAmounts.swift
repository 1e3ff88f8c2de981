/// A sum that may be impossible: several currencies, or too large to hold.
public struct ExactSum: Sendable, Hashable {
    /// The total; nil when nothing was added or when `isExact` is false.
    public private(set) var total: Money?
    /// False once currencies were mixed or the sum left 64 bits.
    public private(set) var isExact = true

    /// Nothing added yet.
    public init() {}

    /// Adds an amount; a nil one adds nothing.
    public mutating func add(_ amount: Money?) {
        guard isExact, let amount else { return }
        guard let held = total else { return total = amount }
        let (sum, overflow) = held.minorUnits.addingReportingOverflow(amount.minorUnits)
        guard held.currency == amount.currency, !overflow else {
            total = nil
            isExact = false
            return
        }
        total = Money(minorUnits: sum, currency: held.currency)
    }
}

extension SessionEvidence {
    /// What came in on verified evidence, each payment once.
    public var paid: ExactSum { tally.paid }

    /// What went back, each refund once, and only refunds that stand as gone through.
    public var refunded: ExactSum {
        var sum = ExactSum()
        for refund in refunds where refund.state.type == .refundSucceeded {
            sum.add(refund.highest)
        }
        return sum
    }

    /// Paid less refunded in minor units; negative when more went back than came in.
    ///
    /// Nil when the two cannot be subtracted.
    public var net: Money? {
        guard let paid = paid.total else { return nil }
        guard let refunded = refunded.total else { return self.refunded.isExact ? paid : nil }
        let (rest, overflow) = paid.minorUnits.subtractingReportingOverflow(refunded.minorUnits)
        guard refunded.currency == paid.currency, !overflow else { return nil }
        return Money(minorUnits: rest, currency: paid.currency)
    }

    /// The amount to show for the session: what was paid, else what was asked for.
    public var amount: Money? {
        paid.total ?? (expectedTotals.count == 1 ? expectedTotals[0] : nil)
    }

    /// How much of the payment went back.
    public var refundState: RefundState {
        guard let back = refunded.total, let paid = paid.total else { return .none }
        if back.minorUnits <= 0 { return .none }
        return back.minorUnits < paid.minorUnits ? .partial : .full
    }

    /// How much of a payment went back.
    public enum RefundState: Sendable, Hashable {
        /// Nothing.
        case none
        /// Less than was paid.
        case partial
        /// All of it, or more.
        case full
    }
}
