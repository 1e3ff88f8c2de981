import CommandKit

/// A small program with every shape the tree knows.
let sampleTree = CommandTree(
    name: "ledger", version: "1.2.3", summary: "Record checkouts and say what is true",
    sections: [
        .init("START HERE", [Command("demo", "Show what it can do"), initCommand]),
        .init("LOOK", [sessionsCommand, timelineCommand, eventsCommand]),
        .init("MORE", [importCommand, .completions, .manual, .help]),
    ],
    globalOptions: [
        .value("ledger", .path, "Use the ledger in this folder"),
        .optionalValue("json", .text, placeholder: "FIELDS", "Print JSON, one object a line"),
    ] + Option.standard,
    topics: [HelpTopic("exit-codes", "What the numbers mean", text: "0  done\n1  failed")],
    examples: [Example("demo", "See it work")])

private let initCommand = Command(
    "init", "Create an empty ledger", arguments: [Argument("folder", .path, .optional, "Where")])

private let sessionsCommand = Command(
    "sessions", "List or show checkout sessions",
    verbs: [
        Command(
            "list", "List sessions",
            options: [
                .value(
                    "status", .choice(["succeeded", "failed", "pending"]), repeats: true,
                    "Only these"),
                .value("limit", short: "n", .integer(1...1_000), default: "50", "At most so many"),
            ], examples: [Example("sessions list --status pending", "What is still open")]),
        Command(
            "show", "Show one session",
            arguments: [Argument("session", .text, .one, "Its id or the first letters of it")]),
    ], default: "list")

private let timelineCommand = Command(
    "timeline", "Tell one session's story in order",
    discussion:
        "Every voice is shown in the order it was heard. A voice that came late is\nmarked, "
        + "and so is one that changed nothing.\n\nNothing is asked of a provider.",
    arguments: [Argument("session", .text, .one, "Its id or the first letters of it")],
    options: [.flag("raw", "Show stored bytes")])

private let eventsCommand = Command(
    "events", "List stored events",
    options: [
        .value("after", .moment, "From here on"),
        .value("at", .position, "This one"),
        .value("older-than", .span, "Only what is older"),
        .value("reason", .text, isRequired: true, "Why you look"),
        .value("type", short: "t", .text, placeholder: "TYPE", repeats: true, "Only this type"),
    ])

private let importCommand = Command(
    "import", "Read events from files",
    arguments: [Argument("file", .stream, .oneOrMore, "A file, or - for standard input")])
