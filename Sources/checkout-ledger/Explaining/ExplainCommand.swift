import CheckoutModel
import CommandKit
import ProviderKit

extension Entry {
    static let explain = Entry(
        .more,
        Command(
            "explain", "Say how an input is read, and why; records nothing",
            discussion: """
                Needs no ledger. The exit code is 0 whenever the input could be judged, also when \
                the answer is no: look at the answer. An amount that cannot be read, and a \
                registered return URL that no app can register, are errors (exit 1).
                """,
            examples: [
                Example(
                    "explain checkout-url https://checkout.dodopayments.com/session/cks_1",
                    "Is this a checkout page, and whose"),
                Example("explain amount 19.99 --currency EUR", "Show an amount in minor units"),
            ],
            verbs: [
                ExplainedCheckoutURL.command, ExplainedReturn.command, ExplainedWebhook.command,
                ExplainedAmount.command,
            ]),
        verbs: [
            ["checkout-url"]: ExplainedCheckoutURL.run, ["return-url"]: ExplainedReturn.run,
            ["webhook"]: ExplainedWebhook.run, ["amount"]: ExplainedAmount.run,
        ])
}

/// `explain checkout-url`: which provider's page a URL is, and if none's, what is wrong with it.
struct ExplainedCheckoutURL {
    var provider: ProviderID?
    var session: String?
    var mode: ProviderMode?
    /// Why it is refused; nil for a checkout page.
    var reason: String?
    var message = ""
    var hint = ""

    static let code = "INVALID_CHECKOUT_URL"
    static let linkWithoutSession = "link_without_session"

    var isValid: Bool { reason == nil }

    /// Reads a URL as the registry does, for one provider or all.
    init(_ url: [UInt8], registry: ProviderRegistry, only wanted: ProviderID? = nil) {
        let text = String(decoding: url, as: UTF8.self)
        let ids = registry.descriptors.map(\.id).filter { wanted == nil || $0 == wanted }
        for id in ids {
            switch registry.provider(id)?.recognise(checkoutURL: text) {
            case .session(let session, let mode)?:
                (self.provider, self.session, self.mode) = (id, session, mode)
                return
            case .linkWithoutSession(let mode)?:
                (self.provider, self.mode) = (id, mode)
                reason = Self.linkWithoutSession
                message = "The URL is a static link, which names no session."
                hint = "Create a session on your server and open its URL instead."
                return
            case .notMine?, nil: continue
            }
        }
        refuse(url, ids.compactMap(registry.provider))
    }

    /// Names the fault of the rule that came furthest: it is the one that the URL was meant for.
    private mutating func refuse(_ url: [UInt8], _ providers: [any PaymentProvider]) {
        var furthest: (stage: Int, refusal: CheckoutURLRefusal, id: ProviderID)?
        for provider in providers {
            for rule in provider.checkoutURLRules {
                do throws(CheckoutURLRefusal) {
                    _ = try rule.read(bytes: url)
                    // The place is right and the adapter wants another kind of id there.
                    furthest = (.max, CheckoutURLRefusal(.missingSession), provider.id)
                } catch {
                    let stage = CheckoutURLRefusal.Reason.allCases.firstIndex(of: error.reason) ?? 0
                    if stage > furthest?.stage ?? -1 { furthest = (stage, error, provider.id) }
                }
            }
        }
        let refusal = furthest?.refusal ?? CheckoutURLRefusal(.host)
        let reasons = CheckoutURLRefusal.Reason.allCases
        // Behind the host the URL is known to be this provider's.
        let isPastHost = (furthest?.stage ?? 0) > reasons.firstIndex(of: .host) ?? 0
        provider = isPastHost ? furthest?.id : nil
        (reason, message, hint) = (refusal.code, refusal.message, refusal.hint)
    }

    static let command = Command(
        "checkout-url", "Say whether a URL is a provider's checkout page",
        discussion: """
            JSON: {"valid","provider","session","mode","code","reason"}; what does not apply is \
            null. The code of a refused URL is INVALID_CHECKOUT_URL.
            """,
        arguments: [Argument("url", .text, .one, "The URL, or - for standard input")],
        options: [.provider(isRequired: false, "Ask this adapter only")],
        examples: [
            Example(
                "explain checkout-url https://checkout.dodopayments.com/session/cks_1 --json",
                "Answer as JSON")
        ])

    static let run: Handler = { context in
        let url = try context.urlBytes(context.command.argument("url"))
        let answer = ExplainedCheckoutURL(
            url, registry: try context.registry(),
            only: context.command.value("provider").map { ProviderID(rawValue: $0) })
        if context.isJSON {
            try answer.writeJSON(context)
        } else if answer.isValid {
            try context.output.line("Valid: a checkout page of \(answer.provider?.rawValue ?? "").")
            try context.output.line("  session  \(SafeText.visible(answer.session ?? ""))")
            try context.output.line("  mode     \(answer.mode?.name ?? "")")
        } else {
            try context.output.line("Not valid (\(answer.reason ?? "")): \(answer.message)")
            if !context.isQuiet { context.errors.say("Hint: \(answer.hint)") }
        }
        return .done
    }

    private func writeJSON(_ context: Context) throws {
        try context.writeObject(["valid", "provider", "session", "mode", "code", "reason"]) {
            $0.field("valid", isValid)
            $0.field("provider", provider?.rawValue)
            $0.field("session", session)
            $0.field("mode", mode?.name)
            $0.field("code", isValid ? nil : Self.code)
            $0.field("reason", reason)
        }
    }
}

/// `explain amount`: an amount of money in minor units.
enum ExplainedAmount {
    static let command = Command(
        "amount", "Show an amount of money in minor units",
        discussion: """
            Takes plain digits with at most one decimal point, and no more decimals than ISO 4217 \
            gives the currency; nothing is rounded. With --provider the minor units are those \
            that the provider's API counts in, which differ for a few currencies.

            JSON: {"minorUnits","currency"}. What cannot be read is an error, exit 1, with the \
            code malformed, too_many_decimals, unknown_currency or out_of_range.
            """,
        arguments: [Argument("text", .text, .one, "The amount in major units, such as 19.99")],
        options: [
            .value(
                "currency", .text, placeholder: "CODE", isRequired: true,
                "The currency, three letters"),
            .provider(isRequired: false, "Count as this provider's API does"),
        ],
        examples: [
            Example("explain amount 1200 --currency JPY", "Yen have no smaller unit"),
            Example(
                "explain amount 100 --currency ISK --provider stripe",
                "Stripe counts krónur in hundredths"),
        ])

    static let run: Handler = { context in
        let money = try read(
            context.command.argument("text"), context.command.value("currency") ?? "",
            provider: context.command.value("provider").map { ProviderID(rawValue: $0) })
        guard context.isJSON else {
            try context.output.line(
                "\(Wording.grouped(Int(money.minorUnits))) minor units of \(money.currency.code).")
            return .done
        }
        try context.writeObject(["minorUnits", "currency"]) {
            $0.field("minorUnits", money.minorUnits)
            $0.field("currency", money.currency.code)
        }
        return .done
    }

    /// Throws a complaint with the amount's own code.
    static func read(
        _ text: String, _ currency: String, provider: ProviderID? = nil
    ) throws -> Money {
        do throws(MoneyError) {
            let money = try Money(parsing: text, currencyCode: currency)
            guard let provider else { return money }
            let profile =
                Adapters.descriptors.first { $0.id == provider }?.moneyProfile ?? .iso4217
            return Money(
                minorUnits: try profile.wireAmount(of: money), currency: money.currency)
        } catch {
            throw Complaint(code: error.code, message: error.message, hint: error.hint)
        }
    }
}
