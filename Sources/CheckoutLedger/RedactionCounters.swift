public import CheckoutModel
import Synchronization

/// What was found by a rule in a field of a voice's events, how often.
public struct RedactionCount: Sendable, Hashable {
    /// The rule's stable name, such as `R1`.
    public let rule: String
    /// The field; `other` once too many different ones were seen.
    public let field: String
    /// Whose voice.
    public let source: EventSource
    /// `mask`, `drop`, `seal` or `refuse`.
    public let action: String
    /// Since this process began.
    public let count: Int
}

/// Counts what was taken out since this process began; touched only where something was.
final class RedactionCounters: Sendable {
    private struct Key: Hashable {
        let rule: String
        let field: String
        let source: EventSource
        let action: String
    }

    private let counts = Mutex<[Key: Int]>([:])

    func add(_ notes: [RedactionNote], from source: EventSource) {
        guard !notes.isEmpty else { return }
        counts.withLock { counts in
            for note in notes {
                var key = Key(
                    rule: note.rule, field: note.field, source: source, action: note.action)
                // Field names come from outside: they must not fill the memory.
                if counts[key] == nil, counts.count >= Limits.redactionCounters {
                    key = Key(
                        rule: note.rule, field: "other", source: source, action: note.action)
                }
                counts[key, default: 0] += Int(note.count)
            }
        }
    }

    var all: [RedactionCount] {
        counts.withLock { $0 }.map { key, count in
            RedactionCount(
                rule: key.rule, field: key.field, source: key.source, action: key.action,
                count: count)
        }
        .sorted {
            ($0.rule, $0.field, $0.source.rawValue, $0.action)
                < ($1.rule, $1.field, $1.source.rawValue, $1.action)
        }
    }
}

extension Ledger {
    /// What was masked, dropped or refused since this process began, by rule, field and voice.
    ///
    /// The log has the same for all time, see the report Q19.
    public var redactionCounts: [RedactionCount] { scribe.counters.all }
}
