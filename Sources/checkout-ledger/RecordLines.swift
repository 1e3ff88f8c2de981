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
            that cannot be recorded. A line counts once, by its id or else its content.
            """,
        arguments: [
            Argument("file", .stream, .optional, "The lines' file (else standard input)")
        ],
        options: [.flag("each", "Record every line in a transaction of its own")],
        examples: [Example("record event events.jsonl", "Record what another system wrote")])

    static let run: Handler = { context in
        let bytes = try context.read(context.command.argument(ifAny: "file") ?? "-")
        let ledger = try context.ledger(writing: true)
        let lines = try lines(bytes)
        if context.command.has("each") {
            for line in lines {
                let recorded: RecordedAt
                do throws(LedgerError) {
                    recorded = try await ledger.record([line.entry])[0]
                } catch {
                    throw error.atLine(line.number)
                }
                try tell(line.entry, recorded, context)
            }
        } else {
            let recorded = try await ledger.record(lines.map(\.entry))
            for (line, place) in zip(lines, recorded) { try tell(line.entry, place, context) }
        }
        guard !context.isJSON, !context.isQuiet, lines.count != 1 else { return .done }
        context.errors.say("\(Wording.count(lines.count, "line")) read.")
        return .done
    }

    /// Reads every line before anything is recorded; empty ones are passed over.
    private static func lines(
        _ bytes: [UInt8]
    ) throws(LedgerError) -> [(number: Int, entry: EventEntry)] {
        var lines: [(number: Int, entry: EventEntry)] = []
        for line in TextLines(bytes) where !line.isBlank {
            do throws(LedgerError) {
                lines.append((line.number, try EventLine.entry(line.bytes)))
            } catch {
                throw error.atLine(line.number)
            }
        }
        return lines
    }

    private static func tell(
        _ entry: EventEntry, _ recorded: RecordedAt, _ context: Context
    ) throws {
        try context.tell(entry.event, recorded)
    }
}

extension LedgerError {
    /// The same error with the line it is about in front.
    func atLine(_ number: Int) -> LedgerError {
        LedgerError(code, "Line \(number): \(message)", hint: hint)
    }
}

/// One line of a text, without its line end.
struct TextLine {
    /// From 1.
    let number: Int
    /// Offset of its first byte.
    let offset: Int
    let bytes: [UInt8]
    /// False for a last line that no line end follows.
    let isEnded: Bool

    var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

/// The lines of a text: LF and CRLF both end one.
///
/// By bytes: to Swift's `Character`, CR LF is one, so that a split at LF would find a single line.
struct TextLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var offset = 0
    private var number = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> TextLine? {
        guard offset < bytes.count else { return nil }
        let rest = bytes[offset...]
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        var line = rest[..<(end ?? rest.endIndex)]
        if line.last == UInt8(ascii: "\r"), end != nil { line.removeLast() }
        number += 1
        defer { offset = end.map { $0 + 1 } ?? bytes.count }
        return TextLine(
            number: number, offset: offset, bytes: Array(line), isEnded: end != nil)
    }
}
