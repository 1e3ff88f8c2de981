package import CheckoutLedger
package import CheckoutModel
package import CommandKit

/// One contradiction of a session.
package enum DiscrepancyRow {
    package static let shape = RowShape(
        title: "discrepancies",
        members: [
            ("session", "the session's id"),
            ("provider", "whose checkout it is"),
            ("code", "the kind of contradiction, a stable word"),
            ("message", "one sentence for a person"),
            ("needsReview", "true when it puts money in doubt"),
            ("orders", "the merchant's own references"),
        ])

    package static func write(
        _ discrepancy: Discrepancy, of session: Session, to writer: inout JSONWriter
    ) {
        let code = discrepancy.code
        writer.field("session", session.name)
        writer.field("provider", session.scope.provider.rawValue)
        writer.field("code", code.rawValue)
        writer.field("message", discrepancy.message)
        writer.field("needsReview", code.needsReview)
        writer.field("orders", session.ids.orders)
    }
}
