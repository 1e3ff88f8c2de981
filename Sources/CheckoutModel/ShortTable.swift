/// A few rows in rising order, the first of them in place.
///
/// Nearly every session has one payment and one exact total: an array would put that row into an
/// allocation of its own, which costs the fold more than all the rest of the fact. The lowest row
/// stands in place, whatever came first, so that equal tables are equal values. Rows are changed
/// through their table only.
public struct ShortTable<Row: Sendable & Hashable>: Sendable, Hashable {
    /// Nil only while the table is empty.
    private(set) var lowest: Row?
    /// The others, ascending.
    private var others: [Row] = []

    /// No rows.
    public init() {}
}

extension ShortTable: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many rows there are.
    public var endIndex: Int { lowest == nil ? 0 : 1 &+ others.count }

    /// How many rows there are.
    public var count: Int { endIndex }
    /// True without rows.
    public var isEmpty: Bool { lowest == nil }

    /// The row at a place, from 0; traps beyond the last.
    public subscript(index: Int) -> Row {
        if index == 0, let lowest { return lowest }
        return others[index - 1]
    }
}

extension ShortTable {
    /// Lends the rows in order, without holding or copying the table as an iterator does.
    @inline(__always)
    func forEach(_ body: (Row) -> Void) {
        guard let lowest else { return }
        body(lowest)
        for index in others.indices { body(others[index]) }
    }

    /// Adds a row behind all others; for rows that are read back in their order.
    mutating func append(_ row: Row) {
        if lowest == nil { lowest = row } else { others.append(row) }
    }

    /// Puts a row at a place; those from there on move up by one.
    private mutating func insert(_ row: Row, at index: Int) {
        guard let held = lowest else { return lowest = row }
        if index > 0 { return others.insert(row, at: index - 1) }
        others.insert(held, at: 0)
        lowest = row
    }
}

extension ShortTable where Row: EvidenceRow {
    /// Changes the row of `reference`, made if there is none, keeping the order.
    ///
    /// A linear search: a session has one row, seldom three.
    @inline(__always)
    mutating func update(_ reference: EventReference, _ change: (inout Row) -> Void) {
        if lowest == nil { lowest = Row(reference: reference) }
        guard lowest?.reference == reference else { return updateOthers(reference, change) }
        // In place: a row is a cache line, and taking it out and back costs more than most changes.
        change(&lowest!)
    }

    /// The same where the lowest row is another's.
    @inline(never)
    private mutating func updateOthers(
        _ reference: EventReference, _ change: (inout Row) -> Void
    ) {
        if let index = others.firstIndex(where: { $0.reference == reference }) {
            return change(&others[index])
        }
        var row = Row(reference: reference)
        change(&row)
        insert(row)
    }

    private mutating func insert(_ row: Row) {
        var index = 0
        while index < count, self[index].reference < row.reference { index += 1 }
        insert(row, at: index)
    }
}

extension ShortTable<Money> {
    mutating func insertSorted(_ value: Money) {
        var index = 0
        while index < count, Money.precedes(self[index], value) { index += 1 }
        if index == count || self[index] != value { insert(value, at: index) }
    }
}
