import CheckoutModel
import EventLog

// Q1 to Q5: what happened, who did it, and what was turned round.

extension AuditReport {
    static let histories = [
        AuditReport(
            id: "Q1", title: "History",
            question:
                "What is the full history of a checkout, with source and verdict of each step?",
            nothingFound: "Nothing was recorded of it.",
            columns: [
                "position", "recordedAt", "occurredAt", "session", "source", "evidence", "type",
                "status", "minorUnits", "currency", "scheme", "key", "redacted",
            ]
        ) { (run) throws(LedgerError) in
            try run.forEachEvent { (recorded) throws(LedgerError) in
                let event = recorded.event
                try run.emit([
                    .position(recorded.position), .time(recorded.recordedAt),
                    .time(event.occurredAt), .text(event.ids.session),
                    .text(event.source.name), .text(event.evidence.name), .text(event.type.name),
                    .text(event.status?.name), .units(event.amount), .currency(event.amount),
                    .text(event.verification?.scheme), .text(event.verification?.keyFingerprint),
                    .text(recorded.flags.contains(.redacted) ? "yes" : nil),
                ])
            }
        },
        AuditReport(
            id: "Q2", title: "State at a time",
            question: "What was believed of a checkout at a time, and which records made it so?",
            nothingFound: "Nothing was known of it then.",
            columns: ["item", "position", "recordedAt", "source", "evidence", "value"],
            run: stateAtTime),
        AuditReport(
            id: "Q3", title: "By actor", question: "What did a person or a role do?",
            nothingFound: "Nobody is named in any event of that time.",
            columns: [
                "position", "recordedAt", "actor", "type", "session", "status", "what", "reason",
            ]
        ) { (run) throws(LedgerError) in
            try run.forEachEvent { (recorded) throws(LedgerError) in
                let event = recorded.event
                guard let actor = event.actor else { return }
                try run.emit([
                    .position(recorded.position), .time(recorded.recordedAt), .text(actor),
                    .text(event.type.name), .text(event.ids.session), .text(event.status?.name),
                    .text(recorded.payload.audit?.subject), .text(event.reason),
                ])
            }
        },
    ]

    static let overrides = [
        AuditReport(
            id: "Q4", title: "Operators' decisions",
            question: "Which outcomes did a person decide, with which reason, and which without?",
            nothingFound: "No person decided an outcome.",
            columns: [
                "position", "recordedAt", "session", "outcome", "actor", "reasoned", "reason",
            ]
        ) { (run) throws(LedgerError) in
            try run.forEachEvent([.operatorResolved]) { (recorded) throws(LedgerError) in
                let event = recorded.event
                let isReasoned = event.reason?.contains { !$0.isWhitespace } ?? false
                try run.emit([
                    .position(recorded.position), .time(recorded.recordedAt),
                    .text(event.ids.session ?? event.ids.payment), .text(event.status?.name),
                    .text(event.actor), .text(isReasoned ? "yes" : "no"), .text(event.reason),
                ])
            }
        },
        AuditReport(
            id: "Q5", title: "Reversals",
            question:
                "Which outcomes were turned round: success into anything else, or the reverse?",
            nothingFound: "No outcome was turned round.",
            columns: ["position", "recordedAt", "session", "from", "to", "type", "source"],
            run: reversals),
    ]

    private static func stateAtTime(_ run: AuditRun) throws(LedgerError) {
        guard let name = run.scope.session else {
            throw LedgerError(
                .missing, "This report is about one session.", hint: "Name it with --session.")
        }
        let moment = run.scope.until.map { LedgerMoment.time($0) } ?? .now
        let (session, events) = try run.source.timeline(of: name, asOf: moment)
        let evidence = session.state.evidence
        func state(_ item: String, _ source: String?, _ value: String?) throws(LedgerError) {
            guard let value else { return }
            try run.emit([.text(item), .none, .none, .none, .text(source), .text(value)])
        }
        func amount(_ money: Money?) -> String? {
            money.map { "\($0.minorUnits) \($0.currency.code)" }
        }
        try state("status", evidence.evidence?.name, evidence.status.name)
        try state("outcome", session.outcome?.evidence.name, session.outcome?.status.name)
        try state("paid", nil, amount(evidence.paid.total))
        try state("refunded", nil, amount(evidence.refunded.total))
        for discrepancy in evidence.discrepancies {
            try state("discrepancy", nil, discrepancy.code.rawValue)
        }
        for recorded in events {
            let event = recorded.event
            try run.emit([
                .text("event"), .position(recorded.position), .time(recorded.recordedAt),
                .text(event.source.name), .text(event.evidence.name), .text(event.type.name),
            ])
        }
    }

    /// Folds each session's events again, with one state for each stream in memory.
    private static func reversals(_ run: AuditRun) throws(LedgerError) {
        var states: [UInt64: SessionEvidence] = [:]
        var query = AuditQuery()
        query.session = run.scope.session
        query.positions = 0..<run.positions.upperBound
        try run.source.forEachEvent(matching: query) { (recorded) throws(LedgerError) in
            let fact = Fact(recorded)
            guard fact.mayDecide else { return .more }
            var evidence = states[recorded.stream] ?? SessionEvidence()
            let before = evidence.outcome?.status
            evidence.absorb(fact, replacing: recorded.event.replaces)
            states[recorded.stream] = evidence
            let after = evidence.outcome?.status
            guard let before, before != after, run.positions.contains(recorded.position),
                before == .succeeded || after == .succeeded
            else { return .more }
            try run.emit([
                .position(recorded.position), .time(recorded.recordedAt),
                .text(recorded.event.ids.session ?? recorded.event.ids.payment),
                .text(before.name), .text(after?.name ?? "none"),
                .text(recorded.event.type.name), .text(recorded.event.source.name),
            ])
            return .more
        }
    }
}

extension Fact {
    /// What an event as it is read back says to the fold.
    fileprivate init(_ recorded: RecordedEvent) {
        self.init(recorded.event, selfReference: EventReference(recorded.id))
        flags = recorded.flags
    }
}
