import CheckoutLedger
import CheckoutModel
import CommandKit
import ProviderKit

/// `record webhook`: verifies a delivery as a receiver would, and records it.
enum RecordedWebhook {
    static let command = Command(
        "webhook", "Verify a webhook and record it",
        discussion: DeliveryRequest.discussion + "\n\n" + """
            The verdict is recorded, unhandled (genuine, and means nothing for a checkout), \
            duplicate, conflicting (a known id with other bytes: kept, not applied), quarantined \
            (genuine, not to be applied, with a reason) or refused (the signature does not hold: \
            kept apart, changes nothing, exit 1). Nothing is recorded when a key that the webhook \
            names could not be fetched (exit 1, or 4 without the credentials to ask for it): that \
            says nothing about the webhook, so record it again.
            """,
        arguments: [DeliveryRequest.argument],
        options: DeliveryRequest.options + [.account],
        examples: [
            Example(
                "record webhook --provider dodo --secret-file secret.txt "
                    + "--headers-file headers.txt --body-file body.json",
                "From two files"),
            Example(
                "record webhook --provider stripe --secret-file secret.txt < request.http",
                "From one raw request"),
        ])

    static let members = [
        "verdict", "reason", "position", "stream", "acknowledgement", "events",
    ]

    static let run: Handler = { context in
        let request = try DeliveryRequest(context)
        let scope = try context.scope()
        let now = context.receiversClock
        let ledger = try context.ledger(writing: true, masking: request.secrets)
        let receipt = try await context.withKeys(of: request) { keys in
            try await ledger.record(
                request.delivery, verifiedBy: request.verifier, keys: keys, scope: scope, at: now)
        }
        let (word, reason) = words(receipt.verdict)
        if context.isJSON {
            try context.writeObject(members) {
                $0.field("verdict", word)
                $0.field("reason", reason)
                $0.field("position", receipt.position)
                $0.field("stream", receipt.stream)
                $0.field("acknowledgement", receipt.acknowledgement.status)
                $0.array("events") {
                    for event in receipt.events {
                        $0.value(JSONValue.object(EventLine.fields(event)))
                    }
                }
            }
        } else {
            try context.output.line(sentence(receipt))
            for event in receipt.events { try context.output.line("  " + event.line) }
        }
        guard case .refused(let rejection) = receipt.verdict else { return .done }
        try context.output.flush()
        context.name(causeOf: rejection, of: request, at: now)
        return .failed
    }

    private static func words(
        _ verdict: DeliveryReceipt.Verdict
    ) -> (verdict: String, reason: String?) {
        switch verdict {
        case .recorded: ("recorded", nil)
        case .unhandled: ("unhandled", nil)
        case .duplicate: ("duplicate", nil)
        case .conflicting: ("conflicting", nil)
        case .quarantined(let code): ("quarantined", code)
        case .refused(let rejection): ("refused", rejection.code)
        }
    }

    private static func sentence(_ receipt: DeliveryReceipt) -> String {
        let place = "at position \(receipt.position)"
        return switch receipt.verdict {
        case .recorded: "Recorded, verified, \(place)."
        case .unhandled: "Recorded \(place); its type means nothing for a checkout."
        case .duplicate: "Duplicate: recorded before, \(place). Nothing was added."
        case .conflicting:
            "Conflicting: a known delivery id with other bytes. Kept \(place), not applied."
        case .quarantined(let code): "Quarantined (\(code)): genuine, kept \(place), not applied."
        case .refused(let rejection):
            "Refused (\(rejection.code)): \(rejection.message) Kept apart \(place)."
        }
    }
}
