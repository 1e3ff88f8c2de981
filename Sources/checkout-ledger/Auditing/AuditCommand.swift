import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import LedgerViews

extension Entry {
    static let audit = Entry(
        .prove,
        Command(
            "audit", "Answer auditors' questions, and export events with a manifest",
            discussion: """
                Each report is one question of an auditor's, answered from the log. What is read \
                here is itself recorded: who, when, which report, which conditions, and why.
                """,
            verbs: [AuditListing.command, AuditReading.command, AuditExporting.command],
            default: "list"),
        verbs: [
            ["list"]: AuditListing.run, ["run"]: AuditReading.run, ["export"]: AuditExporting.run,
        ])
}

/// `audit list`: the reports there are.
enum AuditListing {
    static let command = Command(
        "list", "List the reports and the questions that they answer", options: [.format],
        examples: [Example("audit list", "Every report")])

    static let shape = RowShape(
        title: "audit list",
        members: [
            ("report", "the name that audit run takes"), ("title", "a few words"),
            ("question", "what it answers"),
        ])

    static let run: Handler = { context in
        var list = try Listing(
            context, shape, [Column("REPORT"), Column("TITLE"), Column("QUESTION", shrinks: true)])
        for report in AuditReport.all {
            try list.add {
                $0.field("report", report.id)
                $0.field("title", report.title)
                $0.field("question", report.question)
            } cells: {
                [Cell(report.id), Cell(report.title), Cell(report.question, .dim)]
            }
        }
        try list.finish()
        return .done
    }
}

/// `audit run Q5`: one report.
enum AuditReading {
    /// The words of `--format`.
    enum Format: String, CaseIterable {
        case table, plain, csv, json
    }

    static let command = Command(
        "run", "Answer one report",
        discussion: """
            Says what it covered: positions, times, how many rows; an empty answer says so in a \
            sentence. Reading is recorded as an event, with the machine's user unless --by names \
            somebody else.
            """,
        arguments: [
            Argument(
                "report", .choice(AuditReport.all.map(\.id)), .one, "The report, such as Q5")
        ],
        options: conditions + [
            .value("actor", .text, placeholder: "NAME", "Only what this person or role did"),
            .value(
                "format", .choice(Format.allCases.map(\.rawValue)),
                "Choose the form of rows (else a table on a terminal, plain elsewhere)"),
        ] + AuditReader.options,
        examples: [
            Example("audit run Q5 --since 30d", "Outcomes that were turned round last month"),
            Example(
                "audit run Q1 --session cks_7Qm --format csv", "One checkout, for a spreadsheet"),
        ])

    static let conditions: [Option] = [
        .value(
            "session", .text, placeholder: "NAME", "One session, by any of its ids, or an order"),
        .value("since", .moment, "Recorded at or after: a time or an age such as 2h"),
        .value("until", .moment, "Recorded before: a time or an age"),
    ]

    static let run: Handler = { context in
        let command = context.command
        guard let report = AuditReport.named(command.argument("report")) else {
            throw command.usageError("There is no such report.", about: "report")
        }
        let scope = try context.auditScope()
        let reader = try AuditReader(context)
        var rows = try AuditRows(report, context)
        var failure: (any Error)?
        let coverage = try reader.ledger.audit(report, scope) { (values) throws(LedgerError) in
            if failure != nil || Interrupt.isRequested { return }
            do { try rows.add(values) } catch { failure = error }
        }
        let note = AuditNote(
            subject: report.id, query: scope.words, positions: coverage.positions,
            count: UInt64(coverage.rows), result: failure == nil ? "read" : "broken off")
        let isRecorded = try await reader.record(.auditRead, note)
        if let failure { throw failure }
        try rows.finish(coverage, scope)
        if !isRecorded { reader.tellNotRecorded() }
        return Interrupt.isRequested ? .interrupted : .done
    }
}

extension Context {
    /// `--session`, `--since`, `--until` and `--actor`, which will stand in the record of the
    /// reading: too long for that is too long to be asked.
    func auditScope() throws -> AuditScope {
        var scope = AuditScope(now: now)
        scope.session = command.value("session")
        scope.since = try auditInstant("since")
        scope.until = try auditInstant("until")
        scope.actor = command.value("actor")
        let length = scope.words.utf8.count
        guard length <= Limits.reasonBytes else {
            throw LedgerError(
                .tooLong, "The conditions have \(length) bytes, at most \(Limits.reasonBytes).",
                hint: "Shorten them; nothing was read.")
        }
        return scope
    }

    private func auditInstant(_ name: String) throws -> Instant? {
        switch command.moment(name) {
        case .time(let time): return Instant(microseconds: time)
        case .ago(let span): return before(span)
        case .position:
            throw command.usageError("--\(name) takes a time or an age here.", about: name)
        case .none: return nil
        }
    }
}

/// The rows of a report in the form that is wanted, and what they covered.
struct AuditRows {
    private let report: AuditReport
    private let context: Context
    private let isJSON: Bool
    private var table: TableWriter
    private var writer: JSONWriter

    init(_ report: AuditReport, _ context: Context) throws {
        self.report = report
        self.context = context
        let format = context.command.choice("format", as: AuditReading.Format.self)
        isJSON = context.isJSON || format == .json
        let shape = RowShape(title: report.id, members: report.columns.map { ($0, "") })
        writer = JSONWriter(only: try context.selection(of: shape))
        let isTerminal = context.output.terminal.isTerminal
        let tableFormat: TableWriter.Format =
            switch format {
            case .table: .table
            case .csv: .csv
            case .plain, .json: .plain
            case nil: isTerminal ? .table : .plain
            }
        table = TableWriter(
            report.columns.map { Column($0, shrinks: true) }, format: tableFormat,
            on: context.output)
    }

    mutating func add(_ values: [AuditValue]) throws(OutputError) {
        guard isJSON else { return try table.add(values.map { Cell($0.text) }) }
        writer.object { object in
            for (name, value) in zip(report.columns, values) {
                switch value {
                case .none: object.field(name, String?.none)
                case .text(let text): object.field(name, text)
                case .integer(let number): object.field(name, number)
                case .time(let instant): object.field(name, instant.iso8601)
                }
            }
        }
        try context.output.line(&writer)
    }

    /// Ends the rows; under JSON the last line is the coverage.
    mutating func finish(_ coverage: AuditCoverage, _ scope: AuditScope) throws {
        guard isJSON else {
            try table.finish()
            return try say(coverage, scope)
        }
        var last = JSONWriter(only: nil)
        last.object {
            $0.field("report", report.id)
            $0.field("question", report.question)
            $0.field("conditions", scope.words)
            $0.field("firstPosition", coverage.positions.lowerBound)
            $0.field("endPosition", coverage.positions.upperBound)
            $0.field("first", coverage.first?.iso8601)
            $0.field("last", coverage.last?.iso8601)
            $0.field("rows", coverage.rows)
            $0.field("says", coverage.rows == 0 ? report.nothingFound : nil)
        }
        try context.output.line(&last)
        try context.output.flush()
    }

    private func say(_ coverage: AuditCoverage, _ scope: AuditScope) throws(OutputError) {
        if coverage.rows == 0 { try context.remark(report.nothingFound) }
        let count = Wording.count(coverage.rows, "row")
        guard !coverage.positions.isEmpty else {
            return try context.remark("\(report.id): \(count); no event lies in that time.")
        }
        let conditions = scope.words.isEmpty ? "" : " (\(scope.words))"
        let times = [coverage.first, coverage.last].map { $0?.iso8601 ?? "an unreadable event" }
        try context.remark(
            "\(report.id)\(conditions): \(count) of positions \(coverage.positions.lowerBound) to "
                + "\(coverage.positions.upperBound - 1), \(times[0]) to \(times[1]).")
    }
}
