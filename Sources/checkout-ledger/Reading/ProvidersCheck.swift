import AdapterChecks
import CheckoutModel
import CommandKit
import LedgerViews
import ProviderConformance
import ProviderKit

extension Command {
    static let providersCheck = Command(
        "check", "Hold the adapters to the contract that every adapter must keep",
        discussion: """
            Runs every check of the conformance kit against the adapters built in: which URLs open \
            a checkout (U), what returns say (R), whom webhooks come from (W), what events say \
            (E), asking and creating (Q), what holds for everything (X), and the order of events \
            (O). Nothing is sent and no ledger is opened. A number is how many checks of a group \
            held; 3/5 means that two of five failed, and - that none applies.

            With a provider's name, one row a check. Under --json, one finding a line, and no line \
            when everything held. Exits with 1 when there is a finding.
            """,
        arguments: [Argument("name", .text, .optional, "Check this provider's adapter only")],
        options: [.format],
        examples: [
            Example("providers check", "Every adapter, one row each"),
            Example("providers check stripe", "One adapter, check by check"),
            Example("providers check --json", "What is wrong, for a program"),
        ])
}

let providerFindingShape = RowShape(
    title: "providers check",
    members: [
        ("provider", "the adapter's short name"),
        ("code", "the check's stable name, such as PC-W07"),
        ("severity", "unsafe where the ledger could believe what is not true, else wrong"),
        ("meaning", "what every adapter must keep"),
        ("expected", "what the check wanted to see"),
        ("happened", "what the adapter did"),
        ("hint", "what to do about it"),
    ])

/// Runs the checks of one adapter, or of all.
func checkProviders(_ context: Context) throws -> ExitCode {
    let selection = try context.selection(of: providerFindingShape)
    let name = context.command.argument(ifAny: "name").map { ProviderID(rawValue: $0) }
    let registered = Adapters.descriptors.map(\.id)
    if let name, !registered.contains(name) {
        throw Complaint(
            code: "UNKNOWN_PROVIDER", message: "There is no adapter called \(name).",
            hint: "See the adapters of this program: \(Program.name) providers")
    }
    let reports = try (name.map { [$0] } ?? registered).map { provider in
        ProviderReport(provider: provider, report: try AdapterChecks.report(on: provider))
    }
    if context.isJSON {
        try write(reports.flatMap(\.findings), selection, on: context)
    } else if name != nil, let report = reports.first?.report {
        try writeChecks(report, on: context)
    } else {
        try writeTable(reports, on: context)
    }
    return reports.allSatisfy { $0.findings.isEmpty } ? .done : .failed
}

/// What is known of one adapter; without fixtures nothing is.
private struct ProviderReport {
    let provider: ProviderID
    let report: ConformanceReport?

    var findings: [(provider: ProviderID, finding: Finding)] {
        let found =
            report?.findings ?? [
                Finding(
                    code: "PC-X09", severity: .wrong, expected: "fixtures to check it with",
                    happened: "there are none",
                    hint: "Add its fixtures and vectors to AdapterChecks.")
            ]
        return found.map { (provider: provider, finding: $0) }
    }
}

private func writeTable(_ reports: [ProviderReport], on context: Context) throws {
    let groups = ConformanceCheck.Group.allCases
    let columns =
        [Column("PROVIDER")] + groups.map { Column($0.rawValue, .trailing) }
        + [Column("HELD", .trailing), Column("FINDINGS", .trailing)]
    var table = TableWriter(columns, format: context.tableFormat, on: context.output)
    for item in reports {
        let tallies = groups.map { group -> Cell in
            guard let tally = item.report?.tally(group), tally.held + tally.failed > 0 else {
                return .none
            }
            return tally.failed == 0
                ? Cell("\(tally.held)") : Cell("\(tally.held)/\(tally.held + tally.failed)", .bad)
        }
        let held = item.report?.results.count { $0.verdict == .held } ?? 0
        let findings = item.findings.count
        try table.add(
            [Cell(item.provider.rawValue)] + tallies
                + [Cell("\(held)"), Cell("\(findings)", findings == 0 ? .good : .bad)])
    }
    try table.finish()
    for (provider, finding) in reports.flatMap(\.findings) {
        try context.remark("\(provider): \(finding)")
    }
}

private func writeChecks(_ report: ConformanceReport, on context: Context) throws {
    let columns = [
        Column("CHECK"), Column("RESULT"), Column("LOOKS", .trailing),
        Column("WHAT HOLDS", shrinks: true),
    ]
    var table = TableWriter(columns, format: context.tableFormat, on: context.output)
    for result in report.results {
        let verdict =
            switch result.verdict {
            case .held: Cell("held", .good)
            case .failed: Cell("failed", .bad)
            case .notApplicable: Cell("not claimed", .dim)
            }
        let remark = result.reason.map { " (\($0))" } ?? ""
        try table.add([
            Cell(result.check.code), verdict, Cell("\(result.expectations)"),
            Cell(result.check.meaning + remark),
        ])
    }
    try table.finish()
    for finding in report.findings { try context.remark("\(finding)") }
}

private func write(
    _ findings: [(provider: ProviderID, finding: Finding)], _ selection: FieldSelection?,
    on context: Context
) throws {
    var writer = JSONWriter(only: selection)
    for (provider, finding) in findings {
        let check = ConformanceCheck.all.first { $0.code == finding.code }
        writer.object {
            $0.field("provider", provider.rawValue)
            $0.field("code", finding.code)
            $0.field("severity", finding.severity.rawValue)
            $0.field("meaning", check?.meaning)
            $0.field("expected", finding.expected)
            $0.field("happened", finding.happened)
            $0.field("hint", finding.hint)
        }
        try context.output.line(&writer)
    }
    try context.output.flush()
}
