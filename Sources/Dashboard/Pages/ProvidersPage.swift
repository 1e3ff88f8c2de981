import CheckoutLedger
import CheckoutModel
import CommandKit
import Markup
import ProviderKit

enum ProvidersPage {
    static func page(_ cards: [ProviderCard], _ view: PageView) -> Page {
        let content: Markup = """
            \(Markup.heading("Providers", """
                What is loaded, with which powers. An adapter can do what it conforms to, so this \
                page cannot promise more. Secrets are never shown, only whether they are there.
                """))
            \(cards.isEmpty ? Markup.nothing("No adapter is registered.") : list(cards))
            \(words(cards))
            """
        return Page(
            "Providers", section: "/providers", json: "/providers.json",
            command: view.command("providers"), content: content)
    }

    private static func list(_ cards: [ProviderCard]) -> Markup {
        let isChecked = cards.contains { $0.conformance != nil }
        var table = RowTable(
            [
                .text("Provider"), .text("Accounts here"), .text("Webhooks signed by"),
                .text("Capabilities"), isChecked ? .text("Conformance") : nil, .text("Status map"),
                .text("Adapter"),
            ].compactMap { $0 })
        for card in cards {
            let chips = card.capabilities.map { capability -> Markup in
                "\(Markup.chip(capability.rawValue.replacing("_", with: " "))) "
            }
            let cells: [Markup?] = [
                "<strong>\(card.name)</strong> <span class=\"dim\">\(card.id.rawValue)</span>",
                accounts(card.accounts),
                card.scheme.map { "<span class=\"id\">\($0)</span>" } ?? "–",
                "<div>\(chips)</div>", isChecked ? conformance(card.conformance) : nil,
                card.words.isEmpty
                    ? "<span class=\"id dim\">\(card.statusMap)</span>"
                    : """
                    <a href="#words-\(card.id.rawValue)">\
                    \(Wording.count(card.words.count, "word"))</a>
                    """,
                "\(card.adapterVersion)",
            ]
            table.add(cells.compactMap { $0 })
        }
        return table.markup
    }

    /// The words of each provider, as the adapter that is loaded answers to them.
    private static func words(_ cards: [ProviderCard]) -> Markup {
        let known = cards.filter { !$0.words.isEmpty }
        guard !known.isEmpty else { return .empty }
        return """
            <h2>Status maps</h2>
            <p class="dim">Each provider's words and what the adapter here makes of them, found by \
            asking it. A word that no adapter knows decides nothing. The documents that say so \
            stand beside the words in the file named below each table.</p>
            \(known.map(words))
            """
    }

    private static func words(_ card: ProviderCard) -> Markup {
        var table = RowTable([
            .text("Where"), .text("About"), .text("The provider's word"), .text("Meaning here"),
        ])
        for word in card.words {
            table.add([
                "\(word.place)", "<span class=\"dim\">\(word.about)</span>",
                "<span class=\"id\">\(word.word)</span>",
                meaning(of: word),
            ])
        }
        return """
            <details class="card"><summary>\(card.name), \
            \(Wording.count(card.words.count, "word"))</summary>\
            <div id="words-\(card.id.rawValue)">\(table.markup)\
            <p class="id dim">\(card.statusMap)</p></div></details>
            """
    }

    private static func meaning(of word: ProviderCard.Word) -> Markup {
        guard let status = CheckoutStatus(name: word.meaning) else { return "\(word.meaning)" }
        return .status(status, isHint: word.place == "return")
    }

    private static func accounts(_ accounts: [ProviderCard.Account]) -> Markup {
        guard !accounts.isEmpty else { return "<span class=\"dim\">none</span>" }
        let lines = accounts.map { account -> Markup in
            let scope = account.scope
            let name = scope.account.isEmpty ? "one account" : scope.account
            let secret: Markup =
                account.receivesWebhooks
                ? Markup.chip("webhook secret present", .good)
                : Markup.chip("no webhook secret", .caution)
            let key: Markup =
                account.canBeAsked
                ? Markup.chip("can be asked", .good) : Markup.chip("cannot be asked", .caution)
            return """
                <div>\(name) <span class="dim">\(scope.mode.name)</span> \(secret) \(key)</div>
                """
        }
        return "<div>\(lines)</div>"
    }

    private static func conformance(_ conformance: ProviderCard.Conformance?) -> Markup {
        guard let conformance else { return "<span class=\"dim\">not run here</span>" }
        let all = conformance.held + conformance.failed
        return conformance.failed == 0
            ? "<span class=\"good\">all \(count: all) held</span>"
            : "<span class=\"bad\">\(count: conformance.failed) of \(count: all) failed</span>"
    }

    static func json(_ cards: [ProviderCard]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("schema", "providers/1")
            writer.array("providers") { list in
                for card in cards {
                    list.object { object in
                        object.field("provider", card.id.rawValue)
                        object.field("name", card.name)
                        object.field("adapterVersion", card.adapterVersion)
                        object.field("capabilities", card.capabilities.map(\.rawValue))
                        object.field("webhookScheme", card.scheme)
                        object.field("statusMap", card.statusMap)
                        object.array("words") { words in
                            for word in card.words {
                                words.object {
                                    $0.field("place", word.place)
                                    $0.field("about", word.about)
                                    $0.field("word", word.word)
                                    $0.field("meaning", word.meaning)
                                }
                            }
                        }
                        object.field("checksHeld", card.conformance?.held)
                        object.field("checksFailed", card.conformance?.failed)
                        object.array("accounts") { accounts in
                            for account in card.accounts {
                                accounts.object {
                                    $0.field("account", account.scope.account)
                                    $0.field("mode", account.scope.mode.name)
                                    $0.field("receivesWebhooks", account.receivesWebhooks)
                                    $0.field("canBeAsked", account.canBeAsked)
                                }
                            }
                        }
                    }
                }
            }
        }
        return writer.line()
    }
}
