package import CheckoutLedger
package import CheckoutModel
package import CommandKit

/// One session as a row of `sessions` and `as-of`.
package struct SessionRow {
    package let session: Session
    /// Contradictions inside the session and with others, in a fixed order.
    package let discrepancies: [Discrepancy.Code]

    package static let shape = RowShape(
        title: "sessions",
        members: [
            ("session", "the provider's id; the payment's or another one where none is known"),
            ("provider", "whose checkout it is"),
            ("status", "what an app may show: succeeded, failed, cancelled, pending, expired"),
            ("outcome", "what is held true, or null; a hint alone makes none"),
            ("evidence", "how far the evidence reaches: hint, verified, operator, or null"),
            ("amount", "what was paid, else asked for: {minorUnits, currency}, or null"),
            ("refunded", "minor units that went back; 0 for none"),
            ("needsReview", "true when a contradiction puts money in doubt"),
            ("reasons", "codes of its contradictions, see 'discrepancies'"),
            ("orders", "the merchant's own references"),
            ("payments", "the provider's payment ids"),
            ("subscriptions", "the provider's subscription ids"),
            ("openedAt", "when the page was first shown, or about to be, or null"),
            ("lastEventAt", "when its last event was recorded"),
            ("events", "how many events it has"),
        ])

    /// `ordersPaidTwice` are the streams of sessions whose order another session paid too.
    package init(_ session: Session, ordersPaidTwice: Set<UInt64>) {
        self.session = session
        var codes = session.state.evidence.discrepancies.map(\.code)
        if session.streams.contains(where: ordersPaidTwice.contains) {
            codes.append(.orderPaidTwice)
        }
        discrepancies = codes
    }

    package var needsReview: Bool { discrepancies.contains { $0.needsReview } }

    package func write(to writer: inout JSONWriter) {
        let evidence = session.state.evidence
        let trace = session.state.trace
        writer.field("session", session.name)
        writer.field("provider", session.scope.provider.rawValue)
        writer.field("status", evidence.status.name)
        writer.field("outcome", session.outcome?.status.name)
        writer.field("evidence", evidence.evidence?.name)
        writer.field("amount", evidence.amount)
        writer.field("refunded", evidence.refunded.total?.minorUnits ?? 0)
        writer.field("needsReview", needsReview)
        writer.field("reasons", discrepancies.map(\.rawValue))
        writer.field("orders", session.ids.orders)
        writer.field("payments", session.ids.payments)
        writer.field("subscriptions", session.ids.subscriptions)
        writer.field("openedAt", Instant(known: trace.openedAt)?.iso8601)
        writer.field("lastEventAt", Instant(known: trace.lastRecordedAt)?.iso8601)
        writer.field("events", Int(trace.eventCount))
    }
}
