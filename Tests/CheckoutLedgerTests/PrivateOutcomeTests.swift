import CheckoutModel
import Cryptography
import EventLog
import Foundation
import TestSupport
import Testing

@testable import CheckoutLedger

@Suite("What became of a sealed field")
struct PrivateOutcomeTests {
    /// The id of the key that sealed an event's first field.
    private static func key(
        at position: UInt64, in ledger: Ledger<InMemoryStore>
    ) throws -> [UInt8] {
        let blob = try #require(try ledger.event(at: position).payload.sealed.first)
        return Array(blob[1..<17])
    }

    /// What a payload answers in the place of an event's own.
    private static func answer(
        _ payload: EventPayload, of event: RecordedEvent, in ledger: Ledger<InMemoryStore>
    ) throws -> PrivateFieldsAnswer? {
        let place = SealedBlob.Place(
            ledgerID: ledger.id, eventID: event.id, type: event.event.type)
        return try ledger.privateParts(payload, at: place).first?.answer
    }

    private static func change(
        _ ledger: Ledger<InMemoryStore>, _ id: [UInt8], to value: [UInt8]?
    ) throws {
        var change = KeyRowChange()
        let row = KeystoreLayout.key(id)
        if let value {
            change.puts = [KeyRow(key: row, value: value)]
        } else {
            change.deletions = [row]
        }
        try ledger.keystore.commit(change)
    }

    @Test("Erased, without a key, and tampered with are three answers, and are counted apart")
    func survey() async throws {
        let made = try Fixture.memoryLedger()
        for number in 0..<6 { try await made.record(Fixture.opened("cks_\(number)")) }
        try made.erase(ErasureOrder(.session("cks_1")), at: Fixture.now)
        let late = try await made.record(Fixture.opened("cks_1"))
        // Another value over the same rows, which remembers no key.
        let ledger = Ledger(
            log: made.log, keystore: Keystore(rows: made.keystore.rows, ring: made.keystore.ring),
            redactor: Redactor(), ids: RandomLogIDSource(), providers: made.providers)
        try Self.change(ledger, Self.key(at: 2, in: ledger), to: nil)
        let broken = try Self.key(at: 3, in: ledger)
        var row = try #require(try ledger.keystore.rows.value(KeystoreLayout.key(broken)))
        row[20] ^= 1
        try Self.change(ledger, broken, to: row)
        #expect(try ledger.answer(at: 0).lossWord == nil)
        #expect(try ledger.answer(at: 1).lossWord == "erased")
        #expect(try ledger.answer(at: 2) == .keyMissing)
        #expect(try ledger.answer(at: 3) == .tampered)
        guard case .erased(let erased) = try ledger.answer(at: late.position), erased.cameLater
        else {
            Issue.record("late fields do not read as such")
            return
        }
        let contact = try ledger.privateSurvey()[0]
        #expect(contact.readable == 3)
        #expect(contact.erased == 1)
        #expect(contact.cameLater == 1)
        #expect(contact.keyMissing == 1)
        #expect(contact.firstMissing == 2)
        #expect(contact.tampered == 1)
        #expect(contact.firstTampered == 3)
        // A key that no receipt explains is not taken for an erasure.
        #expect(try ledger.erasures().first?.receipt?.keyCount == 1)
    }

    @Test("A blob under a key that the log does not commit to is tampered with")
    func commitment() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1"))
        let event = try ledger.event(at: 0)
        var payload = event.payload
        #expect(try Self.answer(payload, of: event, in: ledger)?.lossWord == nil)
        payload.keyCommitments[0][0] ^= 1
        #expect(try Self.answer(payload, of: event, in: ledger) == .tampered)
    }

    @Test("A blob that was moved to another event, or changed, is tampered with")
    func moved() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1"))
        try await ledger.record(Fixture.opened("cks_1", address: "noor@mail.example"))
        let other = try ledger.event(at: 1).payload.sealed
        let event = try ledger.event(at: 0)
        var payload = event.payload
        payload.sealed[0][40] ^= 1
        #expect(try Self.answer(payload, of: event, in: ledger) == .tampered)
        payload.sealed = other
        #expect(try Self.answer(payload, of: event, in: ledger) == .tampered)
    }

    @Test("A long body says which of the three befell the piece that is not to be had")
    func body() async throws {
        let ledger = try Fixture.memoryLedger()
        let padding = String(repeating: "x", count: 100 * 1_024)
        let receipt = try await ledger.receive(
            #"{"type":"bird.seen","pad":"\#(padding)"}"#, id: "msg_1")
        let delivery = try ledger.event(at: receipt.position)
        guard case .bytes(let bytes) = try ledger.deliveryBody(of: delivery) else {
            Issue.record("the body is not there")
            return
        }
        #expect(bytes.count > padding.utf8.count)
        let session = try ledger.sessions(at: [delivery.stream]).first
        try ledger.erase(
            ErasureOrder(.session(try #require(session).qualifiedName)), at: Fixture.now)
        guard case .lost(.erased) = try ledger.deliveryBody(of: delivery) else {
            Issue.record("an erased body does not say so")
            return
        }
        #expect(try ledger.body(of: delivery) == nil)
    }

    @Test("Keys that an old copy of the keystore brought back are counted against their receipt")
    func returned() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(Fixture.opened("cks_1"))
        let id = try Self.key(at: 0, in: ledger)
        let row = try #require(try ledger.keystore.rows.value(KeystoreLayout.key(id)))
        let entry = try #require(
            try ledger.erase(ErasureOrder(.session("cks_1")), at: Fixture.now).entry)
        #expect(try ledger.returnedKeys(of: entry) == 0)
        try Self.change(ledger, id, to: row)
        #expect(try ledger.returnedKeys(of: entry) == 1)
        #expect(try ledger.sweepReturnedKeys(at: Fixture.now) == 1)
        #expect(try ledger.returnedKeys(of: entry) == 0)
    }
}
