import CheckoutLedger
import CheckoutModel
import EventLog
import Foundation
import TestSupport
import Testing

@Suite("The published schema reads what is written")
struct SchemaFileTests {
    static let schema = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/CheckoutModel")

    /// What the real `protoc` makes of a payload; nil when it is not installed.
    static func decode(_ payload: [UInt8], as message: String) throws -> String? {
        let tool = "/usr/bin/protoc"
        guard FileManager.default.isExecutableFile(atPath: tool) else { return nil }
        let child = try ChildProgram(
            tool,
            [
                "--proto_path=\(schema.path)", "--decode=checkout_ledger.\(message)",
                "checkout_event.proto",
            ], input: .pipe, output: .pipe)
        child.input?.write(Data(payload))
        try child.input?.close()
        let text = try child.output?.readToEnd() ?? Data()
        #expect(child.wait() == .exit(0))
        return String(decoding: text, as: UTF8.self)
    }

    @Test(
        "protoc decodes every payload that a ledger wrote, with no field it does not know",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/protoc"),
            "needs Debian's protobuf-compiler"))
    func payloads() async throws {
        let ledger = try Fixture.memoryLedger()
        try await ledger.record(
            CheckoutEvent(
                .sessionCreated, source: .host, provider: "dodo",
                ids: ProviderIDs(session: "cks_1", order: "o-1", customer: "cus_1")))
        try await ledger.receive(
            Fixture.refund("ref_1", payment: "pay_1", amount: 500), id: "msg_0")
        try await ledger.receive(
            Fixture.payment("payment.succeeded", payment: "pay_1", session: "cks_1"), id: "msg_1")
        try await ledger.resolve("cks_1", as: .failed, reason: "a", actor: "ada", at: Fixture.now)
        try await ledger.resolve("cks_1", as: .succeeded, reason: "b", at: Fixture.now)
        try await ledger.note("card \(Canary.pan)", on: "cks_1", at: Fixture.now)
        try await ledger.record(
            .auditRead,
            AuditNote(subject: "Q5", query: "all", positions: 1..<3, count: 2, anchors: 1),
            actor: "ada", reason: "a", at: Fixture.now)
        var types: Set<UInt16> = []
        for position in 0..<(try ledger.endPosition()) {
            let record = try ledger.log.read { try $0.record(at: position) }
            types.insert(record.type)
            let text = try #require(try Self.decode(record.payload, as: "CheckoutEvent"))
            // An unknown field is printed by its number alone.
            let unknown = text.split(separator: "\n").filter { line in
                line.drop { $0 == " " }.first?.isNumber ?? false
            }
            #expect(unknown.isEmpty, "position \(position): \(text)")
            if record.type == EventType.sessionCreated.rawValue {
                #expect(text.contains("session_id: \"cks_1\""))
                #expect(text.contains("order_id: \"o-1\""))
            }
        }
        #expect(types.contains(EventType.auditRead.rawValue))
        #expect(types.contains(EventType.sessionLinked.rawValue))
        #expect(types.contains(EventType.operatorResolved.rawValue))
    }

    @Test(
        "protoc decodes the sealed part once it is opened",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/protoc"),
            "needs Debian's protobuf-compiler"))
    func privateFields() throws {
        let fields = PrivateFields(
            customerEmail: "mira@mail.example", licenseKeys: ["LK-1"],
            headers: [HeaderField(name: "a", value: "b")],
            registeredURLs: ["shopdemo://checkout/return"], expiresAt: Instant(microseconds: 5))
        let text = try #require(try Self.decode(fields.encoded(), as: "PrivateFields"))
        #expect(text.contains("customer_email: \"mira@mail.example\""))
        #expect(text.contains("license_keys: \"LK-1\""))
        #expect(text.contains("registered_urls: \"shopdemo://checkout/return\""))
        #expect(text.contains("expires_at: 5"))
    }
}
