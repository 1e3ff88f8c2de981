import CheckoutLedger
import CheckoutModel
import CommandKit
import HTTPServer
import LedgerViews
import Markup

/// Which contradictions a person asked for.
struct DiscrepancyFilter: Sendable, Hashable {
    var code: Discrepancy.Code?
    var needsReview = false
    var cursor: UInt64?

    init() {}

    init(_ request: WebRequest) {
        code = request.parameter("code").flatMap { word in
            Discrepancy.Code.all.first { $0.rawValue == word }
        }
        needsReview = request.parameter("review") == "yes"
        cursor = request.parameter("before").flatMap { UInt64($0) }
    }

    var fields: [WebField] {
        var fields: [WebField] = []
        if let code { fields.append(WebField("code", code.rawValue)) }
        if needsReview { fields.append(WebField("review", "yes")) }
        return fields
    }

    func holds(_ codes: CodeSet) -> Bool {
        !codes.isEmpty && (!needsReview || codes.needsReview)
            && (code.map { codes.contains(CodeSet($0)) } ?? true)
    }
}

/// A part of the list of contradictions.
struct DiscrepancyList: Sendable {
    var filter: DiscrepancyFilter
    var rows: [(session: Session, found: [Discrepancy])]
    /// Sessions with each kind, in the order of the kinds.
    var counts: [(code: Discrepancy.Code, count: Int)]
    var sessions: Int
    var needsReview: Int
    var next: UInt64?
}

enum DiscrepanciesPage {
    static func page(_ list: DiscrepancyList, _ view: PageView) -> Page {
        let content: Markup = """
            \(Markup.heading("Discrepancies", """
                Contradictions worth a person's look: \(count: list.sessions) \
                \(list.sessions == 1 ? "session has" : "sessions have") one, \
                \(count: list.needsReview) of them with money in doubt.
                """))
            \(chips(list))
            <div id="rows" data-live>\(rows(list))</div>
            \(more(list))
            """
        var words = ["discrepancies"]
        if let code = list.filter.code { words += ["--code", code.rawValue] }
        if list.filter.needsReview { words.append("--needs-review") }
        return Page(
            "Discrepancies", section: "/discrepancies",
            json: "/discrepancies.json" + SessionsPage.query(list.filter.fields),
            command: view.command(words: words), isLive: true, content: content)
    }

    private static func chips(_ list: DiscrepancyList) -> Markup {
        let filter = list.filter
        func chip(_ address: Markup, _ word: String, _ count: Int, _ isOn: Bool) -> Markup {
            """
            <a class="\(isOn ? "chip on" : "chip")" href="\(address)">\(word) \(count: count)</a> \

            """
        }
        var chips = [
            chip("/discrepancies", "all", list.sessions, filter.fields.isEmpty),
            chip(
                "/discrepancies?review=yes", "money in doubt", list.needsReview,
                filter.needsReview && filter.code == nil),
        ]
        chips += list.counts.map { code, count in
            chip(
                "/discrepancies?code=\(query: code.rawValue)", code.words, count,
                filter.code == code)
        }
        return "<div class=\"chips\">\(chips)</div>"
    }

    private static func rows(_ list: DiscrepancyList) -> Markup {
        guard !list.rows.isEmpty else {
            return Markup.nothing("No contradiction is known.")
        }
        var table = RowTable([
            .text("Session"), .text("Provider"), .text("Outcome"), .number("Amount"),
            .text("What contradicts"), .text("Review"),
        ])
        for (session, found) in list.rows {
            let what = found.map { discrepancy -> Markup in
                let tone: Tone = discrepancy.code.needsReview ? .bad : .caution
                return """
                    <div>\(Markup.words(discrepancy.message, tone)) \
                    <code class="dim">\(discrepancy.code.rawValue)</code></div>
                    """
            }
            let isGrave = found.contains { $0.code.needsReview }
            table.add([
                .link(session), "\(session.scope.description)",
                .outcome(session.outcome?.status, session.outcome?.evidence),
                .money(session.state.evidence.amount), "<div>\(what)</div>",
                .chip(isGrave ? "needed" : "notice", isGrave ? .bad : .caution),
            ])
        }
        return table.markup
    }

    private static func more(_ list: DiscrepancyList) -> Markup {
        guard let next = list.next else { return .empty }
        let query = SessionsPage.query(list.filter.fields + [WebField("before", String(next))])
        return """
            <p class="more"><a href="/discrepancies\(query)" rel="next">Older sessions</a></p>
            """
    }

    static func json(_ list: DiscrepancyList) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("schema", "discrepancies/1")
            writer.field("sessions", list.sessions)
            writer.field("needsReview", list.needsReview)
            writer.object("codes") { object in
                for (code, count) in list.counts { object.field(code.rawValue, count) }
            }
            writer.field("before", list.next)
            writer.array("discrepancies") { rows in
                for (session, found) in list.rows {
                    for discrepancy in found {
                        rows.object { DiscrepancyRow.write(discrepancy, of: session, to: &$0) }
                    }
                }
            }
        }
        return writer.line()
    }
}

extension Discrepancy.Code {
    /// `amount mismatch` for `amount_mismatch`.
    var words: String { rawValue.replacing("_", with: " ") }
}
