import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews
import Markup

/// The sessions that wait for an outcome, and what became of those that waited before.
struct AbandonedList: Sendable {
    /// A class of ages.
    struct Class: Sendable, Hashable {
        var name: String
        /// Upper bound, µs; nil for the last one.
        var bound: Int64?
        var count = 0
    }

    /// What became, within the last week, of sessions that had been abandoned.
    struct Resolved: Sendable, Hashable {
        var total = 0
        var byOutcome: [CheckoutStatus: Int] = [:]
        /// How old they were when it became known, by class.
        var paidByClass: [Int] = []
        var otherByClass: [Int] = []
    }

    var rows: [AbandonedRow]
    var total: Int
    var classes: [Class]
    var byReason: [(reason: AbandonedSession.Reason, count: Int)]
    var resolved: Resolved
    /// How long outcomes usually take by provider, µs: half of them, and 99 of a hundred.
    var usual: [String: (half: Int64, most: Int64)]
    var next: UInt64?

    static let bounds: [(name: String, bound: Int64?)] = [
        ("under 10 min", 600_000_000), ("10–60 min", 3_600_000_000), ("1–6 h", 21_600_000_000),
        ("6–24 h", 86_400_000_000), ("1–7 d", 604_800_000_000), ("7–30 d", 2_592_000_000_000),
        ("older", nil),
    ]

    static func index(ofAge age: Int64) -> Int {
        bounds.firstIndex { $0.bound.map { age < $0 } ?? true } ?? bounds.count - 1
    }
}

extension AbandonedList {
    /// Counts what waits and what was resolved; `rows` are filled in by whoever reads the ledger.
    init(_ digest: LedgerDigest, now: Instant) {
        rows = []
        total = 0
        classes = Self.bounds.map { Class(name: $0.name, bound: $0.bound) }
        resolved = Resolved()
        resolved.paidByClass = Array(repeating: 0, count: Self.bounds.count)
        resolved.otherByClass = resolved.paidByClass
        var reasons: [AbandonedSession.Reason: Int] = [:]
        var times: [UInt16: [Int64]] = [:]
        let weekAgo = now.microseconds &- 604_800_000_000
        for (_, own, sum) in digest.checkouts {
            if let reason = sum.reason {
                total += 1
                reasons[reason, default: 0] += 1
                let age = max(0, now.microseconds &- sum.startedAt)
                classes[Self.index(ofAge: age)].count += 1
            }
            guard let time = sum.timeToKnow, let outcome = sum.outcome else { continue }
            times[own.scope, default: []].append(time)
            guard let decidedAt = sum.decidedAt, decidedAt >= weekAgo, time >= Limits.patience
            else { continue }
            resolved.total += 1
            resolved.byOutcome[outcome, default: 0] += 1
            let index = Self.index(ofAge: time)
            if outcome == .succeeded {
                resolved.paidByClass[index] += 1
            } else {
                resolved.otherByClass[index] += 1
            }
        }
        byReason = reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { (reason: $0.key, count: $0.value) }
        usual = [:]
        for (index, durations) in times where Int(index) < digest.scopes.count {
            let line = CumulativeCurve.Line(name: "", tone: "", durations: durations.sorted())
            usual[digest.scopes[Int(index)].description] = (line.quantile(50), line.quantile(99))
        }
    }
}

enum AbandonedPage {
    static func page(_ list: AbandonedList, _ view: PageView) -> Page {
        let content: Markup = """
            \(Markup.heading("Abandoned", """
                Who might have paid without us knowing: \(count: list.total) \
                \(list.total == 1 ? "checkout was" : "checkouts were") shown to a customer, and \
                nothing final is known of \(list.total == 1 ? "it" : "them").
                """))
            \(list.total > 0 ? actions(view) : Markup.empty)
            <div id="ages" data-live>\(list.total > 0 ? ages(list) : nothing)</div>
            <h2>Resolved within the last seven days</h2>
            <div id="resolved" data-live>\(resolved(list.resolved))</div>
            \(list.total > 0 ? "<h2>One by one</h2>" : Markup.empty)
            <div id="rows" data-live>\(rows(list, view))</div>
            \(more(list))
            """
        return Page(
            "Abandoned", section: "/abandoned", json: "/abandoned.json",
            command: view.command("abandoned"), isLive: true, content: content)
    }

    private static var nothing: Markup { .nothing("No session waits for an outcome.") }

    private static func actions(_ view: PageView) -> Markup {
        guard let token = view.formToken else { return .empty }
        return """
            <form method="post" action="/actions/reconcile">\(TimelinePage.token(token))\
            <button class="act">Ask the providers about all of them</button></form>
            """
    }

    private static func ages(_ list: AbandonedList) -> Markup {
        let old = list.classes.dropFirst().reduce(0) { $0 + $1.count }
        let plot = Columns(
            columns: list.classes.map {
                Columns.Column(name: $0.name, count: $0.count, tone: "none", address: nil)
            },
            unit: "sessions", axis: "time since the page was shown"
        ).plot(
            title:
                Wording.count(old, "session has", "sessions have")
                + " waited longer than ten minutes",
            note: "Each may have been paid. Most webhooks come within seconds; then one asks.")
        var table = RowTable([.text("Why nothing is known"), .number("Sessions")], folds: false)
        for (reason, count) in list.byReason {
            table.add([
                "\(reason.word) <span class=\"dim\">\(reason.advice.sentence)</span>",
                "\(count: count)",
            ])
        }
        var usual = RowTable(
            [.text("Usually known"), .number("50 %"), .number("99 %")], folds: false)
        for (provider, times) in list.usual.sorted(by: { $0.key < $1.key }) {
            usual.add([
                "\(provider)", "\(Wording.duration(.microseconds(times.half)))",
                "\(Wording.duration(.microseconds(times.most)))",
            ])
        }
        return """
            <div class="pair">\(plot.markup)<div>\(table.markup)\
            \(usual.isEmpty ? Markup.empty : "<p></p>" + usual.markup)</div></div>
            """
    }

    private static func resolved(_ resolved: AbandonedList.Resolved) -> Markup {
        guard resolved.total > 0 else {
            return Markup.nothing(
                "No session that was abandoned for ten minutes got an outcome in this time.")
        }
        let paid = resolved.byOutcome[.succeeded, default: 0]
        var table = RowTable(
            [.text("Known after"), .number("Was paid"), .number("Other")], folds: false)
        for (index, bound) in AbandonedList.bounds.enumerated() {
            let (paid, other) = (resolved.paidByClass[index], resolved.otherByClass[index])
            guard paid + other > 0 else { continue }
            table.add(["\(bound.name)", "\(count: paid)", "\(count: other)"])
        }
        let others: [CheckoutStatus] = [.failed, .cancelled, .expired]
        let tiles = others.map { status -> Markup in
            .tile(
                resolved.byOutcome[status, default: 0], status.name,
                Wording.percent(resolved.byOutcome[status, default: 0], of: resolved.total),
                tone: "t-\(status.name)")
        }
        let was = Markup.tile(
            paid, "was paid",
            "\(Wording.percent(paid, of: resolved.total)) of \(Wording.grouped(resolved.total))",
            tone: "t-succeeded")
        return """
            <div class="pair"><div class="tiles">\(was)\(tiles)</div>\
            <div>\(table.markup)</div></div>
            """
    }

    private static func rows(_ list: AbandonedList, _ view: PageView) -> Markup {
        guard !list.rows.isEmpty else { return .empty }
        var table = RowTable([
            .text("Session"), .text("Provider"), .number("Amount"), .number("Age"),
            .text("Why"), .text("Next step"), .text("Order"),
        ])
        for row in list.rows {
            let session = row.abandoned.session
            let evidence = session.state.evidence
            let advice = row.abandoned.reason.advice
            let waits = advice.word == "ask_provider" || advice.word == "wait"
            let usual = list.usual[session.scope.description].map { times -> Markup in
                """
                <span class="dim">usually \(Wording.duration(.microseconds(times.half))), 99 % \
                within \(Wording.duration(.microseconds(times.most)))</span>
                """
            }
            table.add([
                .link(session), "\(session.scope.description)", .money(evidence.amount),
                """
                <span title="\(row.abandoned.openedAt.iso8601)">\
                \(Wording.duration(.microseconds(row.age)))</span>
                """,
                "<span class=\"caution\">\(row.abandoned.reason.sentence(evidence))</span>",
                "\(advice.sentence) \(waits ? usual : nil)",
                session.ids.orders.first.map { "<span class=\"id\">\($0)</span>" } ?? "–",
            ])
        }
        return table.markup
    }

    private static func more(_ list: AbandonedList) -> Markup {
        guard let next = list.next else { return .empty }
        return """
            <p class="more"><a href="/abandoned?before=\(next)" rel="next">Older sessions</a></p>
            """
    }

    static func json(_ list: AbandonedList) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("schema", "abandoned/1")
            writer.field("total", list.total)
            writer.array("ages") { rows in
                for item in list.classes {
                    rows.object {
                        $0.field("age", item.name)
                        $0.field("sessions", item.count)
                    }
                }
            }
            writer.object("reasons") { object in
                for (reason, count) in list.byReason { object.field(reason.rawValue, count) }
            }
            writer.object("resolvedLastWeek") { object in
                object.field("total", list.resolved.total)
                for status in CheckoutStatus.allCases where status != .pending {
                    object.field(status.name, list.resolved.byOutcome[status, default: 0])
                }
            }
            writer.field("before", list.next)
            writer.array("sessions") { rows in
                for row in list.rows { rows.object(row.write) }
            }
        }
        return writer.line()
    }
}

extension AbandonedSession.Reason {
    /// The reason for a whole class, where no one session's status stands behind it.
    fileprivate var word: String {
        self == .unconfirmed ? "said how it ended, unconfirmed" : sentence(SessionEvidence())
    }
}
