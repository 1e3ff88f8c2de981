import CheckoutModel
import EventLog

// Q6 to Q9 and Q22: what came in, what went back, and where two voices differ about it.

extension AuditReport {
    static let moneyReports = [
        AuditReport(
            id: "Q6", title: "Reconciliation breaks",
            question: "Where do the ledger's outcome and the provider's last answer differ?",
            nothingFound: "No answer of a provider differs from the ledger.",
            columns: [
                "session", "ledger", "evidence", "provider", "position", "checkedAt", "ageSeconds",
            ],
            run: reconciliationBreaks),
        AuditReport(
            id: "Q7", title: "Amounts that differ",
            question: "Which payments differ in amount or currency from what was asked for?",
            nothingFound: "Every payment is of the amount that was asked for.",
            columns: ["session", "what", "asked", "paid", "currency", "lastPosition"]
        ) { (run) throws(LedgerError) in
            let codes: [Discrepancy.Code] = [
                .amountMismatch, .currencyMismatch, .paymentAmountConflict, .expectedTotalConflict,
                .amountsNotComparable,
            ]
            try run.forEachSession { (session) throws(LedgerError) in
                let evidence = session.state.evidence
                for found in evidence.discrepancies where codes.contains(found.code) {
                    let paid = evidence.succeededPayments.first?.highest
                    try run.emit([
                        .text(session.qualifiedName), .text(found.code.rawValue),
                        .units(evidence.expectedTotals.first), .units(paid), .currency(paid),
                        .position(session.state.trace.lastPosition),
                    ])
                }
            }
        },
        AuditReport(
            id: "Q8", title: "Duplicates",
            question: "Which orders were paid twice, and was any delivery applied twice?",
            nothingFound: "No order was paid twice, and no delivery was applied twice.",
            columns: ["what", "session", "id", "position", "earlierPosition"], run: duplicates),
        AuditReport(
            id: "Q9", title: "Refunds and disputes",
            question: "What went back, by whom, how long after the payment, and beyond it?",
            nothingFound: "Nothing went back and nothing is disputed.",
            columns: [
                "position", "recordedAt", "session", "type", "id", "minorUnits", "currency",
                "source",
                "delaySeconds", "paid", "refunded", "overPaid",
            ],
            run: refunds),
    ]

    private static func reconciliationBreaks(_ run: AuditRun) throws(LedgerError) {
        // Of each session the last answer; sessions that were never asked about take no room.
        var answers: [UInt64: (status: CheckoutStatus, position: UInt64, at: Instant)] = [:]
        try run.forEachEvent([.statusChecked]) { (recorded) throws(LedgerError) in
            guard let status = recorded.event.status else { return }
            answers[recorded.stream] = (status, recorded.position, recorded.recordedAt)
        }
        try run.forEachSession { (session) throws(LedgerError) in
            let last = session.streams.compactMap { answers[$0] }.max { $0.position < $1.position }
            guard let last else { return }
            let outcome = session.outcome
            let isPaidHere = outcome?.status == .succeeded
            guard isPaidHere != (last.status == .succeeded) else { return }
            try run.emit([
                .text(session.qualifiedName), .text(outcome?.status.name ?? "none"),
                .text(outcome?.evidence.name), .text(last.status.name), .position(last.position),
                .time(last.at),
                .seconds(run.scope.now.microseconds - last.at.microseconds),
            ])
        }
    }

    /// Holds a number for each delivery, to find one that was applied twice wherever it went.
    private static func duplicates(_ run: AuditRun) throws(LedgerError) {
        let twice = try run.source.streamsOfOrdersPaidTwice(asOf: .now)
        try run.forEachSession { (session) throws(LedgerError) in
            let last = AuditValue.position(session.state.trace.lastPosition)
            if session.streams.contains(where: twice.contains) {
                try run.emit([
                    .text("order paid twice"), .text(session.qualifiedName),
                    .text(session.ids.orders.first), last, .none,
                ])
            }
            if session.state.evidence.discrepancies.contains(where: { $0.code == .paidTwice }) {
                try run.emit([
                    .text("session paid twice"), .text(session.qualifiedName),
                    .text(session.ids.payments.joined(separator: " ")), last, .none,
                ])
            }
        }
        var seen: [EventReference: UInt64] = [:]
        try run.forEachEvent([.deliveryReceived, .deliveryConflicted]) {
            (recorded) throws(LedgerError) in
            let event = recorded.event
            guard let id = event.deliveryID else { return }
            let key = EventReference(of: "\(event.provider)\u{0}\(event.account)\u{0}\(id)")
            guard let earlier = seen[key] else {
                seen[key] = recorded.position
                return
            }
            // Another id may have the same number.
            guard try run.source.event(at: earlier).event.deliveryID == id else { return }
            let isConflict = event.type == .deliveryConflicted
            try run.emit([
                .text(isConflict ? "delivery id used for other bytes" : "delivery applied twice"),
                .text(event.ids.session), .text(id), .position(recorded.position),
                .position(earlier),
            ])
        }
    }

    private static func refunds(_ run: AuditRun) throws(LedgerError) {
        try run.forEachSession { (session) throws(LedgerError) in
            let evidence = session.state.evidence
            guard !evidence.refunds.isEmpty || !evidence.disputes.isEmpty else { return }
            let isOver = evidence.discrepancies.contains { $0.code == .refundedMoreThanPaid }
            var paidAt: Instant?
            for recorded in try run.source.timeline(of: session.qualifiedName, asOf: .now).events {
                let event = recorded.event
                if event.type == .paymentSucceeded, paidAt == nil {
                    paidAt = event.occurredAt ?? recorded.recordedAt
                }
                let family = event.type.family
                guard family == .refund || family == .dispute,
                    run.positions.contains(recorded.position)
                else { continue }
                let at = event.occurredAt ?? recorded.recordedAt
                try run.emit([
                    .position(recorded.position), .time(recorded.recordedAt),
                    .text(session.qualifiedName), .text(event.type.name),
                    .text(event.ids.refund ?? event.ids.dispute), .units(event.amount),
                    .currency(event.amount), .text(event.actor ?? event.source.name),
                    paidAt.map { .seconds(at.microseconds - $0.microseconds) } ?? .none,
                    .units(evidence.paid.total), .units(evidence.refunded.total),
                    .text(isOver ? "yes" : "no"),
                ])
            }
        }
    }
}
