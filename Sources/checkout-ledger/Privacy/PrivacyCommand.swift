import CheckoutLedger
import CheckoutModel
import CommandKit

extension Entry {
    static let privacy = Entry(
        .care,
        Command(
            "privacy", "Erase, hold and find private fields",
            discussion: """
                Names, addresses, raw webhooks, return URLs and licence keys are sealed under keys \
                of their own session. Erasing destroys those keys: the log, its order, its hashes \
                and every outcome stay. What an erasure reaches, and what it cannot, a receipt \
                says. See 'help erasing'.
                """,
            verbs: [erase, status, receipt, rotate, sweep, hold, link, find]),
        verbs: [
            ["erase"]: runErase, ["status"]: runStatus, ["receipt"]: runReceipt,
            ["rotate"]: runRotate, ["sweep"]: runSweep, ["hold"]: runHold, ["link"]: runLink,
            ["find"]: runFind,
        ])

    private static let subject = Argument(
        "subject", .text, .one, "A session, by any of its ids; with --customer a customer's id")

    private static let customer = Option.flag(
        "customer", "The subject is a customer: the provider's id, or provider/id")

    private static let reason = Option.value(
        "reason", .text, "Why, in one sentence that names nobody; it stays in the log")

    private static let actor = Option.value(
        "actor", .text, placeholder: "NAME", "Who ordered it: a role or a name")

    private static let classes = Option.value(
        "class", .choice(PrivateClass.allCases.map(\.name)), repeats: true,
        "Only these fields: contact, commercial; else both")

    private static let dryRun = Option.flag("dry-run", "Say what would be done, and do nothing")

    private static let yes = Option.flag("yes", "Do it; nothing can bring the fields back")

    private static let erase = Command(
        "erase", "Destroy the keys of a subject's private fields",
        discussion: """
            Writes request and receipt into the log. What comes later about the same checkout \
            keeps its header alone. Erasing again changes nothing. A subject under a legal hold is \
            refused. With --keys-only the keystore is not written anew at once: 'privacy rotate' \
            then makes any number of erasures final together.
            """,
        arguments: [subject],
        options: [
            customer, classes, reason, actor,
            .value(
                "ground", .text, placeholder: "WORD",
                "Why it may be done, in a word (else request)"),
            .value(
                "copy", .text, placeholder: "NAME[=DATE]", repeats: true,
                "A copy elsewhere that still has the keys, and until when; goes into the receipt"),
            .flag("keys-only", "Remove the keys now, make it final by a later rotation"),
            dryRun, yes,
        ],
        examples: [
            Example("privacy erase cks_7Qm --dry-run", "What would be destroyed"),
            Example(
                "privacy erase dodo/cus_1 --customer --yes --reason 'Asked by letter'",
                "Every checkout of a customer"),
        ])

    private static let status = Command(
        "status", "List requests for erasure, their receipts, and holds",
        discussion: """
            Ends with exit code 5 while a request has no receipt, or keys are here again that a \
            receipt says were destroyed. With --fields every sealed field is opened and counted \
            as readable, erased, without a key, or tampered with; a missing key is exit code 5, \
            tampering 3.
            """,
        options: [
            .flag("fields", "Open every sealed field, and count what became of each"), .format,
        ],
        examples: [Example("privacy status --json", "One object a request")])

    private static let receipt = Command(
        "receipt", "Show the receipt of an erasure, or write its record into a file",
        arguments: [Argument("request", .text, .one, "The request, or a beginning of its name")],
        options: [
            .value(
                "out", .path, placeholder: "FILE",
                "Write the record, and its proof beside it; further parts get .2, .3"
            )
        ],
        examples: [Example("privacy receipt 3f2a --out receipt.bin", "For the regulator's file")])

    private static let rotate = Command(
        "rotate", "Replace all keys that wrap others, the root key too where it can be",
        discussion: """
            Goes on while others record. No older copy of the keystore opens with the new root \
            key. A root key in a file is replaced there; one from a credential or a command is \
            replaced by its owner, who first adds the new one as a second line.
            """,
        options: [reason, actor, yes],
        examples: [Example("privacy rotate --yes", "Weekly, after erasures with --keys-only")])

    private static let sweep = Command(
        "sweep", "Destroy the keys of sessions that are past their time",
        discussion: """
            How long each class is kept stands in the configuration or is given here; without \
            either nothing expires. Sessions under a legal hold stay. Destroys again what a \
            restored copy of the keystore has brought back.
            """,
        options: [
            .value(
                "contact", .span, placeholder: "SPAN", "Keep contact fields so long, such as 400d"),
            .value("commercial", .span, placeholder: "SPAN", "Keep commercial fields so long"),
            reason, actor, dryRun, yes,
        ],
        examples: [Example("privacy sweep --contact 400d --dry-run", "What is past its time")])

    private static let hold = Command(
        "hold", "Forbid to destroy a subject's keys, or end that",
        arguments: [subject],
        options: [customer, reason, actor, .flag("release", "End the hold")],
        examples: [
            Example("privacy hold cks_7Qm --reason 'Court file 12/26'", "Keep it"),
            Example("privacy hold cks_7Qm --release --reason 'File closed'", "Let it go"),
        ])

    private static let link = Command(
        "link", "Note that a session is a customer's, where no webhook said so",
        arguments: [
            Argument("session", .text, .one, "Any id of the session"),
            Argument("customer", .text, .one, "The provider's id of the customer"),
        ],
        options: [reason, actor],
        examples: [
            Example("privacy link cks_7Qm cus_1 --reason 'Said on the phone'", "Identify it")
        ])

    private static let find = Command(
        "find", "List the sessions in which a customer's e-mail address was heard",
        discussion: """
            Looks in the sealed fields whose keys exist. The first search opens all of them and \
            keeps an index in the keystore; erasing a key removes its entries.
            """,
        arguments: [Argument("address", .text, .one, "The e-mail address")],
        options: [.format],
        examples: [Example("privacy find mira@mail.example", "Before answering a person")])
}

extension Context {
    /// Whom the words name.
    var erasureTarget: ErasureTarget {
        let subject = command.argument("subject")
        return command.has("customer") ? .customer(subject) : .session(subject)
    }

    /// The classes that are named, else all.
    var erasureClasses: PrivateClasses {
        let named = command.values("class").compactMap { PrivateClass(name: $0) }
        return named.isEmpty ? .all : PrivateClasses(named.map { PrivateClasses($0) })
    }

    /// Refuses what destroys unless it was confirmed.
    func requireConfirmation() throws {
        guard !command.has("yes") else { return }
        throw command.usageError(
            "Nothing can bring destroyed keys back; add --yes, or --dry-run to look first.",
            about: "yes")
    }
}
