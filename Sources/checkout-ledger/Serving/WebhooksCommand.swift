import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Entry {
    static let webhooks = Entry(
        .look,
        Command(
            "webhooks", "List, show or explain stored webhooks",
            verbs: [
                Command(
                    "list", "List webhooks as they arrived",
                    discussion: """
                        One row an arrival, refused ones among them. A repeated arrival of the \
                        same webhook adds nothing to the ledger and so has no row.
                        """,
                    options: [
                        .value(
                            "provider", .text, placeholder: "NAME",
                            "Only webhooks of one provider"),
                        .value(
                            "verdict", .choice(StoredDelivery.Verdict.allCases.map(\.rawValue)),
                            repeats: true, "What became of it"),
                        .limit, .format,
                    ],
                    examples: [Example("webhooks --verdict refused", "What was not believed")]),
                Command(
                    "show", "Show one webhook",
                    arguments: [Argument("delivery", .text, .one, deliveryHelp)],
                    options: [.flag("private", "Open its headers and body")],
                    examples: [Example("webhooks show dlv_01JB --private", "With its bytes")]),
                ExplainedDelivery.command,
            ], default: "list"),
        verbs: [
            ["list"]: listWebhooks, ["show"]: showWebhook, ["explain"]: ExplainedDelivery.run,
        ])
}

let deliveryHelp = "The provider's id of it, a beginning of that, or its place such as @318"

let webhookShape = RowShape(
    title: "webhooks",
    members: [
        ("position", "place in the whole log, from 0"),
        ("recordedAt", "when it was written down here"),
        ("provider", "who sent it, or seemed to"),
        ("account", "your name for the account; empty for the only one"),
        ("delivery", "the provider's id of it, or null for refused ones"),
        ("verdict", "ok, unknown, quarantined, conflicting or refused"),
        ("reason", "why it was not applied, or null"),
        ("type", "the provider's own word for it, or null"),
        ("session", "the checkout it led to, or null"),
        ("redacted", "true when something was masked before it was stored"),
    ])

extension StoredDelivery {
    func write(to writer: inout JSONWriter) {
        let event = recorded.event
        writer.field("position", recorded.position)
        writer.field("recordedAt", recorded.recordedAt.iso8601)
        writer.field("provider", event.provider.rawValue)
        writer.field("account", event.account)
        writer.field("delivery", event.deliveryID)
        writer.field("verdict", verdict.rawValue)
        writer.field("reason", event.reason)
        writer.field("type", event.rawType)
        writer.field("session", event.ids.display)
        writer.field("redacted", recorded.flags.contains(.redacted))
    }

    fileprivate func cells(_ context: Context) -> [Cell] {
        let event = recorded.event
        return [
            Cell("@\(recorded.position)", .dim), context.time(recorded.recordedAt),
            Cell(event.provider.rawValue), Cell(verdict.rawValue, verdict.tone),
            event.rawType.map { Cell($0) } ?? .none, event.deliveryID.map { Cell($0) } ?? .none,
            event.ids.display.map { Cell($0) } ?? .none, Cell(event.reason ?? "", .dim),
        ]
    }
}

private let listWebhooks: Handler = { context in
    var list = try Listing(
        context, webhookShape,
        [
            Column("PLACE", .trailing), context.timeColumn("RECORDED"), Column("PROVIDER"),
            Column("VERDICT"), Column("TYPE"), Column("DELIVERY", shrinks: true),
            Column("SESSION", shrinks: true), Column("WHY", shrinks: true),
        ])
    let command = context.command
    let verdicts = Set(command.values("verdict").compactMap(StoredDelivery.Verdict.init))
    let limit = command.integer("limit") ?? .max
    var query = AuditQuery()
    query.types = StoredDelivery.types
    query.providers = command.value("provider").map { [.init(rawValue: $0)] } ?? []
    let ledger = try context.ledger()
    var pages = EventPages(query)
    while list.count < limit, !Interrupt.isRequested, case let events = try pages.page(of: ledger),
        !events.isEmpty
    {
        for delivery in events.compactMap(StoredDelivery.init) where list.count < limit {
            guard verdicts.isEmpty || verdicts.contains(delivery.verdict) else { continue }
            try list.add(json: delivery.write) { delivery.cells(context) }
        }
    }
    try list.finish()
    try context.remark(
        list.count == 0 ? "No webhooks." : Wording.count(list.count, "webhook") + ".")
    return .done
}

let webhookDetailShape = webhookShape.adding(
    "webhooks show",
    [
        ("scheme", "how it was signed, or null"),
        ("keyFingerprint", "names the key that verified it, without showing it; or null"),
        ("means", "the types of the events that were read from it"),
        ("private", "with --private: headers and body, key_missing or tampered"),
    ])

private let showWebhook: Handler = { context in
    let selection = try context.selection(of: webhookDetailShape)
    let ledger = try context.ledger()
    let delivery = try context.storedDelivery(context.command.argument("delivery"), in: ledger)
    let meanings = try delivery.meanings(in: ledger)
    let verification = delivery.recorded.event.verification
    let sealed =
        context.command.has("private") ? try PrivateText(delivery.recorded, in: ledger) : nil
    if context.isJSON {
        var writer = JSONWriter(only: selection)
        writer.object {
            delivery.write(to: &$0)
            $0.field("scheme", verification?.scheme)
            $0.field("keyFingerprint", verification?.keyFingerprint)
            $0.field("means", meanings.map(\.event.type.name))
            if let sealed { $0.field("private", sealed) }
        }
        try context.output.line(&writer)
        return .done
    }
    let event = delivery.recorded.event
    var lines: [(name: String, value: String)] = [
        ("delivery", delivery.name), ("position", "\(delivery.recorded.position)"),
        ("recordedAt", delivery.recorded.recordedAt.iso8601), ("from", "\(delivery.scope)"),
        ("verdict", delivery.verdict.rawValue + (event.reason.map { ": \($0)" } ?? "")),
    ]
    if let type = event.rawType { lines.append(("type", type)) }
    if let session = event.ids.display { lines.append(("session", session)) }
    if let verification {
        lines.append(("signed", "\(verification.scheme), key \(verification.keyFingerprint)"))
    }
    for meaning in meanings {
        lines.append(("means", "\(meaning.event.line) (event \(meaning.position))"))
    }
    try context.writeFields(lines + (sealed?.fields ?? []))
    if sealed == nil, delivery.recorded.hasSealedFields {
        try context.remark("Headers and body are sealed; --private opens them.")
    }
    return .done
}
