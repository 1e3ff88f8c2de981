import CheckoutModel
import EventLog

// Q10 and Q11: checkouts lost track of, and webhooks set aside.

extension AuditReport {
    static let deliveryReports = [
        AuditReport(
            id: "Q10", title: "Pending too long",
            question: "Which checkouts were shown a day ago or earlier and have no outcome?",
            nothingFound: "Every checkout that was shown a day ago or earlier has an outcome.",
            columns: ["session", "openedAt", "ageSeconds", "why", "lastAskedAt"], run: pending),
        AuditReport(
            id: "Q11", title: "Webhooks set aside",
            question: "Which webhooks were refused, set aside, or of an unknown type, and why?",
            nothingFound: "Every webhook was verified, understood and applied.",
            columns: [
                "position", "recordedAt", "provider", "account", "verdict", "reason", "rawType",
                "deliveryID",
            ]
        ) { (run) throws(LedgerError) in
            let types: [EventType] = [
                .deliveryRefused, .deliveryQuarantined, .deliveryConflicted, .deliveryReceived,
            ]
            try run.forEachEvent(types) { (recorded) throws(LedgerError) in
                let event = recorded.event
                let isApplied =
                    event.type == .deliveryReceived && !recorded.flags.contains(.unhandled)
                if isApplied { return }
                let verdict =
                    event.type == .deliveryReceived
                    ? "unknown type" : String(event.type.name.drop { $0 != "." }.dropFirst())
                try run.emit([
                    .position(recorded.position), .time(recorded.recordedAt),
                    .text(event.provider.rawValue), .text(event.account), .text(verdict),
                    .text(event.reason), .text(event.rawType), .text(event.deliveryID),
                ])
            }
        },
    ]

    private static func pending(_ run: AuditRun) throws(LedgerError) {
        var asked: [UInt64: Instant] = [:]
        try run.forEachEvent([.statusChecked]) { (recorded) throws(LedgerError) in
            asked[recorded.stream] = recorded.recordedAt
        }
        let asOf = run.scope.until ?? run.scope.now
        let only = try run.scope.session.map { (name) throws(LedgerError) in
            try run.source.session(named: name, asOf: .now).streams
        }
        try run.source.forEachAbandonedSession(
            asOf: asOf, olderThan: Limits.auditPatience,
            known: run.scope.until.map { LedgerMoment.time($0) } ?? .now
        ) { (abandoned) throws(LedgerError) in
            let session = abandoned.session
            if let only, only != session.streams { return .more }
            if let since = run.scope.since, abandoned.openedAt < since { return .more }
            let last = session.streams.compactMap { asked[$0] }.max()
            try run.emit([
                .text(session.qualifiedName), .time(abandoned.openedAt),
                .seconds(asOf.microseconds - abandoned.openedAt.microseconds),
                .text(abandoned.reason.rawValue), .time(last),
            ])
            return .more
        }
    }
}
