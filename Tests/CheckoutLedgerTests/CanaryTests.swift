import CheckoutLedger
import CheckoutModel
import Cryptography
import EventLog
import Foundation
import ProviderKit
import TestSupport
import Testing

/// Values that occur nowhere else, so that finding one anywhere means that it was written there.
enum Canary {
    static let pan = "45399458" + "07302151"
    static let code = "8264"
    static let secret = "sk_" + "live_" + "Canary0Canary1Canary2"
    static let own = "zz-own-canary-secret-000"
    static let email = "canary.mail@birdcage.example"

    static let text =
        "card \(pan) cvv: \(code) key \(secret) and \(own), write to \(email)"

    /// What must be in no file: as it is, in base 64 at each of its three alignments, in hex.
    static let forbidden: [(name: String, bytes: [UInt8])] =
        [("pan", pan), ("code", code), ("secret", secret), ("own", own), ("e-mail", email)]
        .flatMap { name, value in forms(name, Array(value.utf8)) }

    private static func forms(_ name: String, _ bytes: [UInt8]) -> [(String, [UInt8])] {
        var forms = [(name, bytes)]
        // Four digits have base 64 too short to be told from chance.
        guard bytes.count > 8 else { return forms }
        for shift in 0..<3 {
            let encoded = Base64.encode([UInt8](repeating: 0, count: shift) + bytes)
            forms.append(
                (
                    "\(name) in base 64",
                    Array(encoded.utf8.dropFirst(shift == 0 ? 0 : 4).dropLast(4))
                ))
        }
        forms.append(("\(name) in hex", Array(Hex.encode(bytes).utf8)))
        return forms
    }

    /// Which canaries stand in which file under a directory.
    static func sightings(under directory: URL) throws -> [String] {
        let files = FileManager.default.enumerator(
            at: directory, includingPropertiesForKeys: [.isRegularFileKey])
        var found: [String] = []
        for case let file as URL in files ?? .init() {
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile ?? false
            else { continue }
            let content = try Data(contentsOf: file)
            for (name, bytes) in forbidden where content.range(of: Data(bytes)) != nil {
                found.append("\(name) in \(file.lastPathComponent)")
            }
        }
        return found
    }
}

@Suite("What may not be stored is in no file")
struct CanaryTests {
    static func options(_ directory: URL) throws -> LedgerOptions {
        var options = try DiskLedgerTests.options(directory)
        options.redactor = Redactor(secrets: [Canary.own, Fixture.secret])
        return options
    }

    /// Tells a ledger the canaries by every way in; those that are turned away are told too.
    static func tell(_ ledger: Ledger<LMDBStore>, in directory: URL) async throws {
        try await ledger.record(
            CheckoutEvent(
                .sessionOpened, source: .app, occurredAt: Fixture.now, provider: "dodo",
                ids: ProviderIDs(session: "cks_1"), reason: Canary.text, rawType: Canary.text,
                actor: Canary.text,
                privateFields: PrivateFields(
                    customerEmail: Canary.email, customerName: "Ada \(Canary.pan)",
                    licenseKeys: [Canary.secret],
                    registeredURLs: ["shop://back?x=\(Canary.pan)&password=\(Canary.secret)"])),
            name: "told \(Canary.pan)")
        let body = Fixture.payment(
            "payment.succeeded", payment: "pay_1", session: "cks_1",
            extra: """
                ,"metadata":{"note":"\(Canary.text)","n":\(Canary.pan),"cvv":"\(Canary.code)",\
                "order_id":"\(Canary.pan)"},"customer":{"email":"\(Canary.email)"}
                """)
        try await ledger.receive(body, id: "msg_1")
        try await ledger.receive(#"{"type":"bird.seen","note":"\#(Canary.text)"}"#, id: "msg_2")
        try await ledger.receive(
            #"{"type":"bird.seen","note":"other \#(Canary.pan)"}"#, id: "msg_2")
        let forged = WebhookDelivery(
            headers: [
                "webhook-id": "msg_3", "webhook-timestamp": "\(Fixture.now.seconds)",
                "webhook-signature": "v1,AAAA", "authorization": "Bearer \(Canary.secret)",
                "x-note": Canary.text,
            ], body: Array(Canary.text.utf8))
        _ = try await ledger.record(
            forged, verifiedBy: Fixture.verifier(), scope: Fixture.scope, at: Fixture.now)
        _ = try await ledger.record(
            returnURL: "shop://back?status=succeeded&note=\(Canary.pan)&email=\(Canary.email)"
                + "#key=\(Canary.secret)",
            readBy: Fixture.dodo(), scope: Fixture.scope, session: "cks_1")
        try await ledger.note(Canary.text, on: "cks_1", actor: Canary.email, at: Fixture.now)
        try await ledger.resolve(
            "cks_1", as: .failed, reason: Canary.text, actor: "ada", at: Fixture.now)
        for ids in [ProviderIDs(session: Canary.pan), ProviderIDs(customer: Canary.email)] {
            await #expect(throws: LedgerError.self) {
                try await ledger.record(
                    CheckoutEvent(.sessionOpened, source: .app, provider: "dodo", ids: ids))
            }
        }
        try await importLines(ledger, directory)
    }

    private static func importLines(_ ledger: Ledger<LMDBStore>, _ directory: URL) async throws {
        let outside = FileManager.default.temporaryDirectory
            .appendingPathComponent("canary-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: outside) }
        let lines = [
            #"{"type":"note.added","provider":"dodo","session":"cks_1","#
                + #""reason":"\#(Canary.text)"}"#,
            #"{"free":"\#(Canary.text)","customer":{"name":"Ada","email":"\#(Canary.email)"}}"#,
            #"{"free":"x","cvv":"\#(Canary.code)"}"#,
        ]
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: outside)
        var reader = try LineReader(outside.path)
        let report = try await ledger.importEvents(from: &reader)
        #expect(report.lines == 2)
        #expect(report.stop?.error.code == .sensitiveData)
        #expect(report.stop.map { !"\($0.error)".contains(Canary.code) } ?? false)
    }

    @Test("Whatever way it came in: cards, codes, secrets and addresses are in no file in clear")
    func everyWayIn() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("shop.ledger").path
            let ledger = try Ledger.create(at: path, options: try Self.options(directory))
            try await Self.tell(ledger, in: directory)
            var lines: [[UInt8]] = []
            try ledger.export { lines.append($0) }
            try Data(lines.joined()).write(to: directory.appendingPathComponent("export.jsonl"))
            _ = try ledger.backUp(to: directory.appendingPathComponent("copy.ledger").path)
            // While it is open too: what a crash would leave behind.
            #expect(try Canary.sightings(under: directory) == [])
            ledger.close()
            #expect(try Canary.sightings(under: directory) == [])
        }
    }

    @Test("The sealed part keeps the address, and neither a card nor a secret")
    func sealedPart() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("shop.ledger").path
            let ledger = try Ledger.create(at: path, options: try Self.options(directory))
            defer { ledger.close() }
            try await Self.tell(ledger, in: directory)
            var opened = ""
            try ledger.forEachEvent { (event) throws(LedgerError) in
                if case .fields(let fields) = try ledger.privateFields(of: event) {
                    opened += [fields.customerEmail, fields.customerName, fields.returnURL]
                        .compactMap(\.self).joined(separator: " ")
                    opened += fields.headers.map(\.value).joined(separator: " ")
                    opened += (fields.licenseKeys + fields.registeredURLs).joined(separator: " ")
                    opened += String(decoding: try ledger.body(of: event) ?? [], as: UTF8.self)
                }
                return .more
            }
            #expect(opened.contains(Canary.email))
            for value in [Canary.pan, Canary.code, Canary.secret, Canary.own] {
                #expect(!opened.contains(value))
            }
        }
    }

    @Test("A verified payment counts whatever its webhook holds, and its record says what was done")
    func paymentCounts() async throws {
        let ledger = try Fixture.memoryLedger()
        let body = Fixture.payment(
            "payment.succeeded", payment: "pay_1", session: "cks_1",
            extra: #","metadata":{"cvv":"123","track":";\#(Canary.pan)=29121010000012345678?"}"#)
        let receipt = try await ledger.receive(body, id: "msg_1")
        #expect(receipt.verdict == .recorded)
        #expect(try ledger.session(named: "cks_1").outcome?.status == .succeeded)
        let delivery = try ledger.event(at: receipt.position)
        #expect(delivery.flags.contains(.redacted))
        #expect(
            delivery.payload.redactions.map { "\($0.rule) \($0.field) \($0.what)" } == [
                "R4 body.data.metadata.cvv field:cvv", "R5 body.data.metadata.track track",
            ])
        let kept = String(decoding: try #require(try ledger.body(of: delivery)), as: UTF8.self)
        let expected = body.replacing(#""cvv":"123""#, with: #""cvv":null"#)
            .replacing(";\(Canary.pan)=29121010000012345678?", with: "[track]")
        #expect(kept == expected)
        #expect(try await ledger.receive(body, id: "msg_1").verdict == .duplicate)
    }

    @Test("An event that is turned away leaves a record of the rule and the field, and a count")
    func refusal() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(
            CheckoutEvent(
                .sessionOpened, source: .app, provider: "dodo", ids: ProviderIDs(session: "cks_1")))
        let track = ";\(Canary.pan)=29121010000012345678?"
        let error = await #expect(throws: LedgerError.self) {
            try await ledger.note("swiped \(track)", on: "cks_1", at: Fixture.now)
        }
        #expect(error?.code == .sensitiveData)
        #expect(error.map { "\($0)" }?.contains("R5") ?? false)
        #expect(error.map { "\($0)" }?.contains("'reason'") ?? false)
        #expect(!(error.map { "\($0)" }?.contains("4539") ?? true))
        #expect(try ledger.endPosition() == 2)
        let refused = try ledger.event(at: 1)
        #expect(refused.event.type == .redactionRefused)
        #expect(refused.event.source == .operator)
        #expect(refused.payload.redactions.map(\.rule) == ["R5"])
        #expect(try ledger.sessions().count == 1)
        let counts = ledger.redactionCounts
        #expect(counts.map(\.rule) == ["R5"] && counts.map(\.count) == [1])
        #expect(counts.map(\.field) == ["reason"] && counts.map(\.action) == ["refuse"])
    }

    @Test("A card number across two pieces of a long body is one, and is masked")
    func acrossPieces() async throws {
        let ledger = try Fixture.memoryLedger()
        let padding = String(repeating: "x", count: 48 * 1_024 - 60)
        let body = #"{"type":"bird.seen","pad":"\#(padding)","n":"card \#(Canary.pan)"}"#
        let receipt = try await ledger.receive(body, id: "msg_1")
        let kept = try ledger.body(of: ledger.event(at: receipt.position)) ?? []
        #expect(
            String(decoding: kept, as: UTF8.self)
                == body.replacing(Canary.pan, with: "[pan visa ****2151]"))
    }
}
