import CheckoutLedger
import CheckoutModel
import CommandKit

/// `record event`: events as lines of JSON.
enum RecordedLines {
    static let command = Command(
        "event", "Record events from lines of JSON",
        discussion: """
            Takes lines as 'events --json' prints them. All lines together are one transaction: \
            all are recorded, or none. With --each every line is one of its own, up to the first \
            that cannot be recorded. A line counts once, by its id or else its content. Links are \
            passed over: this ledger joins what belongs together itself.
            """,
        arguments: [
            Argument("file", .stream, .optional, "The lines' file (else standard input)")
        ],
        options: [.flag("each", "Record every line in a transaction of its own")],
        examples: [Example("record event events.jsonl", "Record what another system wrote")])

    static let run: Handler = { context in
        let lines = try lines(context)
        let ledger = try context.ledger(writing: true)
        if context.command.has("each") {
            for line in lines {
                let recorded: RecordedAt
                do throws(LedgerError) {
                    recorded = try await ledger.record([line.entry])[0]
                } catch {
                    throw error.atLine(line.number)
                }
                try context.tell(line.entry.event, recorded)
            }
        } else {
            let recorded = try await ledger.record(lines.map(\.entry))
            for (line, place) in zip(lines, recorded) { try context.tell(line.entry.event, place) }
        }
        guard !context.isJSON, !context.isQuiet, lines.count != 1 else { return .done }
        context.errors.say("\(Wording.count(lines.count, "line")) read.")
        return .done
    }

    /// Reads every line before anything is recorded; empty ones are passed over.
    private static func lines(
        _ context: Context
    ) throws(LedgerError) -> [(number: Int, entry: EventEntry)] {
        var lines: [(number: Int, entry: EventEntry)] = []
        var reader = try context.lines(context.command.argument(ifAny: "file") ?? "-")
        while let line = try reader.next() {
            if line.isBlank { continue }
            do throws(LedgerError) {
                let entry = try EventLine.entry(line.text)
                if entry.event.type == .sessionLinked { continue }
                lines.append((line.number, entry))
            } catch {
                throw error.atLine(line.number)
            }
        }
        return lines
    }
}

extension LedgerError {
    /// The same error with the line it is about in front.
    func atLine(_ number: Int) -> LedgerError {
        LedgerError(code, "Line \(number): \(message)", hint: hint)
    }
}
