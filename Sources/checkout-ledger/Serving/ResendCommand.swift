import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews
import ProviderKit

extension Entry {
    static let resend = Entry(
        .receive,
        Command(
            "resend", "Send a stored webhook again",
            discussion: """
                Sends the bytes as they arrived, with the headers they came with. Receivers refuse \
                old signatures; --resign signs anew, with the time of now and the secret of \
                --secret-file or --config, under the same id. That the bytes were opened is \
                recorded before they leave.
                """,
            arguments: [Argument("delivery", .text, .one, deliveryHelp)],
            options: [
                .value(
                    "to", .text, placeholder: "URL", isRequired: true, "Where to send it"),
                .flag("resign", "Sign it anew with the time of now"),
                .secretFile,
                .flag("dry-run", "Say what would be sent; send nothing"),
            ],
            examples: [
                Example(
                    "resend dlv_01JA --to https://staging.example/webhooks --resign --dry-run",
                    "What would be sent")
            ])
    ) { context in
        let command = context.command
        let selection = try context.selection(of: triggerShape)
        let url = try context.target("to") ?? ""
        var ledger = try context.ledger()
        let stored = try context.storedDelivery(command.argument("delivery"), in: ledger)
        if !command.has("dry-run") {
            ledger = try await context.recordPrivateReading("resend", [stored.recorded.position])
        }
        var delivery = try stored.bytes(in: ledger)
        if command.has("resign") {
            delivery = try PretendReceiver(context, stored.scope)
                .resigned(delivery, stored, at: context.now)
        }
        if command.has("dry-run") {
            let how =
                command.has("resign") ? "a new timestamp and signature" : "the headers it came with"
            try context.output.line(
                "Would POST \(Wording.bytes(delivery.body.count)) to \(SafeText.visible(url)) "
                    + "with \(how). Nothing was sent.")
            return .done
        }
        var isAccepted = false
        try await context.send([delivery], to: url) { _, sent in
            isAccepted = sent.isAccepted
            if context.isJSON {
                var writer = JSONWriter(only: selection)
                writer.object {
                    $0.field("kind", stored.recorded.event.rawType)
                    $0.field("delivery", stored.name)
                    sent.write(to: &$0)
                }
                try context.output.line(&writer)
            } else {
                try context.output.line(SafeText.visible(sent.sentence(of: stored.name)))
                if let hint = sent.hint { context.errors.say("Hint: \(hint)") }
            }
        }
        return isAccepted ? .done : .failed
    }
}
