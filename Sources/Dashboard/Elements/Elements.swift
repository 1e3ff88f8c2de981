import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews
import Markup

extension Markup.StringInterpolation {
    /// A time in UTC to the second; its tooltip has the microseconds.
    mutating func appendInterpolation(time instant: Instant) {
        let exact = instant.iso8601
        // 2026-03-04T05:06:07Z reads better as 2026-03-04 05:06:07.
        let text = instant.iso8601Seconds.replacing("T", with: " ").replacing("Z", with: "")
        let markup: Markup =
            "<time class=\"nowrap\" datetime=\"\(exact)\" title=\"\(exact)\">\(text)</time>"
        appendInterpolation(markup)
    }

    /// A dash where there is no time.
    mutating func appendInterpolation(time instant: Instant?) {
        if let instant { appendInterpolation(time: instant) } else { appendInterpolation("–") }
    }

    /// A whole number with its thousands set apart.
    mutating func appendInterpolation(count: some BinaryInteger) {
        appendInterpolation(Wording.grouped(Int(clamping: count)))
    }
}

extension Markup {
    /// A status that holds, with its word, its colour and its shape.
    static func status(_ status: CheckoutStatus, isHint: Bool = false) -> Markup {
        let name = status.name
        return isHint
            ? """
            <span class="s s-\(name) t-\(name) hint">\(name) <span class="dim">hint</span></span>
            """
            : "<span class=\"s s-\(name) t-\(name)\">\(name)</span>"
    }

    /// An outcome with its evidence, or the word that there is none.
    static func outcome(_ outcome: CheckoutStatus?, _ evidence: Evidence?) -> Markup {
        guard let outcome else { return "<span class=\"s s-none t-none\">none yet</span>" }
        return """
            \(status(outcome)) <span class="dim">\(evidence?.name ?? "")</span>
            """
    }

    static func money(_ amount: Money?) -> Markup { amount.map { "\($0.display)" } ?? "–" }

    static func words(_ text: String, _ tone: Tone) -> Markup {
        switch tone {
        case .plain: "\(text)"
        case .good: "<span class=\"good\">\(text)</span>"
        case .bad: "<span class=\"bad\">\(text)</span>"
        case .caution: "<span class=\"caution\">\(text)</span>"
        case .dim: "<span class=\"dim\">\(text)</span>"
        case .strong: "<span class=\"strong\">\(text)</span>"
        }
    }

    static func chip(_ text: String, _ tone: Tone = .plain) -> Markup {
        switch tone {
        case .good: "<span class=\"chip good\">\(text)</span>"
        case .bad: "<span class=\"chip bad\">\(text)</span>"
        case .caution: "<span class=\"chip caution\">\(text)</span>"
        case .plain, .dim, .strong: "<span class=\"chip\">\(text)</span>"
        }
    }

    /// A link to a session's timeline, by its own name.
    static func link(_ session: Session) -> Markup {
        "<a class=\"id\" href=\"\(Address.session(session))\">\(session.name)</a>"
    }

    static func link(event position: UInt64) -> Markup {
        "<a class=\"id\" href=\"/events/\(position)\">@\(position)</a>"
    }

    static func heading(_ title: String, _ lead: Markup) -> Markup {
        "<h1>\(title)</h1>\n<p class=\"lead\">\(lead)</p>\n"
    }

    /// Names and values under each other.
    static func names(_ pairs: [(String, Markup)]) -> Markup {
        let rows = pairs.map { name, value -> Markup in "<dt>\(name)</dt><dd>\(value)</dd>" }
        return "<dl class=\"names\">\(rows)</dl>"
    }

    /// A number with its word; a link where there is a list behind it.
    static func tile(
        _ number: some BinaryInteger, _ word: String, _ more: String, tone: String,
        address: Markup? = nil
    ) -> Markup {
        let inside: Markup = """
            <b>\(count: number)</b><span class="what">\(word)</span> \
            <span class="sub">\(more)</span>
            """
        guard let address else { return "<div class=\"tile \(tone)\">\(inside)</div>" }
        return "<a class=\"tile \(tone)\" href=\"\(address)\">\(inside)</a>"
    }

    /// What stands where a list has nothing in it.
    static func nothing(_ sentence: String) -> Markup {
        "<p class=\"card dim\">\(sentence)</p>"
    }
}

/// Addresses that pages link to.
enum Address {
    /// `/sessions/dodo/cks_7Qm`, each part encoded by itself.
    static func session(_ session: Session) -> Markup {
        let scope = session.scope
        guard session.isFoundByName else {
            return "/streams/\(session.streams.first ?? 0)"
        }
        let account: Markup = scope.account.isEmpty ? "" : "/\(segment: scope.account)"
        return
            "/sessions/\(segment: scope.provider.rawValue)\(account)/\(segment: session.name)"
    }
}

extension Session {
    /// False where only an order or a customer is known, or nothing: those names lead elsewhere.
    var isFoundByName: Bool {
        !scope.provider.rawValue.isEmpty && (isCheckout || !ids.deliveries.isEmpty)
    }
}
