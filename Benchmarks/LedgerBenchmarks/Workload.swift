import CheckoutModel
import EventLog

/// One event of the workload, in the forms that the stores take.
struct WorkEvent {
    let event: CheckoutEvent
    let session: String
    /// Place of the session among all, from 0.
    let number: Int
    let revision: UInt32
    let eventID: [UInt8]
    let type: UInt16
    let occurredAt: Int64
    let amount: Int64
    /// What a record holds beside its envelope: the fixed area and the payload.
    let data: [UInt8]
    let request: AppendRequest
}

/// Checkouts as a shop sees them: many open at once, a dozen events each, random ids.
///
/// The same sequence for the same seed. Records have 240 to 400 bytes with their checksum; raw
/// deliveries are not among them.
struct Workload {
    private struct Open {
        var number: Int
        var step = 0
        var ids: ProviderIDs
        var amount: Money
        var hasFailed: Bool
    }

    static let eventsPerSession = 12
    private static let openAtOnce = 1_000
    private static let provider = ProviderID("dodo")
    private static let start: Int64 = 1_772_600_767_000_000

    private var random: SplitMix64
    private var open: [Open] = []
    private var sessions = 0
    private var events: Int64 = 0

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    /// The next events, each of a session picked at random among the open ones.
    mutating func next(_ count: Int) -> [WorkEvent] { (0..<count).map { _ in next() } }

    mutating func next() -> WorkEvent {
        while open.count < Self.openAtOnce { open.append(begin()) }
        let index = Int(random.next() % UInt64(open.count))
        let event = makeEvent(open[index])
        open[index].step += 1
        if open[index].step == Self.eventsPerSession { open[index] = begin() }
        return event
    }

    private mutating func begin() -> Open {
        defer { sessions += 1 }
        let ids = ProviderIDs(
            session: "cks_" + id(), payment: "pay_" + id(), order: "order-\(sessions)",
            customer: "cus_" + id())
        let cents = Int64(random.next() % 20_000) + 100
        return Open(
            number: sessions, ids: ids,
            amount: Money(minorUnits: cents, currency: random.next() & 1 == 0 ? .eur : .usd),
            hasFailed: random.next() % 8 == 0)
    }

    private mutating func id() -> String {
        String(random.next() | 1 << 63, radix: 36) + String(random.next() | 1 << 63, radix: 36)
    }

    private mutating func makeEvent(_ session: Open) -> WorkEvent {
        let event = Self.event(session, at: Self.start + events * 1_000)
        events += 1
        let eventID = EventID(
            value: UInt128(random.next()) << 64 | UInt128(random.next()))
        let fact = Fact(event, selfReference: EventReference(rawValue: 1))
        var area = [UInt8](repeating: 0, count: Fact.byteCount)
        area.withUnsafeMutableBytes { fact.encode(into: $0) }
        var domain = DomainArea()
        for offset in stride(from: 0, to: Fact.byteCount, by: 8) {
            let word = area.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
            domain.store(UInt64(littleEndian: word), at: offset)
        }
        let payload = EventPayload(event).encoded()
        let draft = EventDraft(
            type: event.type.rawValue, eventID: eventID,
            occurredAt: event.occurredAt?.microseconds, domain: domain, payload: payload)
        return WorkEvent(
            event: event, session: session.ids.session ?? "", number: session.number,
            revision: UInt32(session.step), eventID: eventID.bytes, type: event.type.rawValue,
            occurredAt: Self.start + events, amount: event.amount?.minorUnits ?? 0,
            data: area + payload,
            request: AppendRequest(identities: Self.identities(event), drafts: [draft]))
    }

    /// The course of a checkout: made, shown, paid after a hint and two webhooks, sometimes
    /// declined first.
    private static func event(_ session: Open, at time: Int64) -> CheckoutEvent {
        let known = session.ids
        let named = ProviderIDs(session: known.session)
        let webhook = ProviderIDs(
            session: known.session, payment: known.payment, customer: known.customer)
        func make(
            _ type: EventType, _ source: EventSource, _ evidence: Evidence, _ ids: ProviderIDs,
            _ amount: Money? = nil, status: CheckoutStatus? = nil, rawType: String? = nil
        ) -> CheckoutEvent {
            CheckoutEvent(
                type, source: source, evidence: evidence,
                occurredAt: Instant(microseconds: time), provider: provider, mode: .live, ids: ids,
                amount: amount, status: status, rawType: rawType)
        }
        let amount = session.amount
        switch session.step {
        case 0: return make(.sessionCreated, .host, .verified, known, amount)
        case 1: return make(.sessionOpened, .app, .hint, named)
        case 2: return make(.deliveryReceived, .webhook, .verified, webhook)
        case 3: return make(.paymentPending, .webhook, .verified, webhook, amount)
        case 4: return make(.sessionReturned, .browser, .hint, named, status: .succeeded)
        case 5: return make(.deliveryReceived, .webhook, .verified, webhook)
        case 6 where session.hasFailed:
            return make(
                .paymentFailed, .webhook, .verified, webhook, amount, rawType: "payment.failed")
        case 6, 8:
            return make(
                .paymentSucceeded, .webhook, .verified, webhook, amount,
                rawType: "payment.succeeded")
        case 7: return make(.statusChecked, .query, .verified, webhook)
        case 9: return make(.deliveryReceived, .webhook, .verified, webhook)
        case 10: return make(.sessionClosed, .app, .hint, named)
        default: return make(.noteAdded, .host, .hint, named)
        }
    }

    /// Keys as a checkout ledger lays them out: kind, provider, account, mode, id.
    private static func identities(_ event: CheckoutEvent) -> [StreamIdentity] {
        let ids = event.ids
        var found: [StreamIdentity] = []
        func add(_ kind: UInt8, _ id: String?, _ role: StreamIdentity.Role) {
            guard let id else { return }
            let key = [kind] + Array(event.provider.rawValue.utf8) + [0, 0, 1] + Array(id.utf8)
            found.append(StreamIdentity(key: key, role: role))
        }
        let mayJoin = event.evidence > .hint
        add(1, ids.session, mayJoin ? .joins : .routes)
        add(2, ids.payment, .joins)
        add(16, ids.order, .finds)
        add(17, ids.customer, .finds)
        return found
    }
}

/// Numbers that are the same for the same seed everywhere.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Currency {
    fileprivate static var eur: Currency { known("EUR") }
    fileprivate static var usd: Currency { known("USD") }

    private static func known(_ code: String) -> Currency {
        guard let currency = Currency(code) else { preconditionFailure("three letters") }
        return currency
    }
}
