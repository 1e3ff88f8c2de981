import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews
import Markup
import ProviderKit

/// One stored webhook.
struct StoredDelivery: Sendable {
    var digest: DeliveryDigest
    var event: RecordedEvent
    /// What it was read as: the events that name it as their cause.
    var meanings: [RecordedEvent]
    var raw: MaskedDelivery
    /// What became of its private fields; nil where it has none.
    var privateStates: PrivateStates?
    var explanation: Explanation

    /// Why a delivery was refused, as far as it can be found out here.
    enum Explanation: Sendable {
        /// It was not refused.
        case notNeeded
        /// Only where actions are allowed: an explanation is a help to whoever tries to forge one.
        case notAllowed
        /// The account's secret is not here, or the sealed bytes cannot be opened.
        case notPossible(String)
        /// The signature holds now: another secret or another clock is set than when it came.
        case holdsNow
        /// Refused again, for the reason and with the likely cause.
        case refused(WebhookRejection, WebhookDiagnosis?)
    }
}

enum DeliveryPage {
    static func page(_ delivery: StoredDelivery, _ view: PageView) -> Page {
        let position = delivery.digest.position
        let said = delivery.event.event
        let content: Markup = """
            <h1>Webhook @\(position)</h1>
            <p class="lead">\(delivery.digest.verdict.sentence)</p>
            \(facts(delivery))
            \(explanation(delivery))
            \(actions(delivery, view))
            <h2>What it was read as</h2>
            \(meanings(delivery))
            <h2>As it arrived</h2>
            <p class="dim">What may name a person or open something is masked, always.</p>
            <div class="card">\(raw(delivery.raw))</div>
            """
        let command =
            delivery.digest.verdict == .refused
            ? view.command("webhooks", "explain", "@\(position)")
            : view.command("webhooks", "show", "@\(position)")
        return Page(
            "Webhook \(said.deliveryID ?? "@\(position)")", section: "/webhooks",
            json: "/webhooks/\(position).json", command: command, content: content)
    }

    private static func facts(_ delivery: StoredDelivery) -> Markup {
        let recorded = delivery.event
        let event = recorded.event
        var pairs: [(String, Markup)] = [
            ("verdict", WebhooksPage.verdict(delivery.digest, event.reason)),
            ("arrived", "\(time: recorded.recordedAt)"),
            ("signed at", "\(time: event.occurredAt)"),
            (
                "provider",
                "\(event.provider.rawValue)\(event.account.isEmpty ? "" : "/" + event.account)"
            ),
            ("type", "\(event.rawType ?? "–")"),
            (
                "delivery id",
                event.deliveryID.map { "<span class=\"id\" data-copy>\($0)</span>" } ?? "–"
            ),
            ("stored as", .link(event: recorded.position)),
        ]
        if let verification = event.verification {
            pairs += [
                ("signature scheme", "\(verification.scheme)"),
                ("key", "<span class=\"id\">\(verification.keyFingerprint)</span>"),
                ("adapter", "\(verification.adapterVersion)"),
            ]
        }
        if delivery.digest.verdict != .refused {
            pairs.append(
                (
                    "session",
                    """
                    <a class="id" href="/streams/\(recorded.stream)">\
                    \(event.ids.display ?? "stream \(recorded.stream)")</a>
                    """
                ))
        }
        return "<div class=\"card\">\(Markup.names(pairs))</div>"
    }

    private static func explanation(_ delivery: StoredDelivery) -> Markup {
        let text: Markup
        switch delivery.explanation {
        case .notNeeded: return .empty
        case .notAllowed:
            text = """
                <p>Why it was refused is explained on the operator's terminal, or here when \
                actions are allowed: the explanation would help whoever tries to forge one.</p>
                """
        case .notPossible(let why): text = "<p>\(why)</p>"
        case .holdsNow:
            text = """
                <p>The stored bytes verify now: the secret was not set when it came, or another \
                one. It stays refused; ask the provider to send it again.</p>
                """
        case .refused(let rejection, let diagnosis):
            let cause: Markup =
                diagnosis.map {
                    """
                    <p><strong>Most likely:</strong> \($0.message) \
                    <code>\($0.cause.rawValue)</code></p><p>\($0.hint)</p>
                    """
                } ?? "<p>\(rejection.hint)</p>"
            text = """
                <p>\(rejection.message) <code>\(rejection.code)</code></p>\(cause)
                <p class="dim">A variant that fits is a diagnosis only; it is never accepted as \
                genuine.</p>
                """
        }
        return "<h2>Why it was refused</h2><div class=\"card\">\(text)</div>"
    }

    private static func actions(_ delivery: StoredDelivery, _ view: PageView) -> Markup {
        guard let token = view.formToken, delivery.digest.verdict != .refused else { return .empty }
        guard let target = view.resendTarget else {
            return """
                <p class="dim">To send it again from here, start the server with \
                <code>--resend-to URL</code>.</p>
                """
        }
        return """
            <form method="post" action="/actions/resend">\(TimelinePage.token(token))\
            <input type="hidden" name="position" value="\(delivery.digest.position)">\
            <button class="act">Send it again, signed anew</button> \
            <span class="dim">to <span class="id">\(target)</span></span></form>
            """
    }

    private static func meanings(_ delivery: StoredDelivery) -> Markup {
        guard !delivery.meanings.isEmpty else {
            return Markup.nothing("Nothing: it changed no session.")
        }
        var table = RowTable([
            .text("Position"), .text("Fact"), .text("Happened"), .number("Amount"),
            .text("Session"),
        ])
        for recorded in delivery.meanings {
            let event = recorded.event
            table.add([
                .link(event: recorded.position),
                .words(event.type.name, event.type.tone(event.evidence)),
                "\(time: event.occurredAt)", .money(event.amount),
                """
                <a class="id" href="/streams/\(recorded.stream)">\(event.ids.display ?? "–")</a>
                """,
            ])
        }
        return table.markup
    }

    /// Headers and body, masked.
    static func raw(_ raw: MaskedDelivery) -> Markup {
        if let refusal = raw.refusal { return "<p class=\"dim\">\(refusal)</p>" }
        var table = RowTable([.text("Header"), .text("Value")], folds: false)
        for header in raw.headers {
            table.add([
                "<span class=\"id\">\(header.name)</span>",
                "<span class=\"id\">\(header.value)</span>",
            ])
        }
        let body: Markup =
            if let text = raw.body {
                "<pre>\(text)\(raw.isCut ? "\n…" : "")</pre>"
            } else {
                "<p class=\"dim\">Neither JSON nor a form: nothing of it is shown.</p>"
            }
        return """
            \(table.isEmpty ? Markup.empty : table.markup)
            <p class="dim">Body, \(Wording.bytes(raw.bodyBytes))</p>\(body)
            """
    }

    static func json(_ delivery: StoredDelivery) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("schema", "webhook/1")
            writer.field("verdict", delivery.digest.verdict.name)
            writer.field("late", delivery.digest.isLate)
            writer.object("event") {
                EventRow.write(delivery.event, delivery.privateStates, to: &$0)
            }
            writer.array("meanings") { list in
                for event in delivery.meanings { list.object { EventRow.write(event, to: &$0) } }
            }
            if case .refused(let rejection, let diagnosis) = delivery.explanation {
                writer.object("explanation") {
                    $0.field("code", rejection.code)
                    $0.field("message", rejection.message)
                    $0.field("cause", diagnosis?.cause.rawValue)
                    $0.field("likely", diagnosis?.message)
                    $0.field("hint", diagnosis?.hint ?? rejection.hint)
                }
            }
            writer.field("bodyBytes", delivery.raw.bodyBytes)
        }
        return writer.line()
    }
}
