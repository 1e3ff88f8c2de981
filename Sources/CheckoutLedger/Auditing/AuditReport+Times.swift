import CheckoutModel
import EventLog

// Q12 to Q15: late, out of order, dated wrongly, missing, at odd hours.

extension AuditReport {
    static let timeReports = [
        AuditReport(
            id: "Q12", title: "Late and out of order",
            question: "What was recorded ten minutes or more after it happened, or out of order?",
            nothingFound: "Everything was recorded in time and in order.",
            columns: [
                "position", "recordedAt", "occurredAt", "lagSeconds", "what", "session", "type",
                "source",
            ],
            run: late),
        AuditReport(
            id: "Q13", title: "Dated wrongly",
            question: "What is dated in the future or long back, and when did the clock step back?",
            nothingFound: "No event is dated in the future or long back, and the clock went on.",
            columns: ["position", "recordedAt", "occurredAt", "what", "session", "type", "source"]
        ) { (run) throws(LedgerError) in
            try run.forEachEvent { (recorded) throws(LedgerError) in
                let lag = recorded.lag
                let what: String? =
                    recorded.clockWasHeld
                    ? "clock stepped back"
                    : lag < -Limits.auditClockTolerance
                        ? "future" : lag > Limits.auditBackDated ? "back-dated" : nil
                guard let what else { return }
                let event = recorded.event
                try run.emit([
                    .position(recorded.position), .time(recorded.recordedAt),
                    .time(event.occurredAt), .text(what), .text(event.ids.session),
                    .text(event.type.name), .text(event.source.name),
                ])
            }
        },
        AuditReport(
            id: "Q14", title: "Gaps",
            question: "Is a position of the log or a revision of a stream missing?",
            nothingFound: "No position and no revision is missing; providers number nothing.",
            columns: ["what", "stream", "expected", "found", "position"], run: gaps),
        AuditReport(
            id: "Q15", title: "Odd hours and bursts",
            question: "What did people do outside Monday to Friday, 7 to 19 UTC, or in bursts?",
            nothingFound: "Nobody did anything outside those hours or in bursts.",
            columns: ["position", "recordedAt", "actor", "type", "session", "what"], run: oddHours),
    ]

    private static func late(_ run: AuditRun) throws(LedgerError) {
        var latest: [UInt64: Instant] = [:]
        try run.forEachEvent { (recorded) throws(LedgerError) in
            let event = recorded.event
            guard let occurredAt = event.occurredAt else { return }
            let before = latest[recorded.stream]
            latest[recorded.stream] = max(before ?? occurredAt, occurredAt)
            let isLate = recorded.lag >= Limits.auditLateness
            let isEarlier = before.map { occurredAt < $0 } ?? false
            guard isLate || isEarlier else { return }
            let what = isLate ? (isEarlier ? "late, out of order" : "late") : "out of order"
            try run.emit([
                .position(recorded.position), .time(recorded.recordedAt), .time(occurredAt),
                .seconds(recorded.lag), .text(what), .text(event.ids.session),
                .text(event.type.name), .text(event.source.name),
            ])
        }
    }

    private static func gaps(_ run: AuditRun) throws(LedgerError) {
        var next = run.positions.lowerBound
        var revisions: [UInt64: UInt32] = [:]
        try run.source.forEachPlace(in: run.positions) { (recorded) throws(LedgerError) in
            if recorded.position != next {
                try run.emit([
                    .text("positions missing"), .none, .position(next),
                    .position(recorded.position), .position(recorded.position),
                ])
            }
            next = recorded.position + 1
            // A stream may have begun in front of the range.
            let expected =
                revisions[recorded.stream]
                ?? (run.positions.lowerBound == 0 ? 0 : recorded.revision)
            if recorded.revision != expected {
                try run.emit([
                    .text("revisions missing"), .position(recorded.stream),
                    .integer(Int64(expected)), .integer(Int64(recorded.revision)),
                    .position(recorded.position),
                ])
            }
            revisions[recorded.stream] = recorded.revision &+ 1
        }
        guard next < run.positions.upperBound else { return }
        try run.emit([
            .text("positions missing"), .none, .position(next),
            .position(run.positions.upperBound), .none,
        ])
    }

    private static func oddHours(_ run: AuditRun) throws(LedgerError) {
        var recent: [String: [Instant]] = [:]
        try run.forEachEvent { (recorded) throws(LedgerError) in
            let event = recorded.event
            guard let actor = event.actor ?? (event.source == .operator ? "" : nil) else { return }
            let at = recorded.recordedAt
            var times = (recent[actor] ?? []).filter {
                at.microseconds - $0.microseconds < Limits.auditBurstSpan
            }
            times.append(at)
            recent[actor] = times
            let isBurst = times.count == Limits.auditBurst
            guard isBurst || !at.isBusinessHour else { return }
            try run.emit([
                .position(recorded.position), .time(at), .text(actor.isEmpty ? nil : actor),
                .text(event.type.name), .text(event.ids.session),
                .text(isBurst ? "\(Limits.auditBurst) in a minute" : "outside business hours"),
            ])
        }
    }
}

extension RecordedEvent {
    /// Microseconds from the speaker's time to ours; 0 when the speaker did not say.
    fileprivate var lag: Int64 {
        guard let occurredAt = event.occurredAt else { return 0 }
        let (lag, overflow) = recordedAt.microseconds.subtractingReportingOverflow(
            occurredAt.microseconds)
        return overflow ? (occurredAt < recordedAt ? .max : .min) : lag
    }
}

extension Instant {
    /// Monday to Friday, from 7 to 19 o'clock UTC.
    fileprivate var isBusinessHour: Bool {
        let day: Int64 = 86_400_000_000
        let days = (microseconds - (microseconds % day + day) % day) / day
        let hour = ((microseconds % day + day) % day) / 3_600_000_000
        // The first day of 1970 was a Thursday.
        let weekday = ((days + 3) % 7 + 7) % 7
        return weekday < 5 && (7..<19).contains(hour)
    }
}
