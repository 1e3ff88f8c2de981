import CheckoutLedger
import CheckoutModel
import CommandKit
import ProviderKit

extension Entry {
    static let record = Entry(
        .receive,
        Command(
            "record", "Record what was heard about a checkout",
            discussion: """
                Every command returns after the disk was flushed. Telling the same webhook, return \
                or named event again adds nothing and says so.
                """,
            examples: [
                Example(
                    "record session --provider dodo --session cks_1 --amount 25.00 --currency EUR",
                    "Say what a checkout is for"),
                Example(
                    "record webhook --provider dodo --secret-file secret.txt request.http",
                    "Verify a webhook and record it"),
            ],
            verbs: [
                RecordedSession.command, RecordedReturn.command, RecordedWebhook.command,
                RecordedLines.command,
            ]),
        verbs: [
            ["session"]: RecordedSession.run, ["return-url"]: RecordedReturn.run,
            ["webhook"]: RecordedWebhook.run, ["event"]: RecordedLines.run,
        ])
}

/// `record session`: what the merchant's own software knows of a checkout page.
enum RecordedSession {
    /// The words of `--state`.
    enum State: String, CaseIterable {
        case created, opened, closed
        case failedToOpen = "failed-to-open"
        case expired, cleared

        var type: EventType {
            switch self {
            case .created: .sessionCreated
            case .opened: .sessionOpened
            case .closed: .sessionClosed
            case .failedToOpen: .sessionFailedToOpen
            case .expired: .sessionExpired
            case .cleared: .sessionCleared
            }
        }

        /// The back end creates checkouts, the app shows them.
        var source: EventSource { self == .created ? .host : .app }
    }

    static let command = Command(
        "session", "Record that a checkout was created, opened, closed …",
        discussion: """
            An amount is the exact total that the customer is asked for, tax included: what is \
            paid is compared with it. It belongs to --state created.
            """,
        options: [
            .provider("The provider whose checkout it is"),
            .value("session", .text, placeholder: "ID", "The provider's id of the checkout"),
            .value(
                "checkout-url", .text, placeholder: "URL",
                "The checkout page, from which the id is read"),
            .value(
                "state", .choice(State.allCases.map(\.rawValue)), placeholder: "STATE",
                default: "created",
                "What happened: created, opened, closed, failed-to-open, expired or cleared"),
            .value("amount", .text, "The exact total asked for, such as 25.00"),
            .value("currency", .text, placeholder: "CODE", "The amount's currency, three letters"),
            .value("order", .text, placeholder: "ID", "Your own reference"),
            .value("customer", .text, placeholder: "ID", "The provider's id of the customer"),
            .account,
            .value("occurred-at", .moment, "When it happened, if not now"),
            .value(
                "name", .text, "Your name for this event; telling it again adds nothing"),
        ],
        examples: [
            Example(
                "record session --provider dodo --session cks_1 --amount 25.00 --currency EUR "
                    + "--order 1001", "Before the page is shown"),
            Example(
                "record session --provider dodo --session cks_1 --state opened",
                "When the page is shown"),
        ])

    static let run: Handler = { context in
        let event = try event(context)
        let recorded = try await context.ledger(writing: true)
            .record(event, name: context.command.value("name"))
        try context.tell(event, recorded)
        return .done
    }

    private static func event(_ context: Context) throws -> CheckoutEvent {
        let command = context.command
        let state = command.choice("state", as: State.self) ?? .created
        let scope = try context.scope()
        let (session, mode) = try named(context, scope.provider)
        return CheckoutEvent(
            state.type, source: state.source, occurredAt: try context.instant("occurred-at"),
            provider: scope.provider, account: scope.account, mode: mode,
            ids: ProviderIDs(
                session: session, order: command.value("order"),
                customer: command.value("customer")),
            amount: try amount(command, state))
    }

    private static func amount(_ command: ParsedCommand, _ state: State) throws -> Money? {
        guard let text = command.value("amount") else {
            guard command.value("currency") == nil else {
                throw command.usageError("--currency belongs to --amount.", about: "amount")
            }
            return nil
        }
        guard state == .created else {
            throw command.usageError("--amount belongs to --state created.", about: "amount")
        }
        guard let currency = command.value("currency") else {
            throw command.usageError("--amount needs --currency.", about: "currency")
        }
        return try ExplainedAmount.read(text, currency)
    }

    private static func named(
        _ context: Context, _ provider: ProviderID
    ) throws -> (session: String, mode: ProviderMode) {
        let command = context.command
        switch (command.value("session"), command.value("checkout-url")) {
        case (let session?, nil):
            guard !session.isEmpty else {
                throw command.usageError("The session id is empty.", about: "session")
            }
            return (session, .unknown)
        case (nil, let url?):
            let page = ExplainedCheckoutURL(
                Array(url.utf8), registry: try context.registry(), only: provider)
            guard page.isValid, let session = page.session else {
                throw Complaint(
                    code: ExplainedCheckoutURL.code,
                    message: "\(page.message) (\(page.reason ?? ""))", hint: page.hint)
            }
            return (session, page.mode ?? .unknown)
        case (nil, nil):
            throw command.usageError("Give --session or --checkout-url.", about: "session")
        case (_?, _?):
            throw command.usageError(
                "Give --session or --checkout-url, not both.", about: "checkout-url")
        }
    }
}

/// `record return-url`: the browser came back.
enum RecordedReturn {
    static let command = Command(
        "return-url", "Record that the browser came back",
        discussion: """
            Whatever the URL says is a hint and makes no outcome. The URL is kept sealed. With \
            --registered, a URL that is not the registered one is not recorded (exit 1).
            """,
        arguments: [Argument("url", .text, .one, "The URL, or - for standard input")],
        options: [
            .provider("The provider whose words the URL has"),
            .value(
                "session", .text, placeholder: "ID",
                "The checkout that was open; most returns do not say"),
            .value(
                "registered", .text, placeholder: "URL", "The return URL that the app registered"),
            Landing.option, .account,
            .value("occurred-at", .moment, "When it happened, if not now"),
        ],
        examples: [
            Example(
                "record return-url --provider dodo --session cks_1 'shop://return?status=failed'",
                "What the customer was told")
        ])

    static let run: Handler = { context in
        let scope = try context.scope()
        guard let provider = try context.registry().returns(scope.provider) else {
            throw Context.unsupported(scope.provider, "reads no return URLs")
        }
        let bytes = try context.urlBytes(context.command.argument("url"))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Complaint(
                code: "NOT_UTF8", message: "The URL is not UTF-8 text.",
                hint: "Pass it as the system handed it to the app.")
        }
        try check(bytes, context, scope.provider)
        let receipt = try await context.ledger(writing: true).record(
            returnURL: text, readBy: provider, scope: scope,
            session: context.command.value("session"),
            landing: context.command.choice("landing", as: Landing.self)?.landing ?? .unspecified,
            occurredAt: try context.instant("occurred-at"))
        try tell(receipt, context)
        return .done
    }

    private static func check(
        _ url: [UInt8], _ context: Context, _ provider: ProviderID
    ) throws {
        guard let registered = context.command.value("registered") else { return }
        let pattern = try context.registeredURL(registered, provider)
        guard let read = try? ReturnURL(parsing: url) else { return }
        let match = pattern.match(read)
        guard let code = match.code else { return }
        throw Complaint(
            code: "OTHER_URL", message: "The URL is not the registered one (\(code)).",
            hint: "Nothing was recorded; the checkout stays open.")
    }

    private static func tell(_ receipt: ReturnReceipt, _ context: Context) throws {
        let recorded = receipt.recorded
        guard context.isJSON else {
            try context.output.line(
                recorded.wasThere
                    ? "This return was recorded before, at position \(recorded.position)."
                    : "Recorded a return that says \(receipt.claim.status.name), a hint, "
                        + "at position \(recorded.position).")
            return
        }
        let codes = receipt.claim.reading.flags.codes
        try context.writeObject(["verdict", "status", "reason", "position", "stream", "revision"]) {
            $0.field("verdict", recorded.wasThere ? "duplicate" : "recorded")
            $0.field("status", receipt.claim.status.name)
            $0.field("reason", codes.isEmpty ? nil : codes.joined(separator: ","))
            $0.field("position", recorded.position)
            $0.field("stream", recorded.stream)
            $0.field("revision", Int(recorded.revision))
        }
    }
}

extension Context {
    /// Tells where an event stands, in the words that were kept: what was told may hold more.
    func tell(_ event: CheckoutEvent, _ recorded: RecordedAt) throws {
        guard isJSON else {
            if recorded.wasThere {
                try output.line(
                    "This event was recorded before, at position \(recorded.position).")
                return
            }
            let kept = try ledger().event(at: recorded.position).event
            try output.line("Recorded \(kept.line) at position \(recorded.position).")
            return
        }
        try writeObject(["verdict", "type", "position", "stream", "revision"]) {
            $0.field("verdict", recorded.wasThere ? "duplicate" : "recorded")
            $0.field("type", event.type.name)
            $0.field("position", recorded.position)
            $0.field("stream", recorded.stream)
            $0.field("revision", Int(recorded.revision))
        }
    }
}
