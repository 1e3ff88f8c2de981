import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews
import ProviderKit

/// `explain webhook`: whether a delivery is believed, and what it says.
struct ExplainedWebhook {
    /// What the ledger would record of it, in order; empty unless it is believed and understood.
    private(set) var events: [CheckoutEvent] = []
    private(set) var rejection: WebhookRejection?
    /// The code of what sets a believed delivery aside: not readable, or another account's.
    private(set) var quarantine: String?
    private(set) var verified: VerifiedDelivery?
    /// The provider's words for what means nothing for a checkout.
    private(set) var ignoredTypes: [String] = []
    /// One sentence for a person.
    private(set) var message = ""

    var isAccepted: Bool { verified != nil }
    var reason: String? { rejection?.code ?? quarantine }

    /// Verifies and reads; records nothing.
    init(
        _ delivery: WebhookDelivery, _ verifier: DeliveryVerifier, _ scope: AccountScope,
        at now: Instant, keys: any KeySource
    ) async throws(LedgerError) {
        let resolved: ResolvedKeys
        do throws(KeyResolutionError) {
            resolved = try await keys.keys(for: delivery, of: verifier)
        } catch {
            guard let refused = error.rejection else { throw LedgerError(error) }
            (rejection, message) = (refused, error.message)
            return
        }
        let verified: VerifiedDelivery
        do throws(WebhookRejection) {
            verified = try verifier.verify(delivery, at: now, resolved: resolved)
        } catch {
            (rejection, message) = (error, error.message)
            return
        }
        self.verified = verified
        switch verifier.provider.reading(of: verified) {
        case .understood(let said):
            let id = verifier.provider.identity(of: verified).id
            for event in said {
                let meaning = CheckoutEvent(
                    event, source: .webhook, scope: scope, deliveryID: id)
                if let meaning {
                    events.append(meaning)
                } else {
                    ignoredTypes.append(event.rawType)
                }
            }
        case .foreignAccount(let foreign): (quarantine, message) = (foreign.code, foreign.message)
        case .unreadable(let error): (quarantine, message) = (error.code, error.message)
        }
    }

    static let command = Command(
        "webhook", "Say whether a webhook is believed, and what it says",
        discussion: DeliveryRequest.discussion + "\n\n" + """
            JSON: {"accepted","reason","events":[…]}. The reason of a refused webhook is one of \
            missing_header, ambiguous_header, malformed_header, timestamp_malformed, \
            timestamp_too_old, timestamp_too_new, signature_mismatch, unsupported_scheme, \
            unknown_key, untrusted_key_source, body_too_large, decrypt_failed; the likely cause of \
            a refused signature is named on standard error. An accepted webhook with a reason \
            would be set aside and not applied. A public key that the webhook names is fetched, \
            from the provider's own hosts only; that it could not be is an error (exit 1, or 4 \
            without the credentials to ask for it). Events have the members that 'events --json' \
            has.
            """,
        arguments: [DeliveryRequest.argument],
        options: DeliveryRequest.options + [.account],
        examples: [
            Example(
                "explain webhook --provider dodo --secret-file secret.txt "
                    + "--headers-file headers.txt --body-file body.json",
                "Find out why a signature does not fit")
        ])

    static let run: Handler = { context in
        let request = try DeliveryRequest(context)
        let now = context.receiversClock
        let scope = try context.scope()
        let answer = try await context.withKeys(of: request) { keys in
            try await ExplainedWebhook(
                request.delivery, request.verifier, scope, at: now, keys: keys)
        }
        if context.isJSON {
            try context.writeObject(["accepted", "reason", "events"]) {
                $0.field("accepted", answer.isAccepted)
                $0.field("reason", answer.reason)
                $0.array("events") {
                    for event in answer.events {
                        $0.value(JSONValue.object(EventLine.fields(event)))
                    }
                }
            }
        } else {
            try answer.writeText(context)
        }
        if let rejection = answer.rejection {
            try context.output.flush()
            context.name(causeOf: rejection, of: request, at: now)
        }
        return .done
    }

    private func writeText(_ context: Context) throws {
        if let rejection {
            try context.output.line("Refused (\(rejection.code)): \(rejection.message)")
            return
        }
        if let verified {
            try context.output.line(
                "Accepted: the signature fits (\(verified.scheme), key \(verified.keyFingerprint))."
            )
        }
        if let quarantine {
            try context.output.line("  It would be set aside (\(quarantine)): \(message)")
        }
        for event in events { try context.output.line("  " + event.line) }
        for type in ignoredTypes {
            try context.output.line(
                "  \(SafeText.visible(type)) means nothing for a checkout: kept, not applied.")
        }
    }
}

extension Context {
    /// What `--at` says, else this moment.
    var receiversClock: Instant {
        command.integer("at").map { Instant(seconds: Int64($0)) } ?? now
    }

    /// Names on standard error why a webhook was most likely refused; says nothing when that is
    /// plain from the refusal.
    func name(causeOf rejection: WebhookRejection, of request: DeliveryRequest, at now: Instant) {
        let found = request.verifier.diagnosis(of: request.delivery, refusedBy: rejection, at: now)
        guard let found else {
            if !isJSON, !isQuiet { errors.say("Hint: \(rejection.hint)") }
            return
        }
        guard isJSON else {
            errors.say(
                "Likely cause (\(found.cause.rawValue)): "
                    + "\(SafeText.visible(found.message))\nHint: \(found.hint)")
            return
        }
        var writer = JSONWriter()
        writer.object {
            $0.field("schema", "diagnosis/1")
            $0.field("cause", found.cause.rawValue)
            $0.field("message", found.message)
            $0.field("hint", found.hint)
            $0.field("header", found.headerName)
            $0.field("ageSeconds", found.ageSeconds)
        }
        errors.say(String(decoding: writer.bytes, as: UTF8.self))
    }
}

extension CheckoutEvent {
    /// The event on one line for a person: type, amount, ids, reason.
    var line: String {
        let named = [
            ("session", ids.session), ("payment", ids.payment), ("refund", ids.refund),
            ("dispute", ids.dispute), ("subscription", ids.subscription), ("order", ids.order),
        ]
        var words = [type.name]
        if let amount { words.append(amount.label) }
        for (name, id) in named {
            if let id { words.append("\(name) \(id)") }
        }
        if let reason { words.append("(\(reason))") }
        return SafeText.visible(words.joined(separator: "  "))
    }
}
