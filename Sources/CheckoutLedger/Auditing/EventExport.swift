import CheckoutModel
import ProviderKit

/// Events as auditors take them away: the rows, a manifest that says what they are, and a proof.
///
/// | file | what it holds |
/// |---|---|
/// | `FILE` | one row an event, readable |
/// | `FILE.proof.jsonl` | the record of each row, and hashes in place of the records between them |
/// | `FILE.manifest.json` | conditions, counts, sums, hashes of both files, the seal |
///
/// The rows follow from the records, and the records with the hashes give the root that is sealed:
/// with the log's verifier key and no ledger, ``ExportCheck`` sees a change to any of the three.
/// Private fields stay sealed in the records. Of a record that was left out it is shown that it is
/// there, and not why it was left out.
public enum EventExport {
    /// How rows are written.
    public enum Format: String, Sendable, CaseIterable {
        /// One JSON object a line.
        case jsonl
        /// RFC 4180, UTF-8, with a heading.
        case csv
    }

    /// The form of the three files; another one when a row of the same event would read otherwise.
    static let schema = "checkout-ledger/audit-export/2"

    /// Names of a row's values in a table, in order; amounts are minor units beside their currency.
    public static let columns = [
        "position", "recordedAt", "id", "stream", "revision", "cause", "type", "occurredAt",
        "source", "evidence", "provider", "account", "mode", "session", "payment", "refund",
        "dispute", "subscription", "order", "customer", "minorUnits", "currency", "status",
        "reason", "rawType", "deliveryID", "actor", "sealed", "redacted",
    ]

    /// The row of an event, by those names.
    public static func row(_ recorded: RecordedEvent) -> [String] {
        guard case .object(let members) = EventLine.json(recorded) else { return [] }
        var values: [String: String] = [:]
        for member in members {
            if case .object(let money) = member.value {
                for part in money { values[part.name] = part.value.plainText }
            } else {
                values[member.name] = member.value.plainText
            }
        }
        return columns.map { values[$0] ?? "" }
    }

    /// The line of an event; whole numbers that other programs would round are texts.
    public static func line(_ recorded: RecordedEvent) -> [UInt8] {
        EventLine.json(recorded).withSafeIntegers.json
    }
}

extension JSONValue {
    /// A cell's text: of a text itself, of a number its digits.
    fileprivate var plainText: String {
        switch self {
        case .null, .brokenString: ""
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        case .array, .object: String(decoding: json, as: UTF8.self)
        }
    }

    /// The value with whole numbers beyond 2^53 as texts.
    fileprivate var withSafeIntegers: JSONValue {
        switch self {
        case .number(let number):
            guard let value = number.integer, value.magnitude > 1 << 53 else { return self }
            return .string(String(value))
        case .array(let elements): return .array(elements.map(\.withSafeIntegers))
        case .object(let members):
            return .object(
                members.map { JSONMember(name: $0.name, value: $0.value.withSafeIntegers) })
        case .null, .bool, .string, .brokenString: return self
        }
    }
}
