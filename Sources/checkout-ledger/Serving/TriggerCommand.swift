import AdapterChecks
import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import LedgerViews
import ProviderConformance
import ProviderKit

extension Entry {
    static let trigger = Entry(
        .receive,
        Command(
            "trigger", "Send a signed test webhook to a receiver",
            discussion: """
                Tells something in the provider's own words, signed with the secret that the \
                receiver checks, and with the time of now: verification need not be switched off \
                for a trial. Without a kind, lists what the provider can be made to say.

                The same --session names the same checkout, so that several triggers tell one \
                story.

                Alipay and WeChat Pay sign with a private key of which a receiver has the public \
                half: for a trial make a pair, give a receiver the one half and --signing-key the \
                other. A signature of Square's covers the URL of the webhook: --url, else what \
                the configuration says. PayPal cannot be played: its certificate comes from \
                PayPal alone.
                """,
            arguments: [
                Argument("provider", .choice(Context.providerNames), .one, "Who seems to send it"),
                Argument(
                    "kind", .choice(EventSample.Kind.all.map(\.name)), .optional,
                    "What it tells, such as payment.succeeded"),
            ],
            options: [
                .value("session", .text, placeholder: "ID", "The checkout it is about"),
                .value(
                    "set", .text, placeholder: "PATH=VALUE", repeats: true,
                    "Change the body: data.total_amount=9900, data.items.0.name=Tea"),
                .value(
                    "from", .stream, placeholder: "FILE", "Send this body instead of a made one"),
                .value(
                    "times", .integer(1...1_000), default: "1",
                    "Send it so often, as a provider that repeats itself"),
                .flag("disorder", "Send what came before it, too, and after it"),
                .value("to", .text, placeholder: "URL", "The receiver (else the one of 'serve')"),
                .secretFile,
                .value(
                    "signing-key", .stream, placeholder: "FILE",
                    "The private key to sign with, PEM, where the receiver has its public half"),
                .value(
                    "url", .text, placeholder: "URL",
                    "The URL that the receiver is known by, where signatures cover it (else the "
                        + "configuration's)"),
                .account,
                .flag("dry-run", "Print the request; send nothing"),
            ],
            examples: [
                Example("trigger dodo", "What Dodo can be made to say"),
                Example(
                    "trigger dodo payment.succeeded --session cks_7Qm --config shop.json",
                    "Pay a checkout"),
                Example(
                    "trigger stripe payment.failed --set data.object.amount=9900 "
                        + "--secret-file secret.txt --to http://localhost:3000/webhooks",
                    "Another amount, to your own server"),
            ]), Trigger.run)
}

let triggerShape = RowShape(
    title: "trigger",
    members: [
        ("kind", "what was told, or null with --from"),
        ("delivery", "the name that the webhook was sent under"),
        ("url", "where it was sent"),
        ("status", "the status of the answer, or null"),
        ("error", "a stable word for why there was none, or null"),
    ])

enum Trigger {
    /// One webhook of a trial.
    struct Message {
        let kind: EventSample.Kind?
        let id: String
        let delivery: WebhookDelivery
    }

    static let run: Handler = { context in
        let command = context.command
        let scope = AccountScope(
            ProviderID(rawValue: command.argument("provider")),
            account: command.value("account") ?? "")
        guard let sender = AdapterChecks.sender(of: scope.provider) else {
            throw Context.unsupported(scope.provider, "has nobody here who speaks for it")
        }
        if command.argument(ifAny: "kind") == nil, !command.has("from") {
            for kind in sender.kinds { try context.output.line(kind.name) }
            return .done
        }
        let selection = try context.selection(of: triggerShape)
        let url = try context.target("to") ?? Context.receiver(of: scope)
        let receiver = try PretendReceiver(
            context, scope,
            signingWith: try command.value("signing-key").map { try context.read($0) },
            knownBy: command.value("url"))
        let messages = try messages(context, receiver)
        if command.has("dry-run") {
            for message in messages { try context.output.write(message.delivery.request(to: url)) }
            context.errors.say(
                "\(Wording.count(messages.count, "webhook")) for \(url). Nothing was sent.")
            return .done
        }
        var accepted = 0
        var rest = messages[...]
        try await context.send(messages.map(\.delivery), to: url) { delivery, sent in
            let message = rest.removeFirst()
            if sent.isAccepted { accepted += 1 }
            try tell(message, sent, receiver, context, selection)
        }
        return accepted == messages.count ? .done : .failed
    }

    private static func tell(
        _ message: Message, _ sent: SentDelivery, _ receiver: PretendReceiver, _ context: Context,
        _ selection: FieldSelection?
    ) throws {
        if context.isJSON {
            var writer = JSONWriter(only: selection)
            writer.object {
                $0.field("kind", message.kind?.name)
                $0.field("delivery", message.id)
                sent.write(to: &$0)
            }
            try context.output.line(&writer)
        } else {
            let what = message.kind?.name ?? "the body"
            try context.output.line(
                SafeText.visible(sent.sentence(of: "\(what), signed,"))
                    + " Delivery \(message.id)")
            if let doubt = receiver.doubt(message.delivery, at: context.now) {
                try context.remark("The receiver sets it aside: \(doubt)")
            }
            if let hint = sent.hint { context.errors.say("Hint: \(hint)") }
        }
        try context.output.flush()
    }

    /// Everything to be sent, in the order of sending.
    private static func messages(
        _ context: Context, _ receiver: PretendReceiver
    ) throws -> [Message] {
        let command = context.command
        let now = context.now
        let times = command.integer("times") ?? 1
        func repeated(_ kind: EventSample.Kind?, _ body: [UInt8]) throws -> [Message] {
            let id = PretendReceiver.newID("dlv_")
            let delivery = try receiver.signed(try changed(body, context), id: id, at: now)
            return Array(repeating: Message(kind: kind, id: id, delivery: delivery), count: times)
        }
        if let file = command.value("from") {
            for other in ["session", "disorder"] where command.has(other) {
                throw command.usageError(
                    "--from gives the whole body, so --\(other) has no place.", about: other)
            }
            return try repeated(nil, try context.read(file))
        }
        let first = try kind(command, receiver.sender.kinds)
        let known = Set(receiver.sender.kinds)
        let earlier = command.has("disorder") ? first.predecessors.filter(known.contains) : []
        let session = command.value("session")
        let number = number(of: session)
        return try ([first] + earlier).enumerated().flatMap { age, kind in
            let story = PretendSender.Story(
                kind, eventID: PretendReceiver.newID("evt_"), number: number, session: session,
                occurredAt: Instant(seconds: now.seconds - Int64(age)), mode: .test)
            guard let body = receiver.sender.body(story) else {
                throw Context.unsupported(receiver.verifier.provider.id, "tells no \(kind.name)")
            }
            return try repeated(kind, body)
        }
    }

    private static func kind(
        _ command: ParsedCommand, _ kinds: [EventSample.Kind]
    ) throws -> EventSample.Kind {
        let word = command.argument(ifAny: "kind") ?? ""
        guard let kind = EventSample.Kind(name: word), kinds.contains(kind) else {
            throw command.usageError(
                "'\(word)' is nothing that this provider tells. It tells: "
                    + "\(kinds.map(\.name).joined(separator: ", ")).", about: "kind")
        }
        return kind
    }

    /// The body with what `--set` wants of it.
    private static func changed(_ body: [UInt8], _ context: Context) throws -> [UInt8] {
        let changes = context.command.values("set")
        guard !changes.isEmpty else { return body }
        guard var value = try? JSONValue(json: body) else {
            return try changes.reduce(body) { try changed(form: $0, $1, context) }
        }
        for text in changes {
            guard let change = JSONChange(text) else {
                throw context.command.usageError(
                    "'\(text)' is not PATH=VALUE, such as data.amount=9900.", about: "set")
            }
            guard let changed = change.applied(to: value) else {
                throw context.command.usageError(
                    "The body has no place called '\(text.prefix { $0 != "=" })'.", about: "set")
            }
            value = changed
        }
        return value.json
    }

    /// A form's fields have names and no places inside.
    private static func changed(
        form body: [UInt8], _ change: String, _ context: Context
    ) throws -> [UInt8] {
        let name = change.prefix { $0 != "=" }
        guard name.utf8.count < change.utf8.count else {
            throw context.command.usageError(
                "'\(change)' is not NAME=VALUE, such as total_amount=99.00.", about: "set")
        }
        guard var pairs = FormFields(body)?.pairs.map({ ($0.name, $0.value) }),
            let index = pairs.firstIndex(where: { $0.0 == name })
        else {
            throw context.command.usageError("The body has no field '\(name)'.", about: "set")
        }
        pairs[index].1 = String(change.dropFirst(name.count + 1))
        return URLSegment.form(pairs.map { (name: $0.0, value: $0.1) })
    }

    /// The same number for the same session, so that its payment keeps its name; else a new one.
    ///
    /// Nine digits: some providers' ids are numbers.
    private static func number(of session: String?) -> Int {
        let bytes =
            session.map { SHA256.hash(Array($0.utf8)).bytes } ?? SecureRandom.bytes(8)
        let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % 899_999_999) + 100_000_000
    }
}
