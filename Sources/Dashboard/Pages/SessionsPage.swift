import CheckoutLedger
import CheckoutModel
import CommandKit
import HTTPServer
import LedgerViews
import Markup

/// Which sessions a person asked for; every condition that is given must hold.
struct SessionFilter: Sendable, Hashable {
    var text: String?
    var status: CheckoutStatus?
    /// An outcome; the inner nil asks for sessions without one.
    var outcome: CheckoutStatus??
    var evidence: Evidence?
    var provider: String?
    var account: String?
    /// Started on this day, `2026-03-04`, in UTC.
    var day: String?
    var age: Age?
    var least: Money?
    var most: Money?
    var currency: Currency?
    var needsReview = false
    var isReturned = false
    var cursor: UInt64?
    var limit = Limits.rowsPerPage
    /// Conditions that make no sense, as sentences; they are passed over.
    var complaints: [String] = []

    init() {}

    /// How long ago a session started.
    enum Age: String, Sendable, CaseIterable {
        case hour = "under-1h"
        case day = "under-1d"
        case week = "under-7d"
        case older = "over-7d"

        var word: String {
            switch self {
            case .hour: "under 1 hour"
            case .day: "under 1 day"
            case .week: "under 7 days"
            case .older: "over 7 days"
            }
        }

        func holds(_ microseconds: Int64) -> Bool {
            switch self {
            case .hour: microseconds < 3_600_000_000
            case .day: microseconds < 86_400_000_000
            case .week: microseconds < 604_800_000_000
            case .older: microseconds >= 604_800_000_000
            }
        }
    }
}

extension SessionFilter {
    /// Reads the query of an address.
    init(_ request: WebRequest) {
        self.init()
        func word(_ name: String) -> String? {
            request.parameter(name).flatMap { $0.isEmpty || $0 == "any" ? nil : $0 }
        }
        text = word("q")
        provider = word("provider")
        account = word("account")
        if let name = word("status") {
            status = CheckoutStatus(name: name)
            if status == nil { complaints.append("There is no status '\(name)'.") }
        }
        if let name = word("outcome") {
            outcome = name == "none" ? .some(nil) : CheckoutStatus(name: name).map { .some($0) }
            if outcome == nil { complaints.append("There is no outcome '\(name)'.") }
        }
        if let name = word("evidence") {
            evidence = Evidence.allCases.first { $0.name == name }
            if evidence == nil { complaints.append("There is no evidence '\(name)'.") }
        }
        if let name = word("age") {
            age = Age(rawValue: name)
            if age == nil { complaints.append("There is no age '\(name)'.") }
        }
        if let name = word("day") {
            if (try? Instant(iso8601: name + "T00:00:00Z")) != nil {
                day = name
            } else {
                complaints.append("'\(name)' is no day; write it like 2026-03-04.")
            }
        }
        needsReview = word("review") == "yes"
        isReturned = word("returned") == "yes"
        cursor = word("before").flatMap { UInt64($0) }
        if let asked = word("limit").flatMap({ Int($0) }) {
            limit = min(max(asked, 1), Limits.rowsPerPageAtMost)
        }
        readAmounts(word)
    }

    private mutating func readAmounts(_ word: (String) -> String?) {
        if let code = word("currency") {
            currency = Currency(code)
            if currency == nil { complaints.append("'\(code)' is no currency.") }
        }
        for name in ["least", "most"] {
            guard let text = word(name) else { continue }
            guard let currency else {
                complaints.append("An amount needs its currency.")
                continue
            }
            do throws(MoneyError) {
                let amount = try Money(parsing: text, currency: currency)
                if name == "least" { least = amount } else { most = amount }
            } catch {
                complaints.append("\(text) \(currency.code): \(error.message)")
            }
        }
    }

    /// Name and value of each condition, to stand in an address again.
    var fields: [WebField] {
        var fields: [WebField] = []
        func add(_ name: String, _ value: String?) {
            if let value { fields.append(WebField(name, value)) }
        }
        add("q", text)
        add("status", status?.name)
        if let outcome { add("outcome", outcome?.name ?? "none") }
        add("evidence", evidence?.name)
        add("provider", provider)
        add("account", account)
        add("day", day)
        add("age", age?.rawValue)
        add("currency", currency?.code)
        add("least", least?.amountText)
        add("most", most?.amountText)
        if needsReview { add("review", "yes") }
        if isReturned { add("returned", "yes") }
        if limit != Limits.rowsPerPage { add("limit", String(limit)) }
        return fields
    }

    /// Whether a session is asked for; `scope` is its provider and account.
    func holds(
        _ sum: SessionDigest.Sum, _ scope: AccountScope?, isTwice: Bool, now: Instant
    ) -> Bool {
        if let status, sum.status != status { return false }
        if let outcome, sum.outcome != outcome { return false }
        if let evidence, sum.evidence != evidence { return false }
        if let provider, scope?.provider.rawValue != provider { return false }
        if let account, scope?.account != account { return false }
        if needsReview, !sum.codes.needsReview, !isTwice { return false }
        if isReturned, !sum.marks.contains(.returned) { return false }
        if let age, !age.holds(now.microseconds &- sum.startedAt) { return false }
        if let day, Day(sum.startedAt).text != day { return false }
        if let currency, sum.amount?.currency != currency { return false }
        if let least, (sum.amount?.minorUnits ?? .min) < least.minorUnits { return false }
        if let most, (sum.amount?.minorUnits ?? .max) > most.minorUnits { return false }
        return true
    }
}

/// A day in UTC.
struct Day: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01.
    let number: Int64

    init(_ microseconds: Int64) {
        let day: Int64 = 86_400_000_000
        number = microseconds >= 0 ? microseconds / day : (microseconds - day + 1) / day
    }

    /// `2026-03-04`.
    var text: String {
        String(Instant(seconds: number * 86_400).iso8601.prefix { $0 != "T" })
    }

    static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}

/// A part of the list of sessions.
struct SessionList: Sendable {
    var filter: SessionFilter
    var rows: [SessionRow]
    /// How many fit the filter in all; nil where a text was looked for.
    var matching: Int?
    var total: Int
    /// The stream before which the next page begins.
    var next: UInt64?
    var providers: [String]
}

enum SessionsPage {
    static func page(_ list: SessionList, _ view: PageView) -> Page {
        var table = RowTable([
            .text("Session"), .text("Provider"), .text("Shown as"), .text("Outcome"),
            .number("Amount"), .text("Order"), .text("Last event"), .text("Review"),
        ])
        for row in list.rows { table.add(cells(row)) }
        let content: Markup = """
            \(Markup.heading("Sessions", lead(list)))
            \(form(list))
            \(list.filter.complaints.map { "<p class=\"note bad\">\($0)</p>" as Markup })
            <div id="rows" data-live>\(
                table.isEmpty
                    ? Markup.nothing("No session fits. Take away a condition, or search by an id.")
                    : table.markup)</div>
            \(more(list))
            """
        return Page(
            "Sessions", section: "/sessions", json: "/sessions.json" + query(list.filter.fields),
            command: command(list.filter, view), isLive: list.filter.cursor == nil,
            content: content)
    }

    private static func lead(_ list: SessionList) -> Markup {
        if list.filter.text != nil {
            return "\(count: list.rows.count) found by that id or its beginning."
        }
        guard let matching = list.matching, matching != list.total else {
            return "\(count: list.total) checkouts, the newest first."
        }
        return "\(count: matching) of \(count: list.total) checkouts, the newest first."
    }

    private static func cells(_ row: SessionRow) -> [Markup] {
        let session = row.session
        let evidence = session.state.evidence
        return [
            .link(session), "\(session.scope.description)",
            .status(evidence.status, isHint: session.outcome == nil),
            .outcome(session.outcome?.status, session.outcome?.evidence),
            .money(evidence.amount),
            session.ids.orders.first.map { "<span class=\"id\">\($0)</span>" } ?? "–",
            "\(time: Instant(known: session.state.trace.lastRecordedAt))",
            row.discrepancies.isEmpty
                ? ""
                : .chip(row.needsReview ? "needed" : "notice", row.needsReview ? .bad : .caution),
        ]
    }

    private static func form(_ list: SessionList) -> Markup {
        let filter = list.filter
        let outcome: String? = filter.outcome.map { $0?.name ?? "none" }
        let statuses = CheckoutStatus.allCases.map(\.name)
        let evidence = Evidence.allCases.map(\.name)
        let ages = SessionFilter.Age.allCases
        return """
            <form class="filters" action="/sessions" method="get">
            <label>Session, payment or order\
            <input type="search" name="q" value="\(filter.text ?? "")" maxlength="1024"></label>
            \(select("status", "Shown as", statuses.map { ($0, $0) }, filter.status?.name))
            \(select("outcome", "Outcome", [("none", "none yet")] + CheckoutStatus.allCases
                .filter { $0 != .pending }.map { ($0.name, $0.name) }, outcome))
            \(select("evidence", "Evidence", evidence.map { ($0, $0) }, filter.evidence?.name))
            \(select("provider", "Provider", list.providers.map { ($0, $0) }, filter.provider))
            \(select("age", "Age", ages.map { ($0.rawValue, $0.word) }, filter.age?.rawValue))
            <label>Currency<input name="currency" value="\(filter.currency?.code ?? "")" size="4" \
            maxlength="3"></label>
            <label>From amount<input name="least" value="\(filter.least?.amountText ?? "")" \
            inputmode="decimal"></label>
            <label>To amount<input name="most" value="\(filter.most?.amountText ?? "")" \
            inputmode="decimal"></label>
            <button class="act">Show</button> <a href="/sessions">Everything</a>
            </form>

            """
    }

    /// A choice with "any" before the others.
    static func select(
        _ name: String, _ title: String, _ choices: [(value: String, word: String)],
        _ chosen: String?
    ) -> Markup {
        let options = choices.map { value, word -> Markup in
            value == chosen
                ? "<option value=\"\(value)\" selected>\(word)</option>"
                : "<option value=\"\(value)\">\(word)</option>"
        }
        return """
            <label>\(title)<select name="\(name)"><option value="">any</option>\
            \(options)</select></label>
            """
    }

    private static func more(_ list: SessionList) -> Markup {
        guard let next = list.next else { return .empty }
        let address = "/sessions" + query(list.filter.fields + [WebField("before", String(next))])
        return "<p class=\"more\"><a href=\"\(address)\" rel=\"next\">Older sessions</a></p>"
    }

    /// Fields as the query of an address, percent-encoded.
    static func query(_ fields: [WebField]) -> String {
        guard !fields.isEmpty else { return "" }
        let pairs = fields.map { field -> Markup in
            "\(query: field.name)=\(query: field.value)"
        }
        return "?" + pairs.map(\.text).joined(separator: "&")
    }

    private static func command(_ filter: SessionFilter, _ view: PageView) -> String {
        if let text = filter.text { return view.command("timeline", text) }
        var words = ["sessions"]
        if let status = filter.status { words += ["--status", status.name] }
        if let outcome = filter.outcome { words += ["--outcome", outcome?.name ?? "none"] }
        if let provider = filter.provider { words += ["--provider", provider] }
        if filter.needsReview { words.append("--needs-review") }
        return view.command(words: words)
    }

    static func json(_ list: SessionList) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("schema", "sessions/1")
            writer.field("total", list.total)
            writer.field("matching", list.matching)
            writer.field("before", list.next)
            writer.array("sessions") { rows in
                for row in list.rows { rows.object(row.write) }
            }
        }
        return writer.line()
    }
}
