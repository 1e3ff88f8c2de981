import CheckoutModel
import Foundation
import TestSupport
import Testing

@testable import CheckoutFlow
@testable import DodoCheckout

@MainActor
@Suite("What the facade adds to Dodo's SDK")
struct FacadeTests {
    private static let back = "myapp://checkout/return"
    private static let page = "https://test.checkout.dodopayments.com/session/"

    private func phone(
        _ folder: URL, legacy: LegacyDefaults? = nil
    ) throws -> Phone {
        try Phone(folder.appendingPathComponent("sessions.json"), legacy: legacy)
    }

    /// Runs a checkout to its end.
    private func run(_ phone: Phone, _ id: String, _ query: String?) async {
        await phone.start(Self.page + id, Self.back)
        phone.screen.scripted.report(.shown)
        if let query {
            phone.open("\(Self.back)?\(query)")
        } else {
            phone.screen.scripted.report(.dismissed)
        }
        await phone.returned()
    }

    @Test("Every field of a return has its place, and nothing of it is lost")
    func fields() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try phone(folder)
            await run(
                phone, "cks_A",
                "status=succeeded&payment_id=pay_1&license_key=K1%2CK2&license_key=K3"
                    + "&email=a%2Bb%40c.example&x=1&x=2&&flag")
            let result = try #require(phone.lastResult)
            #expect(result.status == .succeeded)
            #expect(result.paymentId == "pay_1")
            #expect(result.subscriptionId == nil)
            #expect(result.licenseKeys == ["K1", "K2", "K3"])
            #expect(result.customerEmail == "a+b@c.example")
            #expect(result.raw["x"] == "2")
            #expect(result.raw["flag"] == "")
            #expect(result.raw[""] == nil)
            #expect(result.parameters.filter { $0.name == "x" }.map(\.value) == ["1", "2"])
            #expect(result.sessionId == "cks_A")
            #expect(result.ending == .returned)
            #expect("\(result)" == "cks_A: succeeded, returned")
        }
    }

    @Test("A result without keys has none, and contradictions are pending")
    func doubts() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try phone(folder)
            await run(phone, "cks_A", "status=succeeded&payment_id=pay_1&payment_id=")
            let result = try #require(phone.lastResult)
            #expect(result.licenseKeys == nil)
            #expect(result.paymentId == nil || result.paymentId == "pay_1")
            await run(phone, "cks_B", "status=succeeded&status=failed")
            #expect(phone.lastResult?.status == .pending)
        }
    }

    @Test(
        "The one record of Dodo's SDK is taken over once",
        arguments: [
            ("1700000000.25", 1_700_000_000.25), ("soon", 0.0), (nil, 0.0), ("1e300", 0.0),
        ] as [(String?, Double)])
    func migration(_ time: String?, _ seconds: Double) throws {
        try withTemporaryDirectory { folder in
            var values = [LegacyRecord.sessionKey: "cks_OLD", "other": "stays"]
            values[LegacyRecord.timeKey] = time
            let legacy = LegacyDefaults(values)
            let phone = try phone(folder, legacy: legacy)
            let found = AbandonedSession(
                sessionId: "cks_OLD", createdAt: Date(timeIntervalSince1970: seconds),
                expiresAt: Date(timeIntervalSince1970: seconds + 86_400), isExpired: true)
            #expect(phone.desk.shelf.current() == found)
            #expect(legacy.all == ["other": "stays"])
            try phone.restart()
            #expect(try phone.desk.shelf.abandoned() == [found])
            phone.desk.shelf.clear()
            #expect(phone.desk.shelf.current() == nil)
        }
    }

    @Test("A record that cannot be taken over stays where it is")
    func failedMigration() throws {
        try withTemporaryDirectory { folder in
            let legacy = LegacyDefaults([LegacyRecord.sessionKey: "cks_OLD"])
            let shelf = SessionShelf(
                journal: FileJournal(path: folder.appendingPathComponent("no/such/file").path),
                clock: StillClock(time: Instant(seconds: 0)), legacy: legacy)
            #expect(shelf.current() == nil)
            #expect(legacy.all[LegacyRecord.sessionKey] == "cks_OLD")
        }
    }

    @Test("Each session is cleared by its own name")
    func clearing() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try phone(folder)
            for id in ["cks_A", "cks_B", "cks_C"] { await run(phone, id, nil) }
            #expect(phone.desk.shelf.current()?.sessionId == "cks_C")
            #expect(phone.desk.shelf.clear("cks_A"))
            #expect(!phone.desk.shelf.clear("cks_A"))
            #expect(phone.abandoned == ["cks_B", "cks_C"])
            phone.desk.shelf.clear()
            #expect(phone.abandoned == ["cks_B"])
            phone.desk.shelf.clear()
            #expect(phone.abandoned == [])
        }
    }

    @Test("A return URL of its own for each session makes a return certain")
    func boundReturn() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try phone(folder)
            await phone.start("\(Self.page)cks_A", "\(Self.back)/nonce-a")
            phone.screen.scripted.report(.dismissed)
            await phone.returned()
            await phone.start("\(Self.page)cks_B", "\(Self.back)/nonce-b")
            phone.open("\(Self.back)?status=succeeded&payment_id=forged")
            phone.open("\(Self.back)/nonce-a?status=succeeded&payment_id=pay_A")
            await phone.until { !phone.late.isEmpty }
            phone.open("\(Self.back)/nonce-b?status=failed&payment_id=pay_B")
            await phone.returned()
            #expect(phone.answers == [false, true, true])
            #expect(phone.late.map(\.sessionId) == ["cks_A"])
            #expect(phone.late.map(\.paymentId) == ["pay_A"])
            #expect(phone.lastResult?.paymentId == "pay_B")
            #expect(phone.lastResult?.isCertain == true)
            #expect(phone.abandoned == [])
        }
    }

    @Test("An abandoned session tells when it could last be paid")
    func expiry() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try phone(folder)
            let run = Task {
                try await phone.desk.start(
                    CheckoutRequest(
                        checkoutURL: Self.page + "cks_A", returnURL: Self.back,
                        expiresAt: Instant(seconds: 1_767_312_000)))
            }
            await phone.until { !phone.screen.scripted.pages.isEmpty }
            phone.screen.scripted.report(.dismissed)
            _ = try await run.value
            let left = phone.desk.shelf.current()
            #expect(left?.expiresAt == Date(timeIntervalSince1970: 1_767_312_000))
            #expect(left?.isExpired == false)
        }
    }

    @Test("A session older than Dodo keeps any says so, and stays in the list")
    func oldSession() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try phone(folder)
            await run(phone, "cks_A", nil)
            #expect(phone.desk.shelf.current()?.isExpired == false)
            phone.clock = StillClock(time: Instant(seconds: 1_767_225_600 + 86_401))
            try phone.restart()
            let left = try phone.desk.shelf.abandoned()
            #expect(left.map(\.sessionId) == ["cks_A"])
            #expect(left.map(\.isExpired) == [true])
            #expect(left.first?.expiresAt == Date(timeIntervalSince1970: 1_767_312_000))
        }
    }

    @Test("Apps that never acknowledge do not fill the phone")
    func pruning() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try phone(folder)
            let journal = phone.desk.shelf.journal
            await run(phone, "cks_open", nil)
            for number in 0..<40 {
                let key = SessionKey("dodo", "cks_\(number)")
                let facts: [JournalFact] = [
                    .started(StartedCheckout(mode: .test, returnURLs: [])), .opened,
                    .returned(ReturnedCheckout(status: .succeeded)), .closed(.returned),
                ]
                for fact in facts {
                    try journal.appendNow(JournalEntry(key, at: phone.clock.now(), fact))
                }
            }
            await phone.start("\(Self.page)cks_last", "\(Self.back)/last")
            phone.open("\(Self.back)/last?status=failed")
            await phone.returned()
            let kept = try journal.sessionsNow().map(\.key.id)
            #expect(kept.first == "cks_open")
            #expect(kept.last == "cks_last")
            #expect(kept.count == 33)
        }
    }

    @Test("The log tells which checkout an event is about")
    func log() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try phone(folder)
            var told: [LoggedEvent] = []
            phone.desk.onLog = { told.append($0) }
            await run(phone, "cks_A", "status=succeeded")
            #expect(told.map(\.name) == phone.events)
            #expect(told.allSatisfy { $0.sessionId == "cks_A" })
            #expect(told.first?.time == Date(timeIntervalSince1970: 1_767_225_600))
        }
    }

    @Test("A second start takes neither the listener nor the look of the first")
    func secondStart() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            let phone = try phone(folder)
            await phone.start("\(Self.page)cks_A", Self.back)
            await phone.start("\(Self.page)cks_B", Self.back)
            #expect(phone.lastReason == "ALREADY_IN_PROGRESS")
            #expect(phone.desk.shelf.current()?.sessionId == "cks_A")
            phone.open("\(Self.back)?status=succeeded")
            phone.screen.scripted.finishDismissing()
            await phone.settle()
            #expect(phone.events.count == 3)
        }
    }
}
