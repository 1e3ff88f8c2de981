import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews
import Markup

/// What the first page shows: whether everything is fine.
struct Overview: Sendable {
    var counts: StatusCounts
    /// Webhooks refused within the last day.
    var refusedLastDay: Int
    var statistics: LogStatistics
    var lastVerification: VerificationRun?
    var lastSeal: SealCard?
    /// The newest facts, the newest first.
    var recent: [RecordedEvent]
    var sizes: (deliveries: Int, late: Int)
}

/// How many checkouts stand where.
struct StatusCounts: Sendable, Hashable {
    var total = 0
    var byOutcome: [CheckoutStatus: Int] = [:]
    var noOutcome = 0
    /// Of those without an outcome: shown to a customer and older than the patience.
    var abandoned = 0
    var needsReview = 0
    var withDiscrepancy = 0

    init(_ digest: LedgerDigest, twice: Set<UInt64>, now: Instant) {
        let latest = now.microseconds &- Limits.patience
        for (index, stream) in digest.streams.enumerated() {
            guard let sum = stream.sum else { continue }
            // A delivery that was set aside tells of no checkout, and is a contradiction.
            let isTwice = twice.contains(UInt64(index))
            if sum.codes.needsReview || isTwice { needsReview += 1 }
            if !sum.codes.isEmpty || isTwice { withDiscrepancy += 1 }
            guard sum.isCheckout else { continue }
            total += 1
            if let outcome = sum.outcome {
                byOutcome[outcome, default: 0] += 1
            } else {
                noOutcome += 1
            }
            if sum.reason != nil, sum.startedAt <= latest { abandoned += 1 }
        }
    }
}

enum OverviewPage {
    static func page(_ overview: Overview, _ view: PageView) -> Page {
        let content: Markup =
            overview.statistics.events == 0
            ? empty(view)
            : """
            \(heading(overview))
            <div id="tiles" data-live>\(tiles(overview, view))</div>
            <h2>Is everything fine?</h2>
            <div id="health" data-live>\(health(overview, view))</div>
            <h2>Latest facts</h2>
            <div id="recent" data-live>\(recent(overview.recent, view))</div>
            """
        return Page(
            "Overview", section: "/", json: "/index.json", command: view.command("stats"),
            isLive: true, content: content)
    }

    private static func heading(_ overview: Overview) -> Markup {
        let counts = overview.counts
        return .heading(
            "Overview",
            """
            \(count: counts.total) \(counts.total == 1 ? "checkout" : "checkouts"), told by \
            \(count: overview.statistics.events) events, \(count: overview.sizes.deliveries) \
            of them stored webhooks.
            """)
    }

    private static func tiles(_ overview: Overview, _ view: PageView) -> Markup {
        let counts = overview.counts
        func share(_ count: Int) -> String { Wording.percent(count, of: counts.total) }
        var tiles: [Markup] = [.succeeded, .failed, .cancelled, .expired].map {
            (status: CheckoutStatus) -> Markup in
            let count = counts.byOutcome[status, default: 0]
            return .tile(
                count, status.name, share(count), tone: "t-\(status.name)",
                address: "/sessions?outcome=\(status.name)")
        }
        tiles.append(
            .tile(
                counts.noOutcome, "no outcome yet", share(counts.noOutcome), tone: "t-pending",
                address: "/sessions?outcome=none"))
        tiles.append(
            .tile(
                counts.abandoned, "abandoned", "shown over 10 min ago, may have been paid",
                tone: counts.abandoned == 0 ? "t-none" : "t-warn", address: "/abandoned"))
        tiles.append(
            .tile(
                counts.needsReview, "need review", "money in doubt",
                tone: counts.needsReview == 0 ? "t-none" : "t-bad",
                address: "/discrepancies?review=yes"))
        tiles.append(
            .tile(
                overview.refusedLastDay, "refused", "webhooks of the last 24 h",
                tone: overview.refusedLastDay == 0 ? "t-none" : "t-bad",
                address: "/webhooks?verdict=refused"))
        return "<div class=\"tiles\">\(tiles)</div>"
    }

    private static func health(_ overview: Overview, _ view: PageView) -> Markup {
        let log = overview.statistics
        let lag = log.events - min(log.watermark, log.events)
        let verified: Markup =
            if let run = overview.lastVerification {
                "\(VerifyPage.verdict(run)) \(time: run.startedAt)"
            } else {
                "<span class=\"caution\">never since this program started</span>"
            }
        let seal: Markup =
            if let seal = overview.lastSeal {
                "\(count: seal.size) events, \(VerifyPage.match(seal))"
            } else {
                "<span class=\"caution\">none known here</span>"
            }
        let last: Markup =
            if let time = log.lastRecordedAt.map(Instant.init(microseconds:)) {
                "\(time: time), \(view.age(time)) ago"
            } else {
                "–"
            }
        return """
            <div class="card">\(Markup.names([
                ("head", "\(Markup.link(event: log.events - 1)), \(count: log.events) events"),
                ("last event", last),
                ("last verification", "<a href=\"/verify\">\(verified)</a>"),
                ("last seal", "<a href=\"/verify\">\(seal)</a>"),
                (
                    "projections",
                    """
                    <a href="/projections">rows \(count: lag) events behind the head</a>, \
                    answers exact
                    """
                ),
                (
                    "discrepancies",
                    """
                    <a href="/discrepancies">\(count: overview.counts.withDiscrepancy) \
                    \(overview.counts.withDiscrepancy == 1 ? "session" : "sessions")</a>
                    """
                ),
            ]))</div>
            """
    }

    /// A list of events; the first page's and that of nothing else.
    private static func recent(_ events: [RecordedEvent], _ view: PageView) -> Markup {
        var table = RowTable([
            .number("Position"), .text("Recorded"), .text("Session"), .text("Voice"),
            .text("Fact"), .number("Amount"), .text("Says"),
        ])
        for recorded in events {
            let event = recorded.event
            let rawType = event.rawType == event.type.name ? nil : event.rawType
            let session: Markup =
                event.ids.display.map {
                    "<a class=\"id\" href=\"/streams/\(recorded.stream)\">\($0)</a>"
                } ?? "–"
            table.add([
                .link(event: recorded.position), "\(time: recorded.recordedAt)", session,
                "\(event.source.name)",
                .words(event.type.name, event.type.tone(event.evidence)),
                .money(event.amount),
                (event.status?.name ?? event.reason ?? rawType).map {
                    "<span class=\"dim\">\($0)</span>"
                } ?? .empty,
            ])
        }
        return table.markup
    }

    private static func empty(_ view: PageView) -> Markup {
        """
        \(Markup.heading("Nothing recorded yet", "The ledger is empty. Three ways to fill it:"))
        <div class="card"><p>See it at work on pretend checkouts, in a ledger of their own:</p>
        <p class="cmd"><code data-copy>\(view.program) demo</code></p></div>
        <div class="card"><p>Go through a checkout yourself, offline, with the sandbox:</p>
        <p class="cmd"><code data-copy>\(view.program) serve</code></p></div>
        <div class="card"><p>Record what you have: one event a line.</p>
        <p class="cmd"><code data-copy>\(view.command("record", "event"))</code></p></div>
        """
    }

    static func json(_ overview: Overview) -> [UInt8] {
        var writer = JSONWriter()
        let counts = overview.counts
        writer.object { writer in
            writer.field("schema", "overview/1")
            writer.field("events", overview.statistics.events)
            writer.field("checkouts", counts.total)
            writer.object("outcomes") { object in
                for status in CheckoutStatus.allCases where status != .pending {
                    object.field(status.name, counts.byOutcome[status, default: 0])
                }
                object.field("none", counts.noOutcome)
            }
            writer.field("abandoned", counts.abandoned)
            writer.field("needsReview", counts.needsReview)
            writer.field("withDiscrepancy", counts.withDiscrepancy)
            writer.field("deliveries", overview.sizes.deliveries)
            writer.field("lateDeliveries", overview.sizes.late)
            writer.field("refusedLastDay", overview.refusedLastDay)
            writer.field("foldedTo", overview.statistics.watermark)
            writer.field("lastVerifiedAt", overview.lastVerification?.startedAt.iso8601)
            writer.array("recent") { list in
                for event in overview.recent { list.object { EventRow.write(event, to: &$0) } }
            }
        }
        return writer.line()
    }
}
