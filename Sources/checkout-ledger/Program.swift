import CheckoutLedger
import CommandKit
import EventLog
import ProviderKit

/// From the words on the command line to an exit code.
enum Program {
    /// The version that `--version` prints.
    static let version = "0.1.0"

    /// What a person types to run this program, for suggestions.
    static let name = ProcessArguments.name(
        else: "checkout-ledger", variable: "CHECKOUT_LEDGER_CALLED_AS")

    static func run() async {
        // A core dump would hold keys.
        CoreDumps.disable()
        Output.ignoreBrokenPipes()
        Interrupt.watch()
        let words = ProcessArguments.words()
        var tree = CommandTable.tree
        tree.name = name
        let code: ExitCode
        do throws(UsageError) {
            switch try tree.parse(bytes: words) {
            case .show(let page): code = show(tree.text(of: page))
            case .run(let command): code = await run(command)
            }
        } catch {
            code = refuse(error, asJSON: tree.asksForJSON(words))
        }
        code.exit()
    }

    private static func show(_ page: String) -> ExitCode {
        let output = Output.standardOutput()
        do throws(OutputError) {
            try output.write(page)
            try output.flush()
            return .done
        } catch {
            guard case .failed(let reason) = error else { return .done }
            let errors = Output.standardError()
            try? errors.write(Complaint.outputFailed(reason).text(style: errors.terminal.style))
            try? errors.flush()
            return .failed
        }
    }

    private static func refuse(_ error: UsageError, asJSON: Bool) -> ExitCode {
        let errors = Output.standardError()
        let text = Array(error.text(style: errors.terminal.style).utf8)
        try? errors.write(asJSON ? error.json : text)
        try? errors.flush()
        return .usage
    }

    private static func run(_ command: ParsedCommand) async -> ExitCode {
        let context = Context(command)
        do {
            let handler = CommandTable.handler(command.path)
            let code = try await handler(context)
            context.close()
            try context.output.flush()
            return Interrupt.isRequested ? .interrupted : code
        } catch {
            context.close()
            return context.report(error)
        }
    }
}
