import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews
import ProviderKit

/// `webhooks explain`: why a stored webhook was refused, or what it says.
struct ExplainedDelivery {
    let stored: StoredDelivery
    let delivery: WebhookDelivery
    let verifier: DeliveryVerifier
    let answer: ExplainedWebhook
    let diagnosis: WebhookDiagnosis?
    let trials: [DeliveryVerifier.Trial]

    /// Judges the stored bytes as on arrival, by the secrets of now.
    init(_ stored: StoredDelivery, _ request: DeliveryRequest, _ context: Context) async throws {
        self.stored = stored
        (delivery, verifier) = (request.delivery, request.verifier)
        let then = stored.recorded.recordedAt
        let answer = try await context.withKeys(of: request) { keys in
            try await ExplainedWebhook(
                request.delivery, request.verifier, stored.scope, at: then, keys: keys)
        }
        self.answer = answer
        diagnosis = answer.rejection.flatMap {
            request.verifier.diagnosis(of: request.delivery, refusedBy: $0, at: then)
        }
        trials = answer.isAccepted ? [] : request.verifier.trials(of: request.delivery)
    }

    static let command = Command(
        "explain", "Say why a stored webhook was refused, and what most likely caused it",
        discussion: """
            Checks the stored bytes again, with the clock of their arrival and the secrets of \
            --secret-file or --config. When the signature does not fit, the usual mistakes are \
            tried: another reading of the secret, line ends, JSON written anew, another form of \
            the signature. That is a diagnosis and nothing more: a webhook whose signature fits \
            a changed body stays refused, and nothing is recorded.

            Exit code 0 when it could be judged, whatever the answer.
            """,
        arguments: [Argument("delivery", .text, .one, deliveryHelp)],
        options: [.secretFile],
        examples: [
            Example("webhooks explain @318 --secret-file secret.txt", "By its place"),
            Example("webhooks explain dlv_01JB --config shop.json", "By its id"),
        ])

    static let run: Handler = { context in
        let selection = try context.selection(of: explainedDeliveryShape)
        let ledger = try context.ledger()
        let stored = try context.storedDelivery(context.command.argument("delivery"), in: ledger)
        let verifier = try DeliveryRequest.verifier(of: stored.scope, context).verifier
        let bytes = try stored.bytes(in: ledger)
        let request = DeliveryRequest(
            WebhookDelivery(
                configuredURL: context.webhookURL(of: stored.scope), headers: bytes.headers,
                body: bytes.body), verifier)
        let explained = try await ExplainedDelivery(stored, request, context)
        if context.isJSON {
            var writer = JSONWriter(only: selection)
            writer.object(explained.write)
            try context.output.line(&writer)
        } else {
            try explained.writeText(context)
        }
        return .done
    }

    private func write(to writer: inout JSONWriter) {
        writer.field("delivery", stored.recorded.event.deliveryID)
        writer.field("position", stored.recorded.position)
        writer.field("accepted", answer.isAccepted)
        writer.field("reason", answer.reason)
        writer.field("cause", diagnosis?.cause.rawValue)
        writer.field("message", diagnosis?.message)
        writer.field("hint", diagnosis?.hint ?? answer.rejection?.hint)
        writer.array("tried") { list in
            for trial in trials {
                list.object {
                    $0.field("what", trial.name)
                    $0.field("fits", trial.fits)
                }
            }
        }
    }

    private func writeText(_ context: Context) throws {
        let arrived = stored.recorded.recordedAt.iso8601
        try context.output.line(
            SafeText.visible(
                "Delivery \(stored.name), \(arrived), "
                    + "\(Wording.bytes(delivery.body.count)), provider \(stored.scope)"))
        for (name, value) in facts {
            let label = name.padding(to: 16)
            try context.output.line("  " + label + SafeText.visible(value))
        }
        if let rejection = answer.rejection {
            let (message, hint) =
                diagnosis.map { ($0.message, $0.hint) } ?? (rejection.message, rejection.hint)
            // Where nothing fits, the sentence says so itself.
            let isFound = diagnosis.map { $0.cause != .wrongSecret } ?? false
            try context.output.line(
                SafeText.visible(isFound ? "Most likely: \(message)" : message))
            try context.output.line(hint)
        } else {
            try context.output.line(
                answer.message.isEmpty
                    ? "It is genuine by these secrets." : "It is genuine. \(answer.message)")
        }
    }

    /// Name and finding of each part, as `help signatures` speaks of them.
    private var facts: [(name: String, value: String)] {
        let plans = (try? verifier.provider.plans(for: delivery)) ?? []
        var facts: [(String, String)] = []
        if let scheme = plans.first?.anyOf.first?.scheme { facts.append(("scheme", scheme)) }
        if let window = plans.first?.time { facts.append(("timestamp", timestamp(window))) }
        let count = verifier.signingKeys.count
        if count > 0 { facts.append(("secret", "\(Wording.count(count, "secret")) set")) }
        facts.append(("signature", signature))
        if !trials.isEmpty {
            let marks = trials.map { "\($0.name) \($0.fits ? "✓" : "✗")" }
            facts.append(("tried", marks.joined(separator: "   ")))
        }
        return facts
    }

    private var signature: String {
        if answer.isAccepted { return "fits the stored bytes" }
        if let header = answer.rejection?.headerName { return "cannot be looked for: \(header)" }
        return trials.first?.fits == true
            ? "fits the stored bytes" : "does not fit the stored bytes"
    }

    private func timestamp(_ window: TimeWindow) -> String {
        guard case .at(let signedAt) = window.signedAt else { return "cannot be read" }
        let age = stored.recorded.recordedAt.seconds - signedAt.seconds
        let said = age < 0 ? "\(-age) s in the future" : "\(age) s old"
        guard let tolerance = window.toleranceSeconds else { return said }
        let word = abs(age) <= tolerance ? "ok" : "off"
        return "\(word), \(said) (tolerance \(tolerance) s)"
    }
}

let explainedDeliveryShape = RowShape(
    title: "webhooks explain",
    members: [
        ("delivery", "the provider's id of it, or null"),
        ("position", "place in the whole log"),
        ("accepted", "true when the signature fits by these secrets"),
        ("reason", "the stable word of the refusal, or null"),
        ("cause", "what most likely went wrong, a stable word, or null"),
        ("message", "the same in a sentence, or null"),
        ("hint", "what to do, or null"),
        ("tried", "{what, fits}: what was tried with the signature"),
    ])

extension String {
    /// The text with blanks behind it up to a width; at least one.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, width - count))
    }
}
