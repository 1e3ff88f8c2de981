import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LMDB
import LedgerViews

extension Entry {
    static let stats = Entry(
        .look,
        Command(
            "stats", "Show sizes, counts and control totals",
            discussion: """
                Counts every event by type and provider, and adds up every session's money by \
                currency, each payment and each refund once. Reads the whole log.
                """,
            examples: [
                Example("stats", "Everything"),
                Example("stats --json=totals", "The control totals alone"),
            ])
    ) { context in
        let selection = try context.selection(of: statsShape)
        let ledger = try context.ledger()
        let statistics = try LedgerStatistics(ledger, context)
        if context.isJSON {
            var writer = JSONWriter(only: selection)
            writer.object(statistics.write)
            try context.output.line(&writer)
        } else {
            try context.writeFields(statistics.lines)
        }
        return .done
    }
}

let statsShape = RowShape(
    title: "stats",
    members: [
        ("events", "how many events there are"),
        ("sessions", "how many checkouts they make"),
        ("streams", "how many streams they stand in"),
        ("oldest", "when the first event was recorded, or null"),
        ("newest", "when the last event was recorded, or null"),
        ("foldedTo", "events before this position are in the projections' rows"),
        ("dataBytes", "bytes of the data file"),
        ("freeBytes", "bytes of it that hold nothing and are used again"),
        ("mapBytes", "address space reserved for it; no file size"),
        ("tables", "rows of each table, by name"),
        ("types", "events of each type, by name"),
        ("providers", "events of each provider, by name"),
        ("totals", "{currency, paid, refunded, sessions} in minor units, by currency"),
        ("notComparable", "sessions whose amounts cannot be added up, left out of the totals"),
    ])

/// What was paid and refunded in one currency.
private struct ControlTotal {
    var paid = ExactSum()
    var refunded = ExactSum()
    var sessions = 0
}

private struct LedgerStatistics {
    let log: LogStatistics
    let storage: EnvironmentStatistics
    var types: [String: Int] = [:]
    var providers: [String: Int] = [:]
    var totals: [Currency: ControlTotal] = [:]
    var sessions = 0
    var notComparable = 0

    init(_ ledger: Ledger<LMDBStore>, _ context: Context) throws {
        log = try ledger.log.read { try $0.statistics() }
        storage = try context.inLedgerWords { () throws(LogError) in
            try ledger.log.storageStatistics()
        }
        var pages = EventPages(AuditQuery())
        let line = ProgressLine("Counting", context, of: log.events)
        while case let events = try pages.page(of: ledger), !events.isEmpty {
            for event in events {
                types[event.event.type.name, default: 0] += 1
                providers[event.event.provider.rawValue, default: 0] += 1
            }
            line.update(LogProgress(done: pages.next, total: log.events))
        }
        line.finish("Counted \(Wording.count(Int(clamping: log.events), "event")).")
        try ledger.forEachSession { (session) throws(LedgerError) in
            sessions += 1
            add(session.state.evidence)
            return .more
        }
    }

    private mutating func add(_ evidence: SessionEvidence) {
        let paid = evidence.paid
        let refunded = evidence.refunded
        guard paid.isExact, refunded.isExact else {
            notComparable += 1
            return
        }
        if let total = paid.total {
            totals[total.currency, default: ControlTotal()].paid.add(total)
            totals[total.currency]?.sessions += 1
        }
        if let total = refunded.total {
            totals[total.currency, default: ControlTotal()].refunded.add(total)
        }
    }

    private var usedBytes: Int { storage.usedPages * storage.pageBytes }
    private var freeBytes: Int { storage.freePages * storage.pageBytes }
    private var oldest: Instant? { log.firstRecordedAt.map(Instant.init(microseconds:)) }
    private var newest: Instant? { log.lastRecordedAt.map(Instant.init(microseconds:)) }

    func write(to writer: inout JSONWriter) {
        writer.field("events", log.events)
        writer.field("sessions", sessions)
        writer.field("streams", log.streams)
        writer.field("oldest", oldest?.iso8601)
        writer.field("newest", newest?.iso8601)
        writer.field("foldedTo", log.watermark)
        writer.field("dataBytes", usedBytes)
        writer.field("freeBytes", freeBytes)
        writer.field("mapBytes", storage.mapBytes)
        for (name, counts) in [
            ("tables", storage.entries), ("types", types), ("providers", providers),
        ] {
            writer.object(name) { object in
                for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
                    object.field(key, count)
                }
            }
        }
        writer.array("totals") { list in
            for (currency, total) in totals.sorted(by: { $0.key < $1.key }) {
                list.object {
                    $0.field("currency", currency.code)
                    // A sum beyond 64 bits is told as null, never cut.
                    $0.field("paid", total.paid.minorUnits)
                    $0.field("refunded", total.refunded.minorUnits)
                    $0.field("sessions", total.sessions)
                }
            }
        }
        writer.field("notComparable", notComparable)
    }

    var lines: [(name: String, value: String)] {
        var lines: [(String, String)] = [
            ("events", Wording.grouped(Int(clamping: log.events))),
            ("sessions", Wording.grouped(sessions)),
            ("streams", Wording.grouped(Int(clamping: log.streams))),
            ("oldest", oldest?.iso8601 ?? "none"),
            ("newest", newest?.iso8601 ?? "none"),
            ("data file", "\(Wording.bytes(usedBytes)), \(Wording.bytes(freeBytes)) of it free"),
            ("map", "\(Wording.bytes(storage.mapBytes)) reserved"),
        ]
        for (name, counts) in [
            ("table", storage.entries), ("type", types), ("provider", providers),
        ] {
            for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
                lines.append(("\(name) \(key)", Wording.grouped(count)))
            }
        }
        for (currency, total) in totals.sorted(by: { $0.key < $1.key }) {
            let refunded = total.refunded.total?.display ?? "nothing"
            lines.append(
                (
                    "total \(currency.code)",
                    "\(total.paid.total?.display ?? "nothing") paid in "
                        + "\(Wording.count(total.sessions, "session")), \(refunded) refunded"
                ))
        }
        if notComparable > 0 {
            lines.append(("not comparable", Wording.count(notComparable, "session")))
        }
        return lines
    }
}

extension ExactSum {
    /// The sum in minor units: 0 of nothing, nil when it cannot be held.
    fileprivate var minorUnits: Int64? { isExact ? total?.minorUnits ?? 0 : nil }
}
