import CommandKit
import LedgerViews

extension Context {
    /// The members asked for by `--json=FIELDS`; nil for all of them.
    ///
    /// Answers `--json=?` itself and then throws `ExitCode.done`. Ask before the ledger is opened:
    /// the question needs none.
    func selection(of shape: RowShape) throws -> FieldSelection? {
        guard isJSON, let list = command.value("json") else { return nil }
        if FieldSelection.isQuestion(list) {
            let isTable = output.terminal.isTerminal
            let lines = isTable ? shape.lines : shape.members.map { "\($0.name)\t\($0.meaning)" }
            for line in lines { try output.line(line) }
            try output.flush()
            throw ExitCode.done
        }
        do throws(FieldSelection.Refusal) {
            return try FieldSelection(list, known: shape.names)
        } catch {
            throw command.usageError(error.message, about: "json")
        }
    }
}
