extension SessionEvidence {
    /// Takes in everything `other` knows.
    ///
    /// Commutative, associative, idempotent.
    public mutating func join(_ other: SessionEvidence) {
        marks.formUnion(other.marks)
        hintedStatuses.formUnion(other.hintedStatuses)
        modes |= other.modes
        for total in other.expectedTotals { expectedTotals.insertSorted(total) }
        for row in other.payments { payments.update(row.reference) { $0.join(row) } }
        if let others = other.rare.first { updateRare { $0.join(others) } }
    }
}

extension RareEvidence {
    mutating func join(_ other: RareEvidence) {
        for row in other.refunds { refunds.update(row.reference) { $0.join(row) } }
        for row in other.disputes { disputes.update(row.reference) { $0.join(row) } }
        for row in other.subscriptions { subscriptions.update(row.reference) { $0.join(row) } }
        for row in other.resolutions { resolutions.keep(row) }
        for reference in other.replacedResolutions { replacedResolutions.insertSorted(reference) }
    }
}

extension PaymentEvidence {
    mutating func join(_ other: PaymentEvidence) {
        verified.formUnion(other.verified)
        hinted.formUnion(other.hinted)
        confirmedBy |= other.confirmedBy
        lowest = Money.lower(lowest, other.lowest)
        highest = Money.higher(highest, other.highest)
        succeededAt = min(succeededAt, other.succeededAt)
        failedAt = max(failedAt, other.failedAt)
    }
}

extension ReversalEvidence {
    mutating func join(_ other: ReversalEvidence) {
        payment = max(payment, other.payment)
        state.join(other.state)
        lowest = Money.lower(lowest, other.lowest)
        highest = Money.higher(highest, other.highest)
    }
}

extension SubscriptionEvidence {
    mutating func join(_ other: SubscriptionEvidence) {
        state.join(other.state)
        everActive = everActive || other.everActive
    }
}

extension Money {
    /// A total order for minima and maxima only: by currency, then amount.
    ///
    /// Not a comparison of worth.
    static func precedes(_ left: Money, _ right: Money) -> Bool {
        (left.currency.packed, left.minorUnits) < (right.currency.packed, right.minorUnits)
    }

    static func lower(_ left: Money?, _ right: Money?) -> Money? {
        guard let left, let right else { return left ?? right }
        return precedes(right, left) ? right : left
    }

    static func higher(_ left: Money?, _ right: Money?) -> Money? {
        guard let left, let right else { return left ?? right }
        return precedes(left, right) ? right : left
    }
}

/// A row of one of the tables above, found by its reference.
protocol EvidenceRow {
    var reference: EventReference { get }
    init(reference: EventReference)
}

extension PaymentEvidence: EvidenceRow {}
extension ReversalEvidence: EvidenceRow {}
extension SubscriptionEvidence: EvidenceRow {}

extension Array where Element: EvidenceRow {
    /// Changes the row of `reference`, made if there is none, keeping the order.
    ///
    /// A linear search: there is seldom more than one row.
    mutating func update(_ reference: EventReference, _ change: (inout Element) -> Void) {
        var index = 0
        while index < count, self[index].reference < reference { index += 1 }
        if index == count || self[index].reference != reference {
            insert(Element(reference: reference), at: index)
        }
        change(&self[index])
    }
}

extension Array<ResolutionEvidence> {
    /// Adds a resolution once.
    ///
    /// One reference names one event, so an equal one is the same fact; should two ever differ, the
    /// greater is kept on every path.
    mutating func keep(_ row: ResolutionEvidence) {
        var index = 0
        while index < count, self[index].reference < row.reference { index += 1 }
        guard index < count, self[index].reference == row.reference else {
            return insert(row, at: index)
        }
        let held = self[index]
        if (held.decidedAt, held.outcome.rawValue) < (row.decidedAt, row.outcome.rawValue) {
            self[index] = row
        }
    }
}

extension Array<EventReference> {
    mutating func insertSorted(_ value: EventReference) {
        var index = 0
        while index < count, self[index] < value { index += 1 }
        if index == count || self[index] != value { insert(value, at: index) }
    }
}
