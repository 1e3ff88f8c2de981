import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("A journal that is the ledger")
struct SessionJournalTests {
    static let urls = ["shopdemo://checkout/return", "shopdemo://checkout/cancel"]
    static let key = SessionKey("dodo", "cks_1")
    static let start = JournalFact.started(
        StartedCheckout(
            mode: .test, returnURLs: urls, expiresAt: Instant(seconds: 1_772_700_000)))

    static func returned(
        _ status: CheckoutStatus, late: Bool = false, certain: Bool = true
    ) -> JournalFact {
        .returned(
            ReturnedCheckout(
                status: status, payment: "pay_1", isLate: late, isCertain: certain,
                url: "\(urls[0])?status=\(status.name)&payment_id=pay_1&email=mira%40mail.example"))
    }

    /// Entries a second apart, so that each is a fact of its own.
    static func entries(
        _ facts: [JournalFact], of key: SessionKey = key, from second: Int64 = 0
    ) -> [JournalEntry] {
        facts.enumerated().map { index, fact in
            JournalEntry(
                key, at: Instant(seconds: Fixture.now.seconds + second + Int64(index)), fact)
        }
    }

    static func write(
        _ facts: [JournalFact], to journal: some SessionJournal, of key: SessionKey = key,
        from second: Int64 = 0
    ) async throws {
        for entry in entries(facts, of: key, from: second) { try await journal.append(entry) }
    }

    struct Course: Sendable, CustomTestStringConvertible {
        let id: String
        let facts: [JournalFact]
        /// The events written, each with its reason.
        let events: [String]
        var testDescription: String { id }
    }

    static let courses = [
        Course(id: "killed before the page", facts: [start], events: ["session.created"]),
        Course(
            id: "killed behind the page", facts: [start, .opened],
            events: ["session.created", "session.opened"]),
        Course(
            id: "never shown", facts: [start, .failedToOpen(code: "BROWSER_UNAVAILABLE")],
            events: ["session.created", "session.failed_to_open BROWSER_UNAVAILABLE"]),
        Course(
            id: "came back", facts: [start, .opened, returned(.succeeded), .closed(.returned)],
            events: ["session.created", "session.opened", "session.returned"]),
        Course(
            id: "came back and handed over",
            facts: [start, .opened, returned(.succeeded), .closed(.returned), .acknowledged],
            events: [
                "session.created", "session.opened", "session.returned", "note.added acknowledged",
            ]),
        Course(
            id: "perhaps of another checkout",
            facts: [start, .opened, returned(.succeeded, certain: false), .acknowledged],
            events: [
                "session.created", "session.opened", "session.returned uncertain",
                "note.added acknowledged",
            ]),
        Course(
            id: "closed, then came back late",
            facts: [start, .opened, .closed(.dismissed), returned(.failed, late: true)],
            events: [
                "session.created", "session.opened", "session.closed dismissed",
                "session.returned late",
            ]),
        Course(
            id: "given up by the app", facts: [start, .opened, .closed(.cancelledByApp)],
            events: ["session.created", "session.opened", "session.closed cancelled_by_app"]),
        Course(
            id: "timed out", facts: [start, .opened, .closed(.timedOut), .acknowledged],
            events: [
                "session.created", "session.opened", "note.added timed_out",
                "note.added acknowledged",
            ]),
        Course(
            id: "resolved by the host", facts: [start, .opened, .resolved(.succeeded)],
            events: ["session.created", "session.opened", "session.cleared"]),
    ]

    /// A session as its facts alone make it, without the URL that no journal gives back.
    static func expected(_ facts: [JournalFact]) throws -> [JournaledSession] {
        var session = try #require(JournaledSession(entries(facts)[0]))
        for fact in facts.dropFirst() {
            var fact = fact
            if case .returned(var claim) = fact {
                claim.url = ""
                fact = .returned(claim)
            }
            session.apply(fact)
        }
        // A return closes the page for the app, whether or not it lived to say so.
        if session.returned?.isLate == false { session.apply(.closed(.returned)) }
        return session.isDone ? [] : [session]
    }

    @Test("Every course is written as events, and read back the same", arguments: courses)
    func course(_ course: Course) async throws {
        let ledger = try Fixture.memoryLedger()
        let journal = LedgerSessionJournal(ledger)
        try await Self.write(course.facts, to: journal)
        let events = try ledger.timeline(of: "cks_1").events.map(\.event)
        #expect(
            events.map { $0.type.name + ($0.reason.map { " \($0)" } ?? "") } == course.events)
        let expected = try Self.expected(course.facts)
        #expect(try await journal.sessions() == expected)
        #expect(try await LedgerSessionJournal(ledger).sessions() == expected, "read anew")
        let session = try ledger.session(named: "cks_1")
        #expect(session.outcome == nil, "nothing that an app saw is an outcome")
    }

    @Test("The ledger shows the status that the app shows", arguments: courses)
    func status(_ course: Course) async throws {
        let ledger = try Fixture.memoryLedger()
        let journal = LedgerSessionJournal(ledger)
        try await Self.write(course.facts, to: journal)
        guard let session = try await journal.sessions().first else { return }
        #expect(try ledger.session(named: "cks_1").state.evidence.status == session.status)
    }

    @Test("Wherever an app dies, its checkout is among those to ask about", arguments: courses)
    func killedAnywhere(_ course: Course) async throws {
        for count in 1...course.facts.count {
            let ledger = try Fixture.memoryLedger()
            let facts = Array(course.facts.prefix(count))
            try await Self.write(facts, to: LedgerSessionJournal(ledger))
            var found: [String] = []
            try ledger.forEachAbandonedSession(asOf: Instant(seconds: 2_000_000_000)) {
                (session) throws(LedgerError) in
                found.append(session.session.name)
                return .more
            }
            let isResolved = facts.contains { if case .resolved = $0 { true } else { false } }
            #expect(found == (isResolved ? [] : ["cks_1"]), "after \(count)")
        }
    }

    @Test("A return to a session that is done with is an event, and opens nothing again")
    func returnWhenDone() async throws {
        let ledger = try Fixture.memoryLedger()
        let (first, second) = (LedgerSessionJournal(ledger), LedgerSessionJournal(ledger))
        try await Self.write(
            [Self.start, .opened, Self.returned(.succeeded), .acknowledged], to: first)
        // Another process shows the same page.
        try await Self.write([Self.returned(.failed)], to: second, from: 10)
        let session = try ledger.timeline(of: "cks_1")
        #expect(session.events.last?.event.status == .failed)
        #expect(session.events.last?.event.type == .sessionReturned)
        #expect(try await first.sessions().isEmpty)
        #expect(try await second.sessions().isEmpty)
    }

    @Test("An entry told again adds nothing, and the same fact at another time is another fact")
    func again() async throws {
        let ledger = try Fixture.memoryLedger()
        let journal = LedgerSessionJournal(ledger)
        let facts = [Self.start, .opened, .closed(.dismissed)]
        for _ in 0..<2 { try await Self.write(facts, to: journal) }
        #expect(try ledger.endPosition() == 3)
        try await journal.append(
            JournalEntry(Self.key, at: Instant(seconds: 1_800_000_000), .opened))
        #expect(try ledger.endPosition() == 4)
    }

    @Test("A return that the server recorded too is one event")
    func returnTwice() async throws {
        let ledger = try Fixture.memoryLedger()
        let journal = LedgerSessionJournal(ledger)
        try await Self.write([Self.start, .opened, Self.returned(.succeeded)], to: journal)
        guard case .returned(let claim) = Self.returned(.succeeded) else { return }
        let receipt = try await ledger.record(
            returnURL: claim.url, readBy: Fixture.dodo(), scope: Fixture.scope, session: "cks_1")
        #expect(receipt.recorded.wasThere)
    }

    @Test("Return URLs, the address in one and the registered ones stand sealed")
    func sealed() async throws {
        let ledger = try Fixture.memoryLedger()
        try await Self.write(
            [Self.start, .opened, Self.returned(.succeeded)], to: LedgerSessionJournal(ledger))
        for position in 0..<(try ledger.endPosition()) {
            let record = try ledger.log.read { try $0.record(at: position) }
            let text = String(decoding: record.bytes, as: UTF8.self)
            #expect(!text.contains("shopdemo") && !text.contains("mira"))
        }
        guard case .fields(let fields) = try ledger.privateFields(of: try ledger.event(at: 2))
        else {
            Issue.record("the sealed fields do not open")
            return
        }
        #expect(fields.customerEmail == "mira@mail.example")
        #expect(fields.returnURL?.hasPrefix("shopdemo://checkout/return?") == true)
    }

    @Test("A session that a webhook settled is done with once nothing waits to be handed over")
    func decided() async throws {
        let ledger = try Fixture.memoryLedger()
        let journal = LedgerSessionJournal(ledger)
        try await Self.write([Self.start, .opened], to: journal)
        let body = Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1")
        try await ledger.receive(body, id: "msg_1")
        #expect(try await journal.sessions().isEmpty)
        // The browser comes back after the webhook: its hint is recorded, and is handed over.
        try await Self.write([Self.returned(.pending)], to: journal, from: 9)
        #expect(try await journal.sessions().map(\.status) == [.pending])
        try await Self.write([.acknowledged], to: journal, from: 10)
        #expect(try await journal.sessions().isEmpty)
    }

    @Test("Sessions of other accounts and of no flow are not the journal's")
    func others() async throws {
        let ledger = try Fixture.memoryLedger()
        let journal = LedgerSessionJournal(ledger)
        let branch = LedgerSessionJournal(ledger, account: "eu")
        try await Self.write([Self.start, .opened], to: branch)
        try await ledger.record(
            CheckoutEvent(
                .sessionCreated, source: .host, provider: "dodo",
                ids: ProviderIDs(session: "cks_2")))
        #expect(try await journal.sessions().isEmpty)
        #expect(try await branch.sessions().map(\.key) == [Self.key])
        try await Self.write([.opened, Self.returned(.failed)], to: journal)
        #expect(try ledger.endPosition() == 3, "an entry of a session that is not there")
    }

    @Test("Many sessions stay in the order of their starts, over more events than one page")
    func order() async throws {
        let ledger = try Fixture.memoryLedger()
        let journal = LedgerSessionJournal(ledger)
        for number in 0..<300 {
            try await Self.write(
                [Self.start, .opened], to: journal, of: SessionKey("dodo", "cks_\(number)"))
        }
        let expected = (0..<300).map { "cks_\($0)" }
        #expect(try await journal.sessions().map(\.key.id) == expected)
        #expect(try await LedgerSessionJournal(ledger).sessions().map(\.key.id) == expected)
    }

    @Test("A reopened ledger tells of the checkouts that a killed app left")
    func reopened() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("shop.ledger").path
            let options = try DiskLedgerTests.options(folder)
            let first = try Ledger.create(at: path, options: options)
            let journal = LedgerSessionJournal(first)
            try await Self.write([Self.start, .opened], to: journal)
            try await Self.write(
                [Self.start, .opened, Self.returned(.succeeded)], to: journal,
                of: SessionKey("dodo", "cks_2"))
            let before = try await journal.sessions()
            first.close()
            let second = try Ledger.open(at: path, options: options)
            defer { second.close() }
            let after = LedgerSessionJournal(second)
            #expect(try await after.sessions() == before)
            #expect(before.map(\.started.returnURLs) == [Self.urls, Self.urls])
            try await Self.write([.resolved(.failed)], to: after, from: 20)
            #expect(try await after.sessions().map(\.key.id) == ["cks_2"])
        }
    }

    @Test("A flow that died becomes an event when the app starts again, once")
    func interrupted() async throws {
        let ledger = try Fixture.memoryLedger()
        let journal = LedgerSessionJournal(ledger)
        let courses: [(String, [JournalFact])] = [
            ("cks_1", [Self.start]), ("cks_2", [Self.start, .opened]),
            ("cks_3", [Self.start, .opened, Self.returned(.pending)]),
            ("cks_4", [Self.start, .opened, .closed(.dismissed)]),
            ("cks_5", [Self.start, .opened, .closed(.timedOut)]),
        ]
        for (id, facts) in courses {
            try await Self.write(facts, to: journal, of: SessionKey("dodo", id))
        }
        let before = try await journal.sessions()
        for second in 0..<3 {
            let next = LedgerSessionJournal(ledger)
            let time = Instant(seconds: Fixture.now.seconds + 100 + Int64(second))
            try await next.noteInterrupted(at: time)
            #expect(try await next.sessions() == before, "nothing is lost from the list")
        }
        let noted = try courses.map(\.0).filter { id in
            try ledger.timeline(of: id).events.filter { $0.event.reason == "interrupted" }.count
                == 1
        }
        #expect(noted == ["cks_1", "cks_2"])
        let ends = try ledger.endPosition()
        #expect(ends == UInt64(courses.map(\.1.count).reduce(2, +)))
    }

    @Test("A ledger that cannot be written keeps the checkout from being opened")
    func readOnly() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.appendingPathComponent("shop.ledger").path
            var options = try DiskLedgerTests.options(folder)
            try Ledger.create(at: path, options: options).close()
            options.isReadOnly = true
            let ledger = try Ledger.open(at: path, options: options)
            defer { ledger.close() }
            let error = await #expect(throws: JournalError.self) {
                try await Self.write([Self.start], to: LedgerSessionJournal(ledger))
            }
            #expect(error?.code == "JOURNAL_WRITE_FAILED")
        }
    }
}
