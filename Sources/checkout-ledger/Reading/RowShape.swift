import CommandKit

/// The members of one kind of JSON row: their names in order, and what each means.
///
/// `--json=?`, `--json=FIELDS` and `help formats` are all read from it, so that none of them can
/// say what another does not.
struct RowShape: Sendable {
    /// The command line whose rows these are.
    let title: String
    let members: [(name: String, meaning: String)]

    var names: [String] { members.map(\.name) }

    /// One line a member, names padded to one width.
    var lines: [String] {
        let width = names.reduce(0) { max($0, $1.utf8.count) }
        return members.map { name, meaning in
            name + String(repeating: " ", count: width - name.utf8.count + 2) + meaning
        }
    }

    /// The same members and some more behind them.
    func adding(_ title: String, _ more: [(name: String, meaning: String)]) -> RowShape {
        RowShape(title: title, members: members + more)
    }
}

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
