import CheckoutLedger
import CheckoutModel
import CommandKit
import HTTPServer
import LedgerViews
import Markup

/// Which stored webhooks a person asked for.
struct DeliveryFilter: Sendable, Hashable {
    var verdict: DeliveryVerdict?
    var provider: String?
    var isLate = false
    var cursor: UInt64?

    init() {}

    init(_ request: WebRequest) {
        verdict = request.parameter("verdict").flatMap { name in
            DeliveryVerdict.allCases.first { $0.name == name }
        }
        isLate = request.parameter("verdict") == "late"
        provider = request.parameter("provider").flatMap { $0.isEmpty ? nil : $0 }
        cursor = request.parameter("before").flatMap { UInt64($0) }
    }

    var fields: [WebField] {
        var fields: [WebField] = []
        if isLate { fields.append(WebField("verdict", "late")) }
        if let verdict { fields.append(WebField("verdict", verdict.name)) }
        if let provider { fields.append(WebField("provider", provider)) }
        return fields
    }

    func holds(_ delivery: DeliveryDigest, _ scope: AccountScope?) -> Bool {
        (verdict == nil || verdict == delivery.verdict) && (!isLate || delivery.isLate)
            && (provider == nil || provider == scope?.provider.rawValue)
    }
}

/// A part of the list of stored webhooks, and how all of them came.
struct DeliveryList: Sendable {
    var filter: DeliveryFilter
    var rows: [(digest: DeliveryDigest, event: RecordedEvent)]
    var matching: Int
    var counts: [DeliveryVerdict: Int]
    var late: Int
    var delays: DelayTally
    var next: UInt64?
    var providers: [String]
}

enum WebhooksPage {
    static func page(_ list: DeliveryList, _ view: PageView) -> Page {
        let isPlain = list.filter.fields.isEmpty && list.filter.cursor == nil
        let content: Markup = """
            \(Markup.heading("Webhooks", """
                \(count: list.counts.values.reduce(0, +)) stored, the newest first. One that came \
                again with the same id and bytes is acknowledged and not stored a second time.
                """))
            \(chips(list))
            \(isPlain && list.delays.total > 0 ? delays(list.delays) : Markup.empty)
            <div id="rows" data-live>\(rows(list))</div>
            \(more(list))
            """
        return Page(
            "Webhooks", section: "/webhooks",
            json: "/webhooks.json" + SessionsPage.query(list.filter.fields),
            command: view.command("webhooks"),
            isLive: list.filter.cursor == nil, content: content)
    }

    private static func chips(_ list: DeliveryList) -> Markup {
        func chip(_ verdict: String?, _ word: String, _ count: Int, _ isOn: Bool) -> Markup {
            var fields: [WebField] = []
            if let verdict { fields.append(WebField("verdict", verdict)) }
            if let provider = list.filter.provider {
                fields.append(WebField("provider", provider))
            }
            let style = isOn ? "chip on" : "chip"
            return """
                <a class="\(style)" href="/webhooks\(SessionsPage.query(fields))">\(word) \
                \(count: count)</a>
                """
        }
        let filter = list.filter
        var chips = [
            chip(
                nil, "all", list.counts.values.reduce(0, +), filter.verdict == nil && !filter.isLate
            )
        ]
        chips += DeliveryVerdict.allCases.map { verdict in
            chip(
                verdict.name, verdict.name, list.counts[verdict, default: 0],
                filter.verdict == verdict)
        }
        chips.append(chip("late", "out of order", list.late, filter.isLate))
        let providers = list.providers.map { name -> Markup in
            let verdict = filter.fields.filter { $0.name == "verdict" }
            let isOn = filter.provider == name
            let fields = isOn ? verdict : verdict + [WebField("provider", name)]
            return """
                <a class="\(isOn ? "chip on" : "chip")" \
                href="/webhooks\(SessionsPage.query(fields))">\(name)</a>
                """
        }
        let more: Markup = "<div class=\"chips\" aria-label=\"Providers\">\(providers)</div>"
        return """
            <div class="chips" aria-label="Verdicts">\(chips)</div>
            \(list.providers.count > 1 ? more : Markup.empty)
            """
    }

    private static func delays(_ delays: DelayTally) -> Markup {
        let share = Wording.percent(delays.late, of: delays.total)
        let title =
            delays.late == 0
            ? "Every webhook told its facts in their order"
            : "\(share) of the facts told by webhooks came out of order"
        var table = RowTable(
            [.text("Delay"), .number("In order"), .number("Out of order")], folds: false,
            caption: "All \(Wording.count(delays.total, "fact")), from happening to record")
        for (name, count) in zip(DelayTally.names, delays.counts)
        where count.inOrder + count.late > 0 {
            table.add([
                "\(name)", "\(count: count.inOrder)",
                count.late == 0 ? "0" : "<span class=\"bad\">\(count: count.late)</span>",
            ])
        }
        let plot = DelayScatter(points: delays.points).plot(
            title: title,
            note: """
                The latest \(count: delays.points.count) facts. Dots came in order; a red hollow \
                square tells of something older than what was known. A late one changes nothing \
                that it should not: order does not matter to the outcome.
                """)
        return "<div class=\"pair\">\(plot.markup)<div>\(table.markup)</div></div>"
    }

    private static func rows(_ list: DeliveryList) -> Markup {
        guard !list.rows.isEmpty else {
            return Markup.nothing("No webhook is stored that fits.")
        }
        var table = RowTable([
            .text("Delivery"), .text("Arrived"), .text("Provider"), .text("Type"),
            .text("Verdict"), .text("Session"), .text("Delivery id"),
        ])
        for (digest, event) in list.rows {
            let said = event.event
            table.add([
                "<a class=\"id\" href=\"/webhooks/\(digest.position)\">@\(digest.position)</a>",
                "\(time: event.recordedAt)", "\(said.provider.rawValue)",
                "\(said.rawType ?? "–")",
                verdict(digest, said.reason),
                digest.verdict == .refused
                    ? "–"
                    : """
                    <a class="id" href="/streams/\(digest.stream)">\
                    \(said.ids.display ?? "stream \(digest.stream)")</a>
                    """,
                said.deliveryID.map { "<span class=\"id\">\($0)</span>" } ?? "–",
            ])
        }
        return table.markup
    }

    /// The verdict's word, its reason's code, and whether it came out of order.
    static func verdict(_ digest: DeliveryDigest, _ reason: String?) -> Markup {
        let why: Markup? = reason.map { " <span class=\"dim\">\($0)</span>" }
        let late: Markup? = digest.isLate ? " \(Markup.chip("out of order", .caution))" : nil
        return "\(Markup.words(digest.verdict.name, digest.verdict.tone))\(why)\(late)"
    }

    private static func more(_ list: DeliveryList) -> Markup {
        guard let next = list.next else { return .empty }
        let query = SessionsPage.query(list.filter.fields + [WebField("before", String(next))])
        return "<p class=\"more\"><a href=\"/webhooks\(query)\" rel=\"next\">Older webhooks</a></p>"
    }

    static func json(_ list: DeliveryList) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("schema", "webhooks/1")
            writer.field("matching", list.matching)
            writer.object("verdicts") { object in
                for verdict in DeliveryVerdict.allCases {
                    object.field(verdict.name, list.counts[verdict, default: 0])
                }
            }
            writer.field("late", list.late)
            writer.array("delays") { rows in
                for (name, count) in zip(DelayTally.names, list.delays.counts) {
                    rows.object {
                        $0.field("delay", name)
                        $0.field("inOrder", count.inOrder)
                        $0.field("late", count.late)
                    }
                }
            }
            writer.field("before", list.next)
            writer.array("webhooks") { rows in
                for (digest, event) in list.rows {
                    rows.object {
                        $0.field("verdict", digest.verdict.name)
                        $0.field("late", digest.isLate)
                        EventRow.write(event, to: &$0)
                    }
                }
            }
        }
        return writer.line()
    }
}

extension DeliveryVerdict {
    var tone: Tone {
        switch self {
        case .recorded: .good
        case .unhandled: .dim
        case .refused, .conflicting: .bad
        case .quarantined: .caution
        }
    }
}
