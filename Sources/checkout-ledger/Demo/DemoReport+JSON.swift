import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension DemoReport {
    /// One object; numbers as a query gave them, members in a fixed order.
    func writeJSON(_ writer: inout JSONWriter) {
        writer.object {
            $0.field("pretend", true)
            $0.field("seed", seed)
            $0.field("ledger", path)
            $0.field("events", findings.events)
            $0.field("checkouts", findings.checkouts)
            $0.field("renewals", findings.renewals)
            $0.object("outcomes") { outcomes in
                for ending in DemoFindings.Ending.allCases {
                    outcomes.field(ending.word, findings.endings[ending] ?? 0)
                }
            }
            $0.field("decidedByPerson", findings.byPerson.values.reduce(0, +))
            $0.object("silentAfterTenMinutes") { Self.write(findings.silent, &$0) }
            $0.object("closedByCustomer") { Self.write(findings.closed, &$0) }
            $0.field("abandoned", findings.abandoned)
            writeDeliveries(&$0)
            $0.object("discrepancies") { codes in
                for (code, count) in findings.discrepancies
                    .sorted(by: { $0.key.rawValue < $1.key.rawValue })
                {
                    codes.field(code.rawValue, count)
                }
            }
            $0.array("money") { Self.write(findings.paid, findings.refunded, &$0) }
            writeProofs(&$0)
            $0.field("looksCancelledAndWasPaid", findings.looksCancelled)
        }
    }

    private func writeDeliveries(_ writer: inout JSONWriter) {
        writer.object("deliveries") {
            $0.field("total", tally.deliveries.values.reduce(0, +))
            $0.field("recorded", tally.deliveries[.recorded] ?? 0)
            $0.field("duplicates", tally.deliveries[.duplicate] ?? 0)
            $0.field("conflicting", findings.conflicting)
            $0.field("unhandled", findings.unhandled)
            $0.object("refused") { Self.write(findings.refused, &$0) }
            $0.object("quarantined") { Self.write(findings.quarantined, &$0) }
            $0.field("late", findings.late)
            $0.field("outOfOrder", findings.outOfOrder)
        }
    }

    private func writeProofs(_ writer: inout JSONWriter) {
        writer.object("replay") {
            $0.field("events", findings.replayed.events)
            $0.field("streams", findings.replayed.streams)
            $0.field("equal", findings.replayed.isEqual)
        }
        writer.object("verification") {
            $0.field("events", findings.verification?.end)
            $0.field("sound", findings.verification?.isSound)
            $0.field("outsideAnchor", false)
        }
        writer.object("asSimulated") {
            $0.field("sessions", check.sessions)
            $0.field("sessionsRight", check.right)
            $0.field("answers", tally.steps)
            $0.field("answersRight", tally.asExpected)
        }
    }

    private static func write(_ doubt: DemoFindings.Doubt, _ writer: inout JSONWriter) {
        writer.field("count", doubt.count)
        writer.field("paid", doubt.paid)
    }

    private static func write(_ counts: [String: Int], _ writer: inout JSONWriter) {
        for (reason, count) in counts.sorted(by: { $0.key < $1.key }) {
            writer.field(reason, count)
        }
    }

    private static func write(
        _ paid: [Currency: Int64], _ refunded: [Currency: Int64], _ writer: inout JSONWriter
    ) {
        for (currency, minorUnits) in paid.sorted(by: { $0.key < $1.key }) {
            writer.object {
                $0.field("currency", currency.code)
                $0.field("paid", minorUnits)
                $0.field("refunded", refunded[currency] ?? 0)
            }
        }
    }
}

extension DemoFindings.Ending {
    /// The member's name.
    fileprivate var word: String {
        switch self {
        case .paid: "succeeded"
        case .failed: "failed"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .needsReview: "needsReview"
        case .underWay: "paymentPending"
        case .unknown: "unknown"
        }
    }
}
