import CheckoutLedger
import CheckoutModel
import CommandKit
import Markup

/// How many checkouts got how far.
struct FunnelRow: Sendable, Hashable {
    var started = 0
    var shown = 0
    var returned = 0
    var byOutcome: [CheckoutStatus: Int] = [:]
    /// Of those without an outcome: shown, and older than the patience.
    var abandoned = 0

    /// Without an outcome, and not abandoned.
    var waiting: Int { started - byOutcome.values.reduce(0, +) - abandoned }

    mutating func add(_ sum: SessionDigest.Sum, _ latest: Int64) {
        started += 1
        if !sum.marks.isDisjoint(with: .seen) { shown += 1 }
        if sum.marks.contains(.returned) { returned += 1 }
        if let outcome = sum.outcome {
            byOutcome[outcome, default: 0] += 1
        } else if sum.reason != nil, sum.startedAt <= latest {
            abandoned += 1
        }
    }
}

/// How long it took to know, by the voice that made the outcome.
struct TimesToKnow: Sendable, Hashable {
    /// Durations from opening the page to the outcome's record, µs, ascending.
    private(set) var byVoice: [EventSource: [Int64]] = [:]

    init(_ digest: LedgerDigest) {
        for (_, _, sum) in digest.checkouts {
            guard let voice = sum.decidedBy, let time = sum.timeToKnow else { continue }
            byVoice[voice, default: []].append(time)
        }
        for voice in byVoice.keys { byVoice[voice]?.sort() }
    }

    /// Voices in a fixed order, with the words for their evidence.
    var lines: [(voice: EventSource, name: String, durations: [Int64])] {
        let names: [(EventSource, String)] = [
            (.webhook, "signed webhook"), (.query, "provider's answer"),
            (.browser, "signed return"), (.operator, "operator"), (.host, "host"), (.app, "app"),
            (.ledger, "ledger"),
        ]
        return names.compactMap { voice, name in
            byVoice[voice].map { (voice, name, $0) }
        }
    }
}

/// Where people fall out, by provider and by day.
struct Funnel: Sendable {
    var byProvider: [(scope: AccountScope, row: FunnelRow)]
    /// Days in UTC, the newest first.
    var byDay: [(day: Day, row: FunnelRow)]
    var times: TimesToKnow

    init(_ digest: LedgerDigest, now: Instant) {
        let latest = now.microseconds &- Limits.patience
        var providers = Array(repeating: FunnelRow(), count: digest.scopes.count)
        var days: [Day: FunnelRow] = [:]
        for (_, own, sum) in digest.checkouts {
            if Int(own.scope) < providers.count { providers[Int(own.scope)].add(sum, latest) }
            days[Day(sum.startedAt), default: FunnelRow()].add(sum, latest)
        }
        byProvider = zip(digest.scopes, providers).filter { $0.1.started > 0 }
            .map { (scope: $0.0, row: $0.1) }
            .sorted {
                ($1.row.started, $0.scope.description) < ($0.row.started, $1.scope.description)
            }
        byDay = days.sorted { $0.key > $1.key }.map { (day: $0.key, row: $0.value) }
        times = TimesToKnow(digest)
    }
}

enum FunnelPage {
    private static let outcomes: [CheckoutStatus] = [.succeeded, .failed, .cancelled, .expired]

    static func page(_ funnel: Funnel, _ view: PageView) -> Page {
        let content: Markup =
            funnel.byDay.isEmpty
            ? Markup.heading("Funnel", "Where people fall out.")
                + Markup.nothing("No checkout is recorded yet.")
            : """
            \(Markup.heading("Funnel", """
                Where people fall out: started, shown, came back, and how it ended. Every bar and \
                number leads to its list.
                """))
            <div id="providers" data-live>\(providers(funnel))</div>
            <h2>By day</h2>
            <div id="days" data-live>\(days(funnel))</div>
            <h2>How long until we know</h2>
            <div id="times" data-live>\(times(funnel.times))</div>
            """
        return Page(
            "Funnel", section: "/funnel", json: "/funnel.json",
            command: view.command("sessions", "--json=provider,outcome,openedAt"), isLive: true,
            content: content)
    }

    private static func providers(_ funnel: Funnel) -> Markup {
        let bars = funnel.byProvider.map { scope, row in
            StackedBars.Bar(name: scope.description, parts: parts(row, link(scope)))
        }
        let all = funnel.byProvider.reduce(0) { $0 + $1.row.started }
        let paid = funnel.byProvider.reduce(0) { $0 + $1.row.byOutcome[.succeeded, default: 0] }
        let plot = StackedBars(bars: bars).plot(
            title:
                "Paid: \(Wording.percent(paid, of: all)) of \(Wording.count(all, "checkout"))",
            note: """
                Outcomes are filled; open edges are checkouts of which nothing final is known. \
                Abandoned ones were shown over ten minutes ago and may have been paid.\(key)
                """)
        var table = table("Provider")
        for (scope, row) in funnel.byProvider {
            table.add(["\(scope.description)"] + cells(row, link(scope)))
        }
        return "\(plot.markup)\(table.markup)"
    }

    /// The colours by name, for parts that are too narrow for their own.
    private static var key: Markup {
        let names = outcomes.map { "\(Markup.status($0)) " as Markup }
        return """
            <span class="key">\(names)<span class="s s-pending t-pending">waiting</span>\
            <span class="s s-none t-none">abandoned</span></span>
            """
    }

    private static func days(_ funnel: Funnel) -> Markup {
        let shown = funnel.byDay.prefix(Limits.funnelDays)
        let bars = shown.prefix(14).reversed().map { day, row in
            StackedBars.Bar(name: day.text, parts: parts(row, "day=\(query: day.text)"))
        }
        let plot = StackedBars(bars: bars).plot(
            title: bars.count == 1
                ? "The last day with checkouts" : "The last \(bars.count) days with checkouts",
            note: "By the day in UTC on which the page was shown, else first heard of.")
        var table = table("Day")
        for (day, row) in shown {
            table.add(
                ["<span class=\"nowrap\">\(day.text)</span>"] + cells(row, "day=\(query: day.text)")
            )
        }
        let more = funnel.byDay.count - shown.count
        let rest: Markup? =
            more > 0 ? "<p class=\"dim\">\(count: more) earlier days are in the JSON.</p>" : nil
        return "\(plot.markup)\(table.markup)\(rest)"
    }

    private static func link(_ scope: AccountScope) -> Markup {
        let account: Markup = scope.account.isEmpty ? "" : "&amp;account=\(query: scope.account)"
        return "provider=\(query: scope.provider.rawValue)\(account)"
    }

    private static func parts(_ row: FunnelRow, _ query: Markup) -> [StackedBars.Part] {
        let known = outcomes.map { status in
            StackedBars.Part(
                name: status.name, tone: status.name, count: row.byOutcome[status, default: 0],
                address: "/sessions?\(query)&amp;outcome=\(status.name)")
        }
        return known + [
            StackedBars.Part(
                name: "waiting", tone: "pending", count: row.waiting,
                address: "/sessions?\(query)&amp;outcome=none", isOpen: true),
            StackedBars.Part(
                name: "abandoned", tone: "none", count: row.abandoned,
                address: "/sessions?\(query)&amp;outcome=none", isOpen: true),
        ]
    }

    private static func table(_ first: String) -> RowTable {
        RowTable(
            [.text(first)]
                + [
                    "Started", "Shown", "Came back", "Succeeded", "Failed", "Cancelled",
                    "Expired", "Waiting", "Abandoned", "Paid",
                ].map { .number($0) })
    }

    private static func cells(_ row: FunnelRow, _ query: Markup) -> [Markup] {
        func link(_ count: Int, _ more: Markup) -> Markup {
            count == 0
                ? "<span class=\"dim\">0</span>"
                : "<a href=\"/sessions?\(query)\(more)\">\(count: count)</a>"
        }
        var cells: [Markup] = [
            link(row.started, ""), "\(count: row.shown)",
            link(row.returned, "&amp;returned=yes"),
        ]
        cells += outcomes.map {
            link(row.byOutcome[$0, default: 0], "&amp;outcome=\($0.name)")
        }
        cells.append(link(row.waiting, "&amp;outcome=none"))
        cells.append(link(row.abandoned, "&amp;outcome=none"))
        cells.append("\(Wording.percent(row.byOutcome[.succeeded, default: 0], of: row.started))")
        return cells
    }
}

extension FunnelPage {
    private static func times(_ times: TimesToKnow) -> Markup {
        let tones: [EventSource: String] = [
            .webhook: "succeeded", .query: "none", .browser: "cancelled", .operator: "failed",
        ]
        let lines = times.lines.map { line in
            CumulativeCurve.Line(
                name: line.name, tone: tones[line.voice] ?? "pending", durations: line.durations)
        }
        guard let first = lines.max(by: { $0.durations.count < $1.durations.count }) else {
            return Markup.nothing("No outcome is known yet of a page that was shown.")
        }
        func duration(_ line: CumulativeCurve.Line, _ percent: Int) -> String {
            Wording.duration(.microseconds(line.quantile(percent)))
        }
        let plot = CumulativeCurve(lines: lines).plot(
            title: "Half of the outcomes by \(first.name) are known within \(duration(first, 50)), "
                + "99 % within \(duration(first, 99))",
            note: """
                From the app's showing of the page to the ledger's record of what made the \
                outcome. Rings mark 50, 90 and 99 %.
                """)
        var table = RowTable(
            [
                .text("Evidence"), .number("Outcomes"), .number("50 %"), .number("90 %"),
                .number("99 %"),
            ],
            folds: false)
        for line in lines {
            table.add(
                ["\(line.name)", "\(count: line.durations.count)"]
                    + CumulativeCurve.percents.map { "\(duration(line, $0))" })
        }
        return "<div class=\"pair\">\(plot.markup)<div>\(table.markup)</div></div>"
    }

    static func json(_ funnel: Funnel) -> [UInt8] {
        var writer = JSONWriter()
        func write(_ row: FunnelRow, to object: inout JSONWriter) {
            object.field("started", row.started)
            object.field("shown", row.shown)
            object.field("returned", row.returned)
            for status in outcomes {
                object.field(status.name, row.byOutcome[status, default: 0])
            }
            object.field("waiting", row.waiting)
            object.field("abandoned", row.abandoned)
        }
        writer.object { writer in
            writer.field("schema", "funnel/1")
            writer.array("providers") { list in
                for (scope, row) in funnel.byProvider {
                    list.object {
                        $0.field("provider", scope.provider.rawValue)
                        $0.field("account", scope.account)
                        write(row, to: &$0)
                    }
                }
            }
            writer.array("days") { list in
                for (day, row) in funnel.byDay {
                    list.object {
                        $0.field("day", day.text)
                        write(row, to: &$0)
                    }
                }
            }
            writer.array("timesToKnow") { list in
                for line in funnel.times.lines {
                    let curve = CumulativeCurve.Line(
                        name: line.name, tone: "", durations: line.durations)
                    list.object { object in
                        object.field("voice", line.voice.name)
                        object.field("outcomes", line.durations.count)
                        for percent in CumulativeCurve.percents {
                            object.field("p\(percent)Microseconds", curve.quantile(percent))
                        }
                    }
                }
            }
        }
        return writer.line()
    }
}
