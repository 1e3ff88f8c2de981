import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import EventLog
import LedgerViews
import ProviderKit

/// A webhook as the ledger keeps it.
struct StoredDelivery {
    /// What became of it when it arrived, in the words of `webhooks`.
    enum Verdict: String, CaseIterable {
        /// Verified and applied.
        case ok
        /// Verified; its type means nothing for a checkout.
        case unknown
        /// Verified and not applied, with a reason.
        case quarantined
        /// A known id with other bytes; not applied.
        case conflicting
        /// Its signature did not hold.
        case refused

        var tone: Tone {
            switch self {
            case .ok: .good
            case .unknown: .plain
            case .quarantined, .conflicting: .caution
            case .refused: .bad
            }
        }
    }

    /// The types of events that are webhooks; parts of long ones are not among them.
    static let types: [EventType] = [
        .deliveryReceived, .deliveryRefused, .deliveryConflicted, .deliveryQuarantined,
    ]

    let recorded: RecordedEvent

    init?(_ recorded: RecordedEvent) {
        guard Self.types.contains(recorded.event.type) else { return nil }
        self.recorded = recorded
    }

    var scope: AccountScope {
        AccountScope(
            recorded.event.provider, account: recorded.event.account, mode: recorded.event.mode)
    }

    /// What people call it by: the provider's id, else its place.
    var name: String { recorded.event.deliveryID ?? "@\(recorded.position)" }

    var verdict: Verdict {
        switch recorded.event.type {
        case .deliveryRefused: .refused
        case .deliveryConflicted: .conflicting
        case .deliveryQuarantined: .quarantined
        default: recorded.flags.contains(.unhandled) ? .unknown : .ok
        }
    }

    /// Headers and body as they arrived; throws `SEALED` when they cannot be opened, `MASKED` when
    /// they are not what arrived, and `CUT` when only the beginning was kept.
    func bytes(in ledger: Ledger<LMDBStore>) throws -> WebhookDelivery {
        let answer = try ledger.privateFields(of: recorded)
        let whole = try ledger.deliveryBody(of: recorded)
        guard case .fields(let fields) = answer, case .bytes(let body) = whole else {
            var loss = answer.loss
            if case .lost(let answer) = whole { loss = answer.loss ?? loss }
            throw Complaint(
                code: "SEALED", message: "The bytes of \(name) cannot be opened.",
                hint: "Its fields: \(loss ?? "nothing of them was kept").")
        }
        guard !recorded.flags.contains(.redacted) else {
            throw Complaint(
                code: "MASKED", message: "Something in \(name) was masked before it was stored.",
                hint: "Its signature cannot hold any more, so there is nothing to check or send.")
        }
        guard fields.bodyDigest.isEmpty || SHA256.hash(body).bytes == fields.bodyDigest else {
            throw Complaint(
                code: "CUT", message: "Only the first \(body.count) bytes of \(name) were kept.",
                hint: "Long bodies of refused webhooks are not kept whole.")
        }
        return WebhookDelivery(
            headers: HeaderList(fields.headers.map { (name: $0.name, value: $0.value) }),
            body: body)
    }

    /// What was read from it, in order.
    func meanings(in ledger: Ledger<LMDBStore>) throws(LedgerError) -> [RecordedEvent] {
        var found: [RecordedEvent] = []
        var position = recorded.position + 1
        let end = try ledger.endPosition()
        while position < end {
            let event = try ledger.event(at: position)
            guard event.cause == recorded.position else { break }
            if event.event.type != .deliveryPart { found.append(event) }
            position += 1
        }
        return found
    }
}

extension Context {
    /// The stored webhook that a word names: `@318`, the provider's id, or a beginning of it.
    func storedDelivery(
        _ word: String, in ledger: Ledger<LMDBStore>
    ) throws -> StoredDelivery {
        if word.hasPrefix("@"), let position = UInt64(word.dropFirst()) {
            guard let delivery = StoredDelivery(try ledger.event(at: position)) else {
                throw Complaint(
                    code: "NOT_A_WEBHOOK", message: "The event at \(word) is no webhook.",
                    hint: "List them: \(Program.name) webhooks")
            }
            return delivery
        }
        var query = AuditQuery()
        query.types = StoredDelivery.types
        var named: [StoredDelivery] = []
        var pages = EventPages(query)
        while case let events = try pages.page(of: ledger), !events.isEmpty {
            named += events.compactMap(StoredDelivery.init)
                .filter { $0.recorded.event.deliveryID?.hasPrefix(word) == true }
        }
        // An arrival that conflicts has the id of the first, which is the one that counts.
        let exact = named.filter { $0.recorded.event.deliveryID == word }
        let ids = Set(named.compactMap(\.recorded.event.deliveryID))
        guard let first = exact.first ?? (ids.count == 1 ? named.first : nil), !word.isEmpty else {
            if ids.isEmpty || word.isEmpty {
                throw Complaint(
                    code: "NOT_FOUND", message: "No webhook is called '\(word)'.",
                    hint: "List them: \(Program.name) webhooks")
            }
            throw Complaint(
                code: "AMBIGUOUS", message: "'\(word)' names \(ids.count) webhooks.",
                hint: "Give one more letter, or its place, such as @\(named[0].recorded.position).")
        }
        return first
    }
}
