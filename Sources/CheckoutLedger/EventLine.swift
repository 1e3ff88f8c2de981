public import CheckoutModel
import Cryptography
import EventLog
public import ProviderKit

/// One event as one line of JSON: what `events --json` prints and `record event` and `import` read.
///
/// Members that are absent are left out; amounts are integers of minor units; times are ISO 8601
/// in UTC with microseconds. Private fields are never in a line, only whether there are any.
public enum EventLine {
    /// The line of a recorded event, envelope first.
    public static func json(_ recorded: RecordedEvent) -> JSONValue {
        let event = recorded.event
        func text(_ value: String?) -> JSONValue? { value.map { .string($0) } }
        var members: [(String, JSONValue?)] = [
            ("position", .integer(Int64(clamping: recorded.position))),
            ("recordedAt", .string(recorded.recordedAt.iso8601)),
            ("id", .string(Hex.encode(recorded.id.bytes))),
            ("stream", .integer(Int64(clamping: recorded.stream))),
            ("revision", .integer(Int64(recorded.revision))),
            ("cause", recorded.cause.map { .integer(Int64(clamping: $0)) }),
        ]
        members += fields(event).map { ($0.name, $0.value) }
        members += [
            ("linkedStream", recorded.linkedStream.map { .integer(Int64(clamping: $0)) }),
            ("sealed", recorded.hasSealedFields ? .bool(true) : nil),
            ("discarded", recorded.payload.discarded.map { discarded($0) }),
            ("privacy", recorded.payload.privacy.map { privacy($0) }),
            ("redacted", recorded.flags.contains(.redacted) ? .bool(true) : nil),
            ("unhandled", recorded.flags.contains(.unhandled) ? .bool(true) : nil),
            ("understood", recorded.isUnderstood ? nil : .bool(false)),
            ("clockHeld", recorded.clockWasHeld ? .bool(true) : nil),
            ("scheme", text(event.verification?.scheme)),
            ("keyFingerprint", text(event.verification?.keyFingerprint)),
        ]
        return .object(
            members.compactMap { name, value in
                value.map { JSONMember(name: name, value: $0) }
            })
    }

    /// The members of an event without its envelope.
    public static func fields(_ event: CheckoutEvent) -> [JSONMember] {
        func text(_ value: String?) -> JSONValue? {
            value.flatMap { $0.isEmpty ? nil : .string($0) }
        }
        let members: [(String, JSONValue?)] = [
            ("type", .string(event.type.name)),
            ("occurredAt", text(event.occurredAt?.iso8601)),
            ("source", .string(event.source.name)),
            ("evidence", .string(event.evidence.name)),
            ("provider", .string(event.provider.rawValue)),
            ("account", text(event.account)),
            ("mode", event.mode == .unknown ? nil : .string(event.mode.name)),
            ("session", text(event.ids.session)),
            ("payment", text(event.ids.payment)),
            ("refund", text(event.ids.refund)),
            ("dispute", text(event.ids.dispute)),
            ("subscription", text(event.ids.subscription)),
            ("order", text(event.ids.order)),
            ("customer", text(event.ids.customer)),
            ("amount", event.amount.map(json)),
            ("status", text(event.status?.name)),
            ("reason", text(event.reason)),
            ("rawType", text(event.rawType)),
            ("deliveryID", text(event.deliveryID)),
            ("actor", text(event.actor)),
        ]
        return members.compactMap { name, value in
            value.map { JSONMember(name: name, value: $0) }
        }
    }

    /// Private fields that came after their subject was erased: never kept, unlike sealed ones.
    private static func discarded(_ discarded: DiscardedFields) -> JSONValue {
        .object([
            "classes": classes(discarded.classes),
            "request": .string(Hex.encode(discarded.requestID)),
            "erasedAt": .string(discarded.erasedAt.iso8601),
        ])
    }

    /// What an event about privacy states, but for the list of keys.
    private static func privacy(_ record: PrivacyRecord) -> JSONValue {
        func text(_ value: String) -> JSONValue? { value.isEmpty ? nil : .string(value) }
        let members: [(String, JSONValue?)] = [
            ("request", text(Hex.encode(record.requestID))),
            ("subject", text(Hex.encode(record.subject))),
            ("target", text(record.target)),
            ("classes", record.classes.isEmpty ? nil : classes(record.classes)),
            ("ground", text(record.ground)),
            ("olderThan", record.olderThan.map { .string($0.iso8601) }),
            ("level", record.level.map { .string($0.name) }),
            ("keys", .integer(Int64(clamping: record.keyCount))),
            ("events", .integer(Int64(clamping: record.eventCount))),
            ("oldRoot", text(record.oldRoot)), ("newRoot", text(record.newRoot)),
            ("rootSource", text(record.rootSource)),
        ]
        return .object(
            members.compactMap { name, value in
                value.map { JSONMember(name: name, value: $0) }
            })
    }

    private static func classes(_ classes: PrivateClasses) -> JSONValue {
        .array(classes.list.map { .string($0.name) })
    }

    /// An amount as `{"minorUnits":…,"currency":…}`.
    public static func json(_ money: Money) -> JSONValue {
        .object([
            "minorUnits": .integer(money.minorUnits), "currency": .string(money.currency.code),
        ])
    }

    /// Reads a line's event, and the name under which it counts once: its `id`, else its content.
    ///
    /// Envelope members are passed over: the ledger that takes the event writes its own. A line
    /// that names no type is kept whole as a note, so that an import loses nothing. Throws
    /// `MALFORMED_EVENT`, naming the member.
    public static func entry(_ line: [UInt8]) throws(LedgerError) -> EventEntry {
        guard let value = try? JSONValue(json: line, limit: Limits.bodyBytesPerRecord),
            case .object = value
        else {
            throw LedgerError(
                .malformedEvent, "The line is not one JSON object.",
                hint: "Write one event a line, as events --json does.")
        }
        let digest = Hex.encode(SHA256.hash(line).bytes.prefix(16))
        let name = value["id"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? "line:\(digest)"
        guard value["type"] != nil else { return note(line, name: name) }
        var event = try event(value)
        // Without an id of its own nothing else would find the line again.
        if event.deliveryID == nil { event.deliveryID = name }
        return EventEntry(event, name: name)
    }

    /// True for one whole JSON object, whatever it says: a line that was not torn.
    static func isObject(_ line: [UInt8]) -> Bool {
        guard case .object? = try? JSONValue(json: line, limit: Limits.lineBytes) else {
            return false
        }
        return true
    }

    private static func note(_ line: [UInt8], name: String) -> EventEntry {
        let event = CheckoutEvent(
            .noteAdded, source: .host, provider: "import",
            reason: String(decoding: line.prefix(Limits.reasonBytes), as: UTF8.self),
            deliveryID: name)
        return EventEntry(event, name: name)
    }

    private static func event(_ value: JSONValue) throws(LedgerError) -> CheckoutEvent {
        let type = try word(value, "type") { EventType(name: $0) }
        guard let type else { throw malformed("type") }
        // A link is the ledger's own word, and is of no provider.
        let provider = try text(value, "provider") ?? ""
        guard !provider.isEmpty || type == .sessionLinked else { throw malformed("provider") }
        var event = CheckoutEvent(
            type, source: try word(value, "source") { EventSource(name: $0) } ?? .host,
            evidence: try word(value, "evidence") { word in
                Evidence.allCases.first { $0.name == word }
            } ?? .hint,
            provider: ProviderID(rawValue: provider))
        event.account = try text(value, "account") ?? ""
        event.mode =
            try word(value, "mode") { word in
                ProviderMode.allCases.first { $0.name == word }
            } ?? .unknown
        event.ids = ProviderIDs(
            session: try text(value, "session"), payment: try text(value, "payment"),
            refund: try text(value, "refund"), dispute: try text(value, "dispute"),
            subscription: try text(value, "subscription"), order: try text(value, "order"),
            customer: try text(value, "customer"))
        event.occurredAt = try word(value, "occurredAt") { try? Instant(iso8601: $0) }
        event.status = try word(value, "status") { CheckoutStatus(name: $0) }
        event.amount = try money(value)
        event.reason = try text(value, "reason")
        event.rawType = try text(value, "rawType")
        event.deliveryID = try text(value, "deliveryID")
        event.actor = try text(value, "actor")
        return event
    }

    /// `"amount":{"minorUnits":…,"currency":…}`, or `"amount":…,"currency":…` side by side.
    private static func money(_ value: JSONValue) throws(LedgerError) -> Money? {
        guard let amount = value["amount"], amount != .null else { return nil }
        var units = amount
        var code = value["currency"]
        if case .object = amount {
            units = amount["minorUnits"] ?? .null
            code = amount["currency"]
        }
        guard case .number(let number) = units else { throw malformed("amount") }
        guard let minorUnits = number.integer else {
            throw LedgerError(
                .malformedEvent, "The amount is not a whole number of minor units.",
                hint: "Write 19.99 EUR as 1999; amount_not_integer.")
        }
        guard let currency = code?.text.flatMap({ Currency($0) }) else {
            throw malformed("currency")
        }
        return Money(minorUnits: minorUnits, currency: currency)
    }

    /// Empty text says as little as no text, and `fields(_:)` writes neither.
    private static func text(_ value: JSONValue, _ name: String) throws(LedgerError) -> String? {
        guard let member = value[name], member != .null else { return nil }
        guard let text = member.text else { throw malformed(name) }
        return text.isEmpty ? nil : text
    }

    private static func word<Word>(
        _ value: JSONValue, _ name: String, _ read: (String) -> Word?
    ) throws(LedgerError) -> Word? {
        guard let text = try text(value, name) else { return nil }
        guard let word = read(text) else { throw malformed(name) }
        return word
    }

    private static func malformed(_ name: String) -> LedgerError {
        LedgerError(
            .malformedEvent, "The member '\(name)' is missing or makes no sense.",
            hint: "See 'checkout-ledger help formats' for the members of an event.")
    }
}
