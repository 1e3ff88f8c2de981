import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

/// What the demo prints: for a person in sections, for a program as one object.
///
/// Nothing in it depends on the machine or the moment, so the same seed prints the same text.
struct DemoReport: Sendable {
    let seed: Int
    let path: String
    let findings: DemoFindings
    let tally: DemoRunner.Tally
    let check: DemoCheck

    func write(to context: Context) throws {
        if context.isJSON {
            var writer = JSONWriter()
            writeJSON(&writer)
            try context.output.line(&writer)
        } else {
            let style = context.output.terminal.style
            let sections =
                [title(style), endings(style) + money, doubts(style), mail(style)]
                + [contradictions(style), proofs(style), nextCommands(style)]
            let text = sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            try context.output.write(text.joined(separator: "\n\n") + "\n")
        }
        try context.output.flush()
    }

    /// A difference from what was made up is our fault, damage is an integrity failure.
    func exitCode(_ context: Context) -> ExitCode {
        for difference in check.differences { context.errors.say("Error: \(difference)") }
        guard check.isRight else { return .fault }
        return findings.verification?.isSound == true ? .done : .integrity
    }

    // MARK: Sections

    private func title(_ style: Style) -> [String] {
        let checkouts = Wording.count(findings.checkouts, "checkout")
        return [
            style.paint("Pretend data", .strong)
                + ": \(checkouts) of a made-up shop with two providers, seed \(seed)."
        ]
    }

    private static let barWidth = 24

    private func endings(_ style: Style) -> [String] {
        let total = findings.checkouts
        return DemoFindings.Ending.allCases.compactMap { ending in
            let count = findings.endings[ending] ?? 0
            guard count > 0 else { return nil }
            let share = Wording.percent(count, of: total)
            // Rounded up, so that nothing that happened has no bar.
            let length = (count * Self.barWidth + total - 1) / total
            let bar = String(repeating: "█", count: length)
            return "  " + left(ending.rawValue, 14) + right(Wording.grouped(count), 5)
                + right(share, 9) + "  " + style.paint(bar, ending.tone)
                + String(repeating: " ", count: Self.barWidth - length) + "  "
                + knownBy(ending, count)
        }
    }

    private func knownBy(_ ending: DemoFindings.Ending, _ count: Int) -> String {
        let persons = findings.byPerson[ending] ?? 0
        switch ending {
        case .needsReview: return "not what was asked for"
        case .underWay: return "webhook, not final"
        case .unknown: return "hints only"
        case .paid, .failed, .expired, .cancelled:
            let words = [
                count > persons ? "signed webhook" : nil,
                persons > 0 ? "a person, with reason" : nil,
            ]
            return words.compactMap(\.self).joined(separator: " · ")
        }
    }

    private var money: [String] {
        let renewals = Wording.count(findings.renewals, "renewal")
        let paid = "Paid \(Self.amounts(findings.paid)); \(renewals) among them."
        let back = "Given back \(Self.amounts(findings.refunded))."
        return ["", "  " + paid] + (findings.refunded.isEmpty ? [] : ["  " + back])
    }

    private static func amounts(_ totals: [Currency: Int64]) -> String {
        let amounts = totals.sorted { $0.key < $1.key }.map { currency, minorUnits in
            currency.code + " " + Money(minorUnits: minorUnits, currency: currency).amountText
        }
        return amounts.isEmpty ? "nothing" : amounts.joined(separator: ", ")
    }

    private func doubts(_ style: Style) -> [String] {
        func paid(_ doubt: DemoFindings.Doubt) -> String {
            style.paint("\(Wording.grouped(doubt.paid)) of them were paid", .strong)
        }
        let (silent, closed) = (findings.silent, findings.closed)
        return [
            "  \(Wording.grouped(silent.count)) looked abandoned ten minutes after opening; "
                + paid(silent) + ".",
            "  \(Wording.grouped(closed.count)) were closed by the customer and looked cancelled; "
                + paid(closed) + ".",
            "  \(Wording.grouped(findings.abandoned)) are still without an outcome.",
        ]
    }

    private func mail(_ style: Style) -> [String] {
        let deliveries = tally.deliveries
        let all = deliveries.values.reduce(0, +)
        func row(_ count: Int, _ words: String) -> String {
            "  " + right(Wording.grouped(count), 5) + "  " + words
        }
        return [
            "  \(Wording.count(all, "webhook delivery", "webhook deliveries")):",
            row(deliveries[.recorded] ?? 0, "recorded: signature held, meaning understood"),
            row(deliveries[.duplicate] ?? 0, "duplicates ignored"),
            row(findings.refusedCount, "refused: \(Self.reasons(findings.refused))"),
            row(findings.conflicting, "under a known id with other bytes: kept, not applied"),
            row(findings.quarantined.values.reduce(0, +), "set aside: \(setAside)"),
            row(findings.unhandled, "of types that say nothing about a checkout: kept"),
            "  \(Wording.grouped(findings.late)) came more than an hour late, "
                + "\(Wording.grouped(findings.outOfOrder)) after something newer was known.",
        ]
    }

    private var setAside: String { Self.reasons(findings.quarantined) }

    private static func reasons(_ counts: [String: Int]) -> String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    private func contradictions(_ style: Style) -> [String] {
        guard !findings.discrepancies.isEmpty else { return [] }
        let rows = findings.discrepancies.sorted {
            ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
        }
        let cells = rows.map { code, count in
            let word = style.paint(code.rawValue, code.needsReview ? .bad : .caution)
            let gap = String(repeating: " ", count: max(2, 26 - code.rawValue.count))
            return right(Wording.grouped(count), 7) + "  " + word + gap
        }
        let lines = stride(from: 0, to: cells.count, by: 2).map { first in
            let pair = cells[first..<min(first + 2, cells.count)].joined()
            return String(pair.reversed().drop { $0 == " " }.reversed())
        }
        return ["  Contradictions that the ledger points at:"] + lines
    }

    private func proofs(_ style: Style) -> [String] {
        let replayed = findings.replayed
        let equal = style.paint(
            replayed.isEqual ? "equal" : "DIFFERENT", replayed.isEqual ? .good : .bad)
        var lines = [
            "  Replayed \(Wording.count(Int(replayed.events), "event")) from the first: "
                + "\(Wording.count(replayed.streams, "stream")), \(equal) to the live answers."
        ]
        if let report = findings.verification {
            let word = report.isSound ? "sound" : "\(report.findingCount) findings"
            lines.append(
                "  Verified \(Wording.count(Int(report.end), "event")), every hash: "
                    + style.paint(word, report.isSound ? .good : .bad)
                    + ". Self-consistent only: no outside anchor.")
        }
        lines.append(
            "  As simulated: \(check.right) of \(check.sessions) sessions, "
                + "\(Wording.grouped(tally.asExpected)) of \(Wording.grouped(tally.steps)) answers."
        )
        return lines
    }

    private func nextCommands(_ style: Style) -> [String] {
        let option = " --ledger \(Self.quoted(path))"
        var rows: [(String, String)] = []
        if let name = findings.looksCancelled {
            rows.append(("timeline \(name)", "one that looked cancelled and was paid"))
        }
        rows.append(("abandoned", "whose end is not known, and why"))
        rows.append(("discrepancies", "what a person should look at"))
        rows.append(("serve --sandbox", "in the browser, beside a make-believe provider"))
        let commands = rows.map { "\(Program.name) \($0.0)\(option)" }
        let width = commands.map(\.count).max() ?? 0
        return ["Next:"]
            + zip(commands, rows).map { command, row in
                "  " + left(command, width + 2) + style.paint(row.1, .dim)
            }
    }

    /// A path as a shell takes it for one word.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "/._-".utf8.contains(byte)
        }
        return isPlain && !path.isEmpty
            ? path
            : "'"
                + path.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }

    private func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension DemoFindings.Ending {
    fileprivate var tone: Tone {
        switch self {
        case .paid: .good
        case .failed, .needsReview: .bad
        case .expired, .cancelled: .plain
        case .underWay, .unknown: .caution
        }
    }
}
