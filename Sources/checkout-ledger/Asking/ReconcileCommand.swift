import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews
import ProviderKit

extension Entry {
    static let reconcile = Entry(
        .settle,
        Command(
            "reconcile", "Ask the provider for the outcome of sessions",
            discussion: """
                Contacts the providers of the sessions with the API keys of --config, and records \
                what they answer as verified evidence. An answer in doubt (unknown, asked too \
                often, another session, cut off) decides nothing and is never read as failed. \
                Requests are repeated with growing pauses, and Retry-After is obeyed.

                PayPal leaves it to the merchant to take the money of an approved order. --capture \
                does that for every session asked about that waits for it, if the approved amount \
                is the one asked for. Doing it again takes nothing twice. Without --capture no \
                money is ever moved.

                Exit code 5 when sessions remain without an outcome, 4 when all that remain lack \
                credentials.
                """,
            arguments: [
                Argument("session", .text, .any, "A session's id, or an unambiguous beginning")
            ],
            options: [
                .flag("all", "Every session that was shown and has no outcome"),
                .value(
                    "older-than", .span, default: "0s",
                    "With --all: only sessions opened at least this long ago"),
                .value(
                    "provider", .choice(Context.providerNames), placeholder: "PROVIDER",
                    "With --all: only sessions of one provider"),
                .value("limit", .integer(1...Int.max), "With --all: ask about N sessions at most"),
                .flag("dry-run", "Show what would be asked; send and record nothing"),
                .flag("capture", "Take the money of approved orders that wait for it; moves money"),
                .format,
            ],
            examples: [
                Example("reconcile --all --older-than 15min", "What webhooks have not told by now"),
                Example("reconcile cks_1 --dry-run", "Which URL would be asked"),
            ])
    ) { context in
        let command = context.command
        let names = command.words("session")
        guard command.has("all") != !names.isEmpty else {
            throw command.usageError(
                names.isEmpty
                    ? "Name sessions, or give --all." : "Name sessions or give --all, not both.",
                about: names.isEmpty ? "session" : "all")
        }
        var list = try ReconcileList(context)
        guard let configuration = try context.configuration() else {
            throw ReconcileList.noConfiguration
        }
        let isDryRun = command.has("dry-run")
        let ledger = try context.ledger(writing: !isDryRun)
        let (transport, worker) = context.transport(configuration.network)
        var options = Reconciler<LMDBStore>.Options()
        options.isDryRun = isDryRun
        options.completesApproved = command.has("capture")
        let reconciler = Reconciler(
            ledger: ledger, configuration: configuration, transport: transport, options: options,
            now: { context.now }, isStopped: { Interrupt.isRequested })
        try await context.interruptible(worker) {
            if names.isEmpty {
                let provider = command.value("provider")
                try await reconciler.reconcileAll(
                    asOf: context.now, olderThan: command.microseconds("older-than") ?? 0,
                    where: { provider == nil || $0.scope.provider.rawValue == provider },
                    limit: command.integer("limit") ?? .max
                ) { list.add($0) }
            } else {
                var sessions: [Session] = []
                for name in names { sessions.append(try context.session(name, in: ledger)) }
                try await reconciler.reconcile(sessions) { list.add($0) }
            }
        }
        return try list.finish()
    }
}

let reconcileShape = RowShape(
    title: "reconcile",
    members: [
        ("session", "the session's id"),
        ("provider", "whose checkout it is"),
        ("account", "your name for the account; empty for the only one"),
        ("result", "resolved, pending, unclear, review, not_asked, would_ask"),
        ("reason", "a stable word for why it is not resolved, or null"),
        ("outcome", "what is held true now, or null"),
        ("evidence", "verified or operator, or null without an outcome"),
        ("amount", "what was paid, else asked for: {minorUnits, currency}, or null"),
        ("url", "what was asked last, or null; no secret is in it"),
        ("hint", "what to do, or null"),
    ])

/// The rows of `reconcile` with what they come to.
private struct ReconcileList {
    private let context: Context
    private var list: Listing
    private var failure: OutputError?
    private var counts: [String: Int] = [:]
    private var hints: [String] = []
    private var credentials = 0

    static let noConfiguration = ConfigurationMissing()

    init(_ context: Context) throws {
        self.context = context
        list = try Listing(
            context, reconcileShape,
            [
                Column("SESSION", shrinks: true), Column("PROVIDER"), Column("RESULT"),
                Column("AMOUNT", .trailing), Column("DETAIL", shrinks: true),
            ])
    }

    mutating func add(_ result: ReconcileResult) {
        guard failure == nil else { return }
        let row = ReconcileRow(result)
        counts[row.word, default: 0] += 1
        if result.obstacle?.isAboutCredentials == true { credentials += 1 }
        if let hint = result.obstacle?.hint, !hints.contains(hint) { hints.append(hint) }
        do throws(OutputError) {
            try list.add(json: row.write, cells: row.cells)
            try list.flush()
        } catch {
            failure = error
        }
    }

    mutating func finish() throws -> ExitCode {
        if let failure { throw failure }
        try list.finish()
        try context.remark(summary)
        if !context.isQuiet, !context.isJSON {
            for hint in hints { context.errors.say("Hint: \(hint)") }
        }
        let resolved = (counts["resolved"] ?? 0) + (counts["would_ask"] ?? 0)
        if list.count == resolved { return .done }
        return credentials == list.count - resolved ? .credentials : .unresolved
    }

    private var summary: String {
        guard list.count > 0 else { return "No session waits for an outcome." }
        let words: [(word: String, sentence: String)] = [
            ("resolved", "resolved"), ("pending", "pending"), ("unclear", "unclear"),
            ("review", "to review"), ("not_asked", "could not be asked"),
            ("would_ask", "would be asked; nothing was sent"),
        ]
        let parts = words.compactMap { word, sentence in
            counts[word].map { "\(Wording.grouped($0)) \(sentence)" }
        }
        return parts.joined(separator: ", ") + "."
    }
}

/// No provider can be asked without a configuration.
struct ConfigurationMissing: Error {
    let complaint = Complaint(
        code: "NO_CONFIGURATION", message: "There are no accounts to ask with.",
        hint: "Name them in a file and give it with --config; see: \(Program.name) help config")
}

private struct ReconcileRow {
    let result: ReconcileResult

    init(_ result: ReconcileResult) { self.result = result }

    private var session: Session { result.session }

    var word: String {
        switch result.ending {
        case .resolved: "resolved"
        case .pending: "pending"
        case .unclear: "unclear"
        case .needsReview: "review"
        case .notAsked: "not_asked"
        case .wouldAsk: "would_ask"
        }
    }

    private var reason: String? {
        switch result.ending {
        case .resolved, .pending, .wouldAsk: nil
        case .unclear(let reason): reason.rawValue
        case .needsReview(let codes): codes.first?.rawValue ?? "needs_review"
        case .notAsked(let obstacle): obstacle.code
        }
    }

    private var hint: String? {
        switch result.ending {
        case .resolved, .wouldAsk: nil
        case .pending where result.awaitsCompletion:
            "\(Program.name) reconcile \(session.name) --capture"
        case .pending, .unclear: "Ask again later."
        case .needsReview: "\(Program.name) timeline \(session.name)"
        case .notAsked(let obstacle): obstacle.hint
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.field("session", session.name)
        writer.field("provider", session.scope.provider.rawValue)
        writer.field("account", session.scope.account)
        writer.field("result", word)
        writer.field("reason", reason)
        writer.field("outcome", session.outcome?.status.name)
        writer.field("evidence", session.outcome?.evidence.name)
        writer.field("amount", session.state.evidence.amount)
        writer.field("url", result.url)
        writer.field("hint", hint)
    }

    func cells() -> [Cell] {
        let shown: Cell =
            switch result.ending {
            case .resolved(let outcome): Cell(outcome.status.name, outcome.status.tone)
            case .pending, .unclear: Cell(word, .caution)
            case .needsReview: Cell(word, .bad)
            case .notAsked: Cell("not asked", .bad)
            case .wouldAsk: Cell("would ask")
            }
        return [
            Cell(session.name), Cell("\(session.scope)"), shown,
            Cell(session.state.evidence.amount), Cell(result.detail),
        ]
    }
}
