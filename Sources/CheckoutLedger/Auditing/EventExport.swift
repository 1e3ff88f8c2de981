public import CheckoutModel
import Cryptography
public import EventLog
public import ProviderKit

/// Events as auditors take them away: one row an event, and a manifest that says what the rows are
/// and shows that none was left out or changed.
public enum EventExport {
    /// How rows are written.
    public enum Format: String, Sendable, CaseIterable {
        /// One JSON object a line.
        case jsonl
        /// RFC 4180, UTF-8, with a heading.
        case csv
    }

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

    /// What was exported, and by whom.
    public struct Manifest: Sendable {
        /// The file's name.
        public var file: String
        /// How its rows are written.
        public var format: Format
        /// SHA-256 of the file, 64 hexadecimal digits.
        public var sha256: String
        /// The program and its version.
        public var tool: String
        /// Who ran it.
        public var executedBy: String
        /// Why; nil when nobody said.
        public var reason: String?
        /// When.
        public var executedAt: Instant
        /// The conditions, in words; empty for every event.
        public var filters: String
        /// What the rows come to.
        public var summary: Summary

        /// Puts a manifest together.
        public init(
            file: String, format: Format, sha256: String, tool: String, executedBy: String,
            reason: String?, executedAt: Instant, filters: String, summary: Summary
        ) {
            self.file = file
            self.format = format
            self.sha256 = sha256
            self.tool = tool
            self.executedBy = executedBy
            self.reason = reason
            self.executedAt = executedAt
            self.filters = filters
            self.summary = summary
        }
    }

    /// What the rows of an export come to.
    public struct Summary: Sendable {
        /// Which ledger, 16 bytes, and its epoch.
        public let ledgerID: [UInt8]
        /// Counts restores from a backup.
        public let epoch: UInt32
        /// The positions that were looked at.
        public let positions: Range<UInt64>
        /// How many records the log had.
        public let logSize: UInt64
        /// The root hash of the log of that size, 64 hexadecimal digits.
        public let root: String
        /// Shows, with the leaf hashes of all records of the positions, that none was left out.
        public let proof: RangeProof
        /// Rows in the file.
        public internal(set) var rows: UInt64 = 0
        /// Position of the first row; nil without rows.
        public internal(set) var first: UInt64?
        /// Position of the last row; nil without rows.
        public internal(set) var last: UInt64?
        /// Sums of the amounts in the rows, by currency and type of event.
        public internal(set) var totals: [Total: Int128] = [:]

        /// What a sum is of.
        public struct Total: Sendable, Hashable {
            /// The currency.
            public let currency: Currency
            /// The type of the events.
            public let type: EventType
        }
    }
}

extension EventExport.Manifest {
    /// The manifest as one JSON object.
    public var json: JSONValue {
        let summary = summary
        let totals = summary.totals.sorted {
            ($0.key.currency.code, $0.key.type.name) < ($1.key.currency.code, $1.key.type.name)
        }
        func position(_ value: UInt64?) -> JSONValue {
            value.map { .integer(Int64(clamping: $0)) } ?? .null
        }
        return .object([
            "schema": .string("checkout-ledger/audit-export/1"),
            "file": .string(file), "format": .string(format.rawValue), "sha256": .string(sha256),
            "tool": .string(tool), "executedBy": .string(executedBy),
            "reason": reason.map { .string($0) } ?? .null,
            "executedAt": .string(executedAt.iso8601), "timeZone": .string("UTC"),
            "ledger": .string(Hex.encode(summary.ledgerID)),
            "epoch": .integer(Int64(summary.epoch)), "filters": .string(filters),
            "firstPosition": position(summary.positions.lowerBound),
            "endPosition": position(summary.positions.upperBound),
            "rows": position(summary.rows), "firstRow": position(summary.first),
            "lastRow": position(summary.last),
            "controlTotals": .array(
                totals.map { key, sum in
                    .object([
                        "currency": .string(key.currency.code), "type": .string(key.type.name),
                        // Wider than other programs' numbers.
                        "minorUnits": .string(String(sum)),
                    ])
                }),
            "logSize": position(summary.logSize), "root": .string(summary.root),
            // With the leaf hashes of all records from first to end position it gives the root.
            "rangeProof": .object([
                "left": .array(summary.proof.left.map { .string($0.hex) }),
                "right": .array(summary.proof.right.map { .string($0.hex) }),
            ]),
        ])
    }
}

extension Ledger {
    /// Lends the events of an export in order, and sums up what they come to.
    ///
    /// Constant memory; the log's size and root are those of the moment in which it began.
    public func exportEvents(
        matching query: AuditQuery, actor: String? = nil,
        _ body: (RecordedEvent) throws -> Void
    ) throws -> EventExport.Summary {
        var query = query
        var summary = try read { (snapshot) throws(LedgerError) in
            let end = snapshot.end
            let asked = query.positions ?? 0..<UInt64.max
            query.positions = min(asked.lowerBound, end)..<min(asked.upperBound, end)
            let positions = try snapshot.range(of: query)
            do throws(LogError) {
                return EventExport.Summary(
                    ledgerID: id, epoch: log.identity.epoch, positions: positions, logSize: end,
                    root: try snapshot.frontier().root().hex,
                    proof: try snapshot.rangeProof(of: positions, in: end))
            } catch {
                throw LedgerError(error)
            }
        }
        var failure: (any Error)?
        try forEachEvent(matching: query) { (recorded) throws(LedgerError) in
            if let actor, recorded.event.actor != actor { return .more }
            do { try body(recorded) } catch {
                failure = error
                return .stop
            }
            summary.add(recorded)
            return .more
        }
        if let failure { throw failure }
        return summary
    }
}

extension EventExport.Summary {
    fileprivate mutating func add(_ recorded: RecordedEvent) {
        rows += 1
        first = first ?? recorded.position
        last = recorded.position
        guard let amount = recorded.event.amount else { return }
        let key = Total(currency: amount.currency, type: recorded.event.type)
        totals[key, default: 0] += Int128(amount.minorUnits)
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
