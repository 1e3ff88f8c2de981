import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import EventLog
import LedgerViews

/// One event with everything: its line, its place in the chain, its hash.
private struct EventDetail {
    let recorded: RecordedEvent
    let record: Record
    let sealed: PrivateText?
    let ledger: Ledger<LMDBStore>

    func write(to writer: inout JSONWriter) {
        EventRow.write(recorded, PrivateStates(of: recorded, in: ledger), to: &writer)
        writer.field("previous", recorded.previous)
        writer.field("leafHash", Hex.encode(record.leafHash.bytes))
        writer.field("recordBytes", record.bytes.count)
        writer.field("payloadBytes", record.payload.count)
        if let sealed { writer.field("private", sealed) }
    }

    /// Name and value, as a person reads them.
    var lines: [(name: String, value: String)] {
        var lines = EventRow.lines(recorded)
        lines.append(
            ("previous", recorded.previous.map { "\($0)" } ?? "none, it begins its stream"))
        lines.append(("leafHash", Hex.encode(record.leafHash.bytes)))
        lines.append(
            (
                "recordBytes",
                "\(record.bytes.count) (0x\(String(record.bytes.count, radix: 16))), "
                    + "\(record.payload.count) of them payload"
            ))
        if sealed == nil, let states = PrivateStates(of: recorded, in: ledger) {
            lines.append((PrivateStates.member.name, states.text))
        }
        return lines + (sealed?.fields ?? [])
    }
}

let eventDetailShape = EventRow.shape.adding(
    "events --at",
    [
        ("previous", "position of the stream's event before this one, or null"),
        ("leafHash", "SHA-256 of a zero byte and the record: its leaf in the Merkle tree"),
        ("recordBytes", "bytes of the record without its hash"),
        ("payloadBytes", "bytes of them that are payload"),
        (
            "private",
            "with --private: the opened fields; in lost, each class that is erased, key_missing "
                + "or tampered"
        ),
    ])

func showEvent(at position: UInt64, _ context: Context) async throws -> ExitCode {
    let selection = try context.selection(of: eventDetailShape)
    var ledger = try context.ledger()
    let recorded = try ledger.event(at: position)
    if context.command.has("private") {
        ledger = try await context.recordPrivateReading("events --private", [position])
    }
    let record: Record
    do throws(LogError) {
        record = try ledger.log.record(at: position)
    } catch {
        throw LedgerError(error)
    }
    let detail = EventDetail(
        recorded: recorded, record: record,
        sealed: context.command.has("private") ? try PrivateText(recorded, in: ledger) : nil,
        ledger: ledger)
    if context.isJSON {
        var writer = JSONWriter(only: selection)
        writer.object(detail.write)
        try context.output.line(&writer)
        return .done
    }
    try context.writeFields(detail.lines)
    if detail.sealed == nil, recorded.hasSealedFields {
        try context.remark("Something of it is sealed; --private opens it.")
    }
    return .done
}

extension Context {
    /// Names and values under each other: aligned for a person, tab-separated for a program.
    func writeFields(_ fields: [(name: String, value: String)]) throws(OutputError) {
        let isTable = output.terminal.isTerminal
        let width = fields.reduce(0) { max($0, $1.name.utf8.count) }
        for (name, value) in fields {
            let safe = SafeText.visible(value)
            let gap = isTable ? String(repeating: " ", count: width - name.utf8.count + 2) : "\t"
            try output.line(output.terminal.style.paint(name, .dim) + gap + safe)
        }
        try output.flush()
    }
}

extension EventLog {
    /// A copy of the record at a position.
    fileprivate func record(at position: UInt64) throws(LogError) -> Record {
        do {
            return try read { try $0.record(at: position) }
        } catch let error as LogError {
            throw error
        } catch {
            preconditionFailure("a record is read with the log's errors only")
        }
    }
}
