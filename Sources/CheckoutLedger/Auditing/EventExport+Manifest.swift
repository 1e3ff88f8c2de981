public import CheckoutModel
public import Cryptography
public import EventLog
public import ProviderKit

extension EventExport {
    /// What the rows fulfil; every condition that is given does.
    public struct Conditions: Sendable, Hashable {
        /// One session, by the name that was asked for.
        public var session: String?
        /// Recorded at or after.
        public var since: Instant?
        /// Recorded before.
        public var until: Instant?
        /// Names of types; empty for all.
        public var types: [String] = []
        /// Who acted.
        public var actor: String?

        /// Every event.
        public init() {}

        /// True when rows were chosen by something else than their place and time.
        public var choosesWithin: Bool { session != nil || !types.isEmpty || actor != nil }

        /// In words; empty for every event.
        public var words: String {
            [
                session.map { "session \($0)" }, since.map { "since \($0.iso8601)" },
                until.map { "until \($0.iso8601)" }, actor.map { "actor \($0)" },
                types.isEmpty ? nil : "type " + types.joined(separator: " or "),
            ].compactMap(\.self).joined(separator: ", ")
        }

        /// True when an event fulfils what can be told from the event alone: all but the session.
        func hold(_ recorded: RecordedEvent) -> Bool {
            (types.isEmpty || types.contains(recorded.event.type.name))
                && (actor == nil || recorded.event.actor == actor)
                && since.map { recorded.recordedAt >= $0 } ?? true
                && until.map { recorded.recordedAt < $0 } ?? true
        }
    }

    /// What was exported, and by whom.
    public struct Manifest: Sendable {
        /// The name of the file with the rows.
        public var file: String
        /// How they are written.
        public var format: Format
        /// SHA-256 of that file, 64 hexadecimal digits.
        public var sha256: String
        /// The name of the file with the proof.
        public var proofFile: String
        /// SHA-256 of that one.
        public var proofSHA256: String
        /// The program and its version.
        public var tool: String
        /// Who ran it.
        public var executedBy: String
        /// Why; nil when nobody said.
        public var reason: String?
        /// When.
        public var executedAt: Instant
        /// What the rows fulfil.
        public var conditions: Conditions
        /// What they come to.
        public var summary: Summary

        /// Puts a manifest together.
        public init(
            file: String, format: Format, sha256: String, proofFile: String, proofSHA256: String,
            tool: String, executedBy: String, reason: String?, executedAt: Instant,
            conditions: Conditions, summary: Summary
        ) {
            self.file = file
            self.format = format
            self.sha256 = sha256
            self.proofFile = proofFile
            self.proofSHA256 = proofSHA256
            self.tool = tool
            self.executedBy = executedBy
            self.reason = reason
            self.executedAt = executedAt
            self.conditions = conditions
            self.summary = summary
        }
    }

    /// What the rows of an export come to, and the log that they are of.
    public struct Summary: Sendable {
        /// Which ledger, 16 bytes.
        public let ledgerID: [UInt8]
        /// Counts restores from a backup.
        public let epoch: UInt32
        /// The positions that were looked at.
        public let positions: Range<UInt64>
        /// How many records the log had that the root is of.
        public let logSize: UInt64
        /// The root over them.
        public let root: Digest
        /// What stands beside the positions.
        public let sides: RangeProof
        /// The seal of that size; nil where the ledger had none to give.
        public let seal: Seal?
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

        mutating func add(_ recorded: RecordedEvent) {
            rows += 1
            first = first ?? recorded.position
            last = recorded.position
            guard let amount = recorded.event.amount else { return }
            let key = Total(currency: amount.currency, type: recorded.event.type)
            totals[key, default: 0] += Int128(amount.minorUnits)
        }
    }
}

extension EventExport.Manifest {
    /// The manifest as one JSON object.
    public var json: JSONValue { .object(members) }

    var members: [JSONMember] {
        let summary = summary
        let totals = summary.totals.sorted {
            ($0.key.currency.code, $0.key.type.name) < ($1.key.currency.code, $1.key.type.name)
        }
        func position(_ value: UInt64?) -> JSONValue {
            value.map { .integer(Int64(clamping: $0)) } ?? .null
        }
        let value = JSONValue.object([
            "schema": .string(EventExport.schema),
            "file": .string(file), "format": .string(format.rawValue), "sha256": .string(sha256),
            "proofFile": .string(proofFile), "proofSHA256": .string(proofSHA256),
            "tool": .string(tool), "executedBy": .string(executedBy),
            "reason": reason.map { .string($0) } ?? .null,
            "executedAt": .string(executedAt.iso8601), "timeZone": .string("UTC"),
            "ledger": .string(Hex.encode(summary.ledgerID)),
            "epoch": .integer(Int64(summary.epoch)), "filters": .string(conditions.words),
            "query": conditions.json,
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
            "logSize": position(summary.logSize), "root": .string(summary.root.hex),
            // Hashes of the full subtrees left and right of the positions: RFC 6962's tree.
            "rangeProof": .object([
                "left": .array(summary.sides.left.map { .string($0.hex) }),
                "right": .array(summary.sides.right.map { .string($0.hex) }),
            ]),
            "seal": summary.seal.map { .string(String(decoding: $0.bytes, as: UTF8.self)) }
                ?? .null,
        ])
        guard case .object(let members) = value else { return [] }
        return members
    }
}

extension EventExport.Conditions {
    var json: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([
            "session": text(session), "since": text(since?.iso8601), "until": text(until?.iso8601),
            "types": .array(types.map { .string($0) }), "actor": text(actor),
        ])
    }
}
