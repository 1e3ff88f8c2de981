import CheckoutModel
import ProviderKit

/// What a file journal holds: the entries of every checkout that is not done with.
///
/// `{"format":1,"sessions":[{"provider","id","entries":[{"at","fact",…}]}]}`, times in
/// microseconds since 1970.
struct JournalDocument: Sendable {
    private static let format: Int64 = 1
    /// In the order in which the checkouts started.
    private var kept: [(key: SessionKey, entries: [JournalEntry])] = []

    /// Empty.
    init() {}

    /// The checkouts that the entries tell of.
    var sessions: [JournaledSession] { kept.compactMap { Self.fold($0.entries) } }

    /// Adds an entry, and drops its session when that is done with.
    mutating func append(_ entry: JournalEntry) {
        guard let index = kept.firstIndex(where: { $0.key == entry.session }) else {
            if case .started = entry.fact { kept.append((entry.session, [entry])) }
            return
        }
        if case .started = entry.fact { return }
        kept[index].entries.append(entry)
        if Self.fold(kept[index].entries)?.isDone ?? true { kept.remove(at: index) }
    }

    private static func fold(_ entries: [JournalEntry]) -> JournaledSession? {
        guard let first = entries.first, var session = JournaledSession(first) else { return nil }
        for entry in entries.dropFirst() { session.apply(entry.fact) }
        return session
    }
}

extension JournalDocument {
    /// A file of a newer version, which must be left alone.
    struct IsNewer: Error {}

    /// Reads a file; nil when it is none of ours.
    init?(json bytes: [UInt8]) throws(IsNewer) {
        guard let value = try? JSONValue(json: bytes, limit: bytes.count),
            let format = value["format"]?.integer
        else { return nil }
        guard format <= Self.format else { throw IsNewer() }
        guard format == Self.format, let sessions = value["sessions"]?.elements else { return nil }
        for session in sessions {
            guard let provider = session["provider"]?.text, let id = session["id"]?.text,
                let entries = session["entries"]?.elements
            else { return nil }
            let key = SessionKey(ProviderID(rawValue: provider), id)
            let read = entries.map { Self.entry($0, of: key) }
            guard read.allSatisfy({ $0 != nil }) else { return nil }
            kept.append((key, read.compactMap { $0 }))
        }
    }

    /// The file's bytes.
    var json: [UInt8] {
        let sessions = kept.map { session in
            JSONValue.object([
                "provider": .string(session.key.provider.rawValue),
                "id": .string(session.key.id),
                "entries": .array(session.entries.map(Self.json)),
            ])
        }
        return JSONValue.object(["format": .integer(Self.format), "sessions": .array(sessions)])
            .json
    }

    private static func json(_ entry: JournalEntry) -> JSONValue {
        var members: [(String, JSONValue?)] = [
            ("at", .integer(entry.time.microseconds)), ("fact", .string(entry.fact.word)),
        ]
        switch entry.fact {
        case .started(let started):
            members += [
                ("mode", .string(started.mode.name)),
                ("returnURLs", .array(started.returnURLs.map { .string($0) })),
                ("expiresAt", started.expiresAt.map { .integer($0.microseconds) }),
            ]
        case .returned(let claim):
            members += [
                ("status", .string(claim.status.name)),
                ("payment", claim.payment.map { .string($0) }),
                ("subscription", claim.subscription.map { .string($0) }),
                ("late", claim.isLate ? .bool(true) : nil),
                ("uncertain", claim.isCertain ? nil : .bool(true)),
            ]
        case .failedToOpen(let code): members.append(("code", .string(code)))
        case .closed(let ending): members.append(("ending", .string(ending.rawValue)))
        case .resolved(let status): members.append(("status", .string(status.name)))
        case .opened, .acknowledged: break
        }
        return .object(
            members.compactMap { name, value in value.map { JSONMember(name: name, value: $0) } })
    }

    private static func entry(_ value: JSONValue, of key: SessionKey) -> JournalEntry? {
        guard let time = value["at"]?.integer, let word = value["fact"]?.text,
            let fact = fact(word, value)
        else { return nil }
        return JournalEntry(key, at: Instant(microseconds: time), fact)
    }

    private static func fact(_ word: String, _ value: JSONValue) -> JournalFact? {
        let status = value["status"]?.text.flatMap { CheckoutStatus(name: $0) }
        switch word {
        case "started":
            return .started(
                StartedCheckout(
                    mode: ProviderMode.allCases.first { $0.name == value["mode"]?.text }
                        ?? .unknown,
                    returnURLs: (value["returnURLs"]?.elements ?? []).compactMap(\.text),
                    expiresAt: value["expiresAt"]?.integer.map { Instant(microseconds: $0) }))
        case "opened": return .opened
        case "failed_to_open": return .failedToOpen(code: value["code"]?.text ?? "")
        case "returned":
            return status.map { status in
                .returned(
                    ReturnedCheckout(
                        status: status, payment: value["payment"]?.text,
                        subscription: value["subscription"]?.text,
                        isLate: value["late"] == .bool(true),
                        isCertain: value["uncertain"] != .bool(true)))
            }
        case "closed":
            return value["ending"]?.text.flatMap { CheckoutEnding(rawValue: $0) }.map {
                .closed($0)
            }
        case "acknowledged": return .acknowledged
        case "resolved": return status.map { .resolved($0) }
        default: return nil
        }
    }
}

extension JournalFact {
    fileprivate var word: String {
        switch self {
        case .started: "started"
        case .opened: "opened"
        case .failedToOpen: "failed_to_open"
        case .returned: "returned"
        case .closed: "closed"
        case .acknowledged: "acknowledged"
        case .resolved: "resolved"
        }
    }
}
