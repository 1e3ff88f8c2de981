import CommandKit

/// What runs a command; its exit code is the program's.
typealias Handler = @Sendable (Context) async throws -> ExitCode

/// One command with what runs it.
///
/// Files beside this one declare one each.
struct Entry: Sendable {
    let section: SectionTitle
    let command: Command
    /// By the words behind the program's name; a command without verbs has one.
    let handlers: [[String]: Handler]

    /// A command without verbs.
    init(_ section: SectionTitle, _ command: Command, _ handler: @escaping Handler) {
        self.init(section, command, verbs: [[]: handler])
    }

    /// A noun with verbs; handlers by the words behind the noun.
    init(_ section: SectionTitle, _ command: Command, verbs: [[String]: Handler]) {
        self.section = section
        self.command = command
        var handlers: [[String]: Handler] = [:]
        for (verb, handler) in verbs { handlers[[command.name] + verb] = handler }
        self.handlers = handlers
    }
}

/// Headings of the overview, in its order.
enum SectionTitle: String, Sendable, CaseIterable {
    case start = "START HERE"
    case receive = "RECORD"
    case look = "LOOK"
    case settle = "SETTLE DOUBTS"
    case prove = "PROVE"
    case care = "LOOK AFTER"
    case more = "MORE"
}

/// Every command of the program: adding one is a file beside this and a line here.
enum CommandTable {
    static let entries: [Entry] = [
        .demo, .initialise,
        .serve, .listen, .trigger, .resend, .record, .checkout, .handleURL, .reconcile, .resolve,
        .note, .explain,
        .sessions, .timeline, .abandoned, .outcomes, .discrepancies, .events, .webhooks, .asOf,
        .stats, .verify, .seal, .prove, .proveGrowth, .verifyProof, .verifyGrowth, .verifyExport,
        .witness, .keys, .audit, .replay, .doctor, .providers, .export, .importing, .backup,
        .recover, .privacy,
    ]

    static let tree = CommandTree(
        name: "checkout-ledger", version: Program.version,
        summary: "Records what every voice says about a hosted checkout, and what is true",
        sections: SectionTitle.allCases.map { title in
            let own = entries.filter { $0.section == title }.map(\.command)
            return .init(
                title.rawValue, title == .more ? own + [.help, .completions, .manual] : own)
        },
        globalOptions: [
            .value(
                "ledger", .path, placeholder: "DIR",
                "The ledger's directory; else CHECKOUT_LEDGER_PATH, else ./.checkout-ledger"),
            .value(
                "root-key", .path, placeholder: "FILE",
                "The root key's file, or credential:NAME; else CHECKOUT_LEDGER_ROOT_KEY, else the "
                    + "configuration, else the state directory"),
            .config,
            .optionalValue(
                "json", .text, placeholder: "FIELDS",
                "Print JSON, one object a line; only these fields if named, ? lists them"),
        ] + Option.standard, topics: HelpTopics.all)

    static func handler(_ path: [String]) -> Handler {
        for entry in entries {
            if let handler = entry.handlers[path] { return handler }
        }
        preconditionFailure("no handler for \(path)")
    }
}
