public import CheckoutModel

extension SessionDraft {
    /// The exact sum of all lines, for providers that sell one amount and no lines.
    ///
    /// Throws `missing_field` for a draft without lines, for a line without a price of its own and
    /// for a quantity below 1; `unusable_amount` for a negative price, several currencies and a
    /// sum that does not fit.
    public func total() throws(RequestPlanError) -> Money {
        var total: Money?
        for item in items {
            guard item.quantity >= 1 else { throw .missingField("quantity") }
            guard let price = item.unitAmount else { throw .missingField("unitAmount") }
            let (units, overflow) = price.minorUnits.multipliedReportingOverflow(
                by: Int64(item.quantity))
            guard price.minorUnits >= 0, !overflow else { throw .unusableAmount }
            let line = Money(minorUnits: units, currency: price.currency)
            guard let sum = total else {
                total = line
                continue
            }
            guard let longer = try? sum.adding(line) else { throw .unusableAmount }
            total = longer
        }
        guard let total else { throw .missingField("items") }
        return total
    }

    /// What is sold, on one line for a person: the names, or the reference where there are none.
    public var title: String {
        let names = items.map { item in
            item.quantity > 1 && !item.name.isEmpty ? "\(item.quantity) × \(item.name)" : item.name
        }.filter { !$0.isEmpty }
        return names.isEmpty ? reference : names.joined(separator: ", ")
    }
}
