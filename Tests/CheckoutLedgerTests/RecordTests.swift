import CheckoutLedger
import CheckoutModel
import EventLog
import Testing

@Suite("Events are recorded once, or not at all")
struct RecordTests {
    let clock = ManualClock(Fixture.now)
    let ledger: Ledger<InMemoryStore>

    init() throws { ledger = try Fixture.memoryLedger(clock: clock) }

    func opened(_ session: String, order: String? = nil) -> CheckoutEvent {
        CheckoutEvent(
            .sessionOpened, source: .app, occurredAt: Instant(microseconds: clock.now()),
            provider: "dodo", ids: ProviderIDs(session: session, order: order))
    }

    @Test("pub-store-08: a named event told again gives its position, whatever is expected then")
    func namedEvent() async throws {
        let first = try await ledger.record(opened("cks_1"), name: "E1", expected: .none)
        let again = try await ledger.record(opened("cks_1"), name: "E1", expected: .exactly(1))
        #expect(again.position == first.position)
        #expect(again.wasThere)
        #expect(try ledger.endPosition() == 1)
    }

    @Test("A name used for another event is refused, not taken for a retry")
    func reusedName() async throws {
        try await ledger.record(opened("cks_1"), name: "E1")
        var other = opened("cks_1")
        other.type = .sessionClosed
        await #expect(throws: LedgerError.self) {
            try await ledger.record(other, name: "E1")
        }
    }

    @Test("Another number of events than expected is refused and nothing is written")
    func revision() async throws {
        try await ledger.record(opened("cks_1"))
        let error = await #expect(throws: LedgerError.self) {
            try await ledger.record(opened("cks_1"), expected: .none)
        }
        #expect(error?.code.rawValue == "REVISION_CONFLICT")
        #expect(try ledger.endPosition() == 1)
    }

    @Test("A batch with one bad event leaves nothing behind")
    func batch() async throws {
        var bad = opened("cks_2")
        bad.reason = String(repeating: "x", count: Limits.reasonBytes + 1)
        let entries = [EventEntry(opened("cks_1")), EventEntry(bad)]
        await #expect(throws: LedgerError.self) { try await ledger.record(entries) }
        let refused = [
            EventEntry(opened("cks_1")), EventEntry(opened("cks_1"), expected: .exactly(9)),
        ]
        await #expect(throws: LedgerError.self) { try await ledger.record(refused) }
        #expect(try ledger.endPosition() == 0)
    }

    @Test("pub-store-04: a session id of 600 bytes is found again; one beyond the limit is refused")
    func longIDs() async throws {
        let long = String(repeating: "k", count: 600)
        try await ledger.record(opened(long))
        try await ledger.record(opened(long))
        #expect(try ledger.session(named: long).state.trace.eventCount == 2)
        let tooLong = String(repeating: "k", count: Limits.idBytes + 1)
        let error = await #expect(throws: LedgerError.self) {
            try await ledger.record(opened(tooLong))
        }
        #expect(error?.code == .tooLong)
        #expect(try ledger.endPosition() == 2)
    }

    @Test("Sessions are told apart by provider, account and mode")
    func scopes() async throws {
        try await ledger.record(opened("cks_1"))
        var other = opened("cks_1")
        other.account = "eu"
        try await ledger.record(other)
        try await ledger.record(other, mode: .test)
        #expect(try ledger.sessions().count == 3)
        #expect(throws: LedgerError.self) { try ledger.session(named: "cks_1") }
        #expect(throws: Never.self) { try ledger.session(named: "dodo/cks_1") }
    }

    @Test("A beginning that fits one session names it; one that fits several does not")
    func prefixes() async throws {
        try await ledger.record(opened("cks_7Qm"))
        try await ledger.record(opened("cks_7Tz"))
        #expect(try ledger.session(named: "cks_7Q").name == "cks_7Qm")
        let error = #expect(throws: LedgerError.self) { try ledger.session(named: "cks_7") }
        #expect(error?.code == .ambiguous)
        let missing = #expect(throws: LedgerError.self) { try ledger.session(named: "cks_9") }
        #expect(missing?.code == .notFound)
    }

    @Test("A clock that jumps back is held, and the record says so")
    func clockBack() async throws {
        try await ledger.record(opened("cks_1"))
        clock.set(Instant(seconds: Fixture.now.seconds - 60))
        try await ledger.record(opened("cks_2"))
        let held = try ledger.event(at: 1)
        #expect(held.recordedAt == Fixture.now)
        #expect(held.clockWasHeld)
        #expect(try !ledger.event(at: 0).clockWasHeld)
    }

    @Test("An operator's secret pasted into a note is masked before it is stored")
    func redaction() async throws {
        var options = try Fixture.options()
        options.redactor = Redactor(secrets: [Fixture.secret])
        let ledger = try Ledger<InMemoryStore>.inMemory(options: options)
        try await ledger.record(opened("cks_1"))
        try await ledger.note("we use \(Fixture.secret) there", on: "cks_1", at: Fixture.now)
        let event = try ledger.event(at: 1)
        #expect(event.event.reason == "we use [secret known] there")
        #expect(event.flags.contains(.redacted))
    }
}
