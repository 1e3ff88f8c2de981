import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import EventLog
import LedgerViews

extension Entry {
    static let replay = Entry(
        .prove,
        Command(
            "replay", "Rebuild all state from the log and compare",
            discussion: """
                Folds every event from position 0, compares the result with the rows that stood \
                there, then builds new rows beside the live ones and swaps them. A pure function \
                of the log: no clock, no time zone, no sealed field takes part. Other processes \
                may go on writing.

                Ends with 5 when events were not understood (a newer version wrote them): they \
                are kept and counted, and state nothing. Ends with 3 when a row differed.
                """,
            options: [
                .value("workers", .integer(1...64), default: "2", "Fold with this many threads"),
                .flag("skip-unknown", "Events that are not understood are no reason to end with 5"),
                .flag("dry-run", "Fold and compare only; write nothing"),
            ],
            examples: [
                Example("replay", "Rebuild and compare"),
                Example("replay --dry-run --workers 4", "Compare only, on four cores"),
            ])
    ) { context in
        let selection = try context.selection(of: replayShape)
        let isDry = context.command.has("dry-run")
        let ledger = try context.ledger(writing: !isDry)
        let clock = ContinuousClock()
        let total = try ledger.endPosition()
        let workers = context.command.integer("workers") ?? 1
        let folding = ProgressLine("Folding", context, of: total)
        let start = clock.now
        let fresh = try context.inLedgerWords { () throws(LogError) in
            try ledger.log.replay(workers: workers) { folding.update($0) }
        }
        let taken = clock.now - start
        folding.finish("Folded \(rate(fresh.end, taken)).")
        var result = ReplayResult(
            events: fresh.end, streams: fresh.states.count,
            differences: try differences(ledger, fresh), notUnderstood: [], isSwapped: false,
            digest: digest(fresh.states))
        result.notUnderstood = try ledger.positionsNotUnderstood()
        if !isDry {
            let line = ProgressLine("Writing rows", context, of: total)
            try context.inLedgerWords { () throws(LogError) in
                try ledger.log.rebuild { line.update($0) }
            }
            line.finish("Swapped the rows for the new ones.")
            result.isSwapped = true
            result.leftDifferent = try differences(ledger, fresh)
        }
        if context.isJSON {
            var writer = JSONWriter(only: selection)
            writer.object(result.write)
            try context.output.line(&writer)
        } else {
            try context.writeFields(result.lines)
        }
        return result.exitCode(skipsUnknown: context.command.has("skip-unknown"))
    }
}

let replayShape = RowShape(
    title: "replay",
    members: [
        ("events", "how many events were folded"),
        ("streams", "how many streams they make"),
        ("differences", "rows that differed from the fresh fold before the swap"),
        ("leftDifferent", "rows that differ after it; 0 unless something is wrong"),
        ("notUnderstood", "positions of events that this version does not understand"),
        ("swapped", "true when the rows were built anew; false with --dry-run"),
        ("digest", "SHA-256 over all folded states: equal logs give equal digests"),
    ])

private struct ReplayResult {
    let events: UInt64
    let streams: Int
    let differences: Int
    var leftDifferent = 0
    var notUnderstood: [UInt64]
    var isSwapped: Bool
    let digest: String

    func exitCode(skipsUnknown: Bool) -> ExitCode {
        if differences > 0 || leftDifferent > 0 { return .integrity }
        return notUnderstood.isEmpty || skipsUnknown ? .done : .unresolved
    }

    func write(to writer: inout JSONWriter) {
        writer.field("events", events)
        writer.field("streams", streams)
        writer.field("differences", differences)
        writer.field("leftDifferent", leftDifferent)
        writer.field("notUnderstood", notUnderstood)
        writer.field("swapped", isSwapped)
        writer.field("digest", digest)
    }

    var lines: [(name: String, value: String)] {
        let unknown = notUnderstood.map(String.init).joined(separator: ", ")
        return [
            ("events", Wording.grouped(Int(clamping: events))),
            ("streams", Wording.grouped(streams)),
            ("rows that differed", Wording.grouped(differences)),
            ("rows that differ now", Wording.grouped(leftDifferent)),
            ("not understood", unknown.isEmpty ? "none" : "positions \(unknown)"),
            ("rows", isSwapped ? "built anew and swapped" : "left as they are"),
            ("digest", digest),
        ]
    }
}

/// How many streams' live rows say something else than a fresh fold.
///
/// Streams that grew since the fold are left out: they are of a later moment.
private func differences(
    _ ledger: Ledger<LMDBStore>, _ fresh: ReplayedStates<SessionState>
) throws -> Int {
    var count = 0
    var seen = 0
    try ledger.log.read { snapshot in
        try snapshot.forEachState { stream, state in
            guard stream < UInt64(fresh.states.count) else { return .stop }
            seen += 1
            if state.trace.lastPosition < fresh.end,
                !CheckoutSchema.statesAreEqual(state, fresh.states[Int(stream)])
            {
                count += 1
            }
            return .more
        }
    }
    return count + fresh.states.count - seen
}

private func digest(_ states: [SessionState]) -> String {
    var sha = SHA256()
    var bytes: [UInt8] = []
    for state in states {
        bytes.removeAll(keepingCapacity: true)
        CheckoutSchema.encode(state, into: &bytes)
        sha.update(bytes)
    }
    return Hex.encode(sha.finalize().bytes)
}

private func rate(_ events: UInt64, _ taken: Duration) -> String {
    let (seconds, attoseconds) = taken.components
    let microseconds = max(1, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    let perSecond =
        Int(clamping: events.multipliedFullWidth(by: 1_000_000).low)
        / Int(microseconds)
    return "\(Wording.count(Int(clamping: events), "event")) in \(Wording.duration(taken)), "
        + "\(Wording.grouped(perSecond)) a second"
}
