import TestSupport
import Testing

@testable import CheckoutModel

@Suite("Payloads and facts keep what they were given")
struct PayloadTests {
    static let full: CheckoutEvent = {
        var event = CheckoutEvent(
            .operatorResolved, source: .operator, evidence: .operator,
            occurredAt: Instant(seconds: 7), provider: "dodo", account: "eu", mode: .test,
            ids: ProviderIDs(
                session: "cks_1", payment: "pay_1", refund: "ref_1", dispute: "dsp_1",
                subscription: "sub_1", order: "o-1", customer: "cus_1"),
            status: .succeeded, reason: "bank statement checked", rawType: "x.y",
            deliveryID: "msg_1", actor: "ada", replaces: [EventReference(rawValue: 77)])
        event.verification = .init(
            scheme: "standard-webhooks-v1", keyFingerprint: "0a1b2c3d", adapterVersion: "1.0")
        event.part = .init(index: 0, count: 3)
        return event
    }()

    @Test("A payload reads back whole, and fields of a newer build survive")
    func payloadRoundTrip() throws {
        var payload = EventPayload(Self.full)
        payload.sealed = [[1, 2, 3], [4]]
        payload.keyCommitments = [[9, 9]]
        payload.bodyTag = [7]
        payload.linkedStreamPlusOne = 12
        // Field 900 as a varint, as a later build might write it.
        payload.unknownFields = [0xA0, 0x38, 0x05]
        let read = try EventPayload(decoding: payload.encoded())
        #expect(read == payload)
    }

    @Test(
        "Any bytes at all are read or refused without a trap", arguments: 0..<300 as Range<UInt64>)
    func randomBytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 0..<80, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        _ = try? EventPayload(decoding: bytes)
        _ = try? PrivateFields(decoding: bytes)
    }

    @Test("Private fields read back whole")
    func privateRoundTrip() throws {
        let fields = PrivateFields(
            customerEmail: "mira+test@mail.example", customerName: "Zoë",
            licenseKeys: ["LK-1", "LK-2"], body: [0, 255, 13, 10],
            headers: [HeaderField(name: "Webhook-Id", value: "msg_1")],
            returnURL: "shopdemo://checkout/return?status=succeeded", bodyDigest: [1, 2],
            registeredURLs: ["shopdemo://checkout/return", "shopdemo://checkout/cancel"],
            expiresAt: Instant(microseconds: -1))
        #expect(try PrivateFields(decoding: fields.encoded()) == fields)
    }

    @Test("A fact survives its 48 bytes", arguments: 0..<200 as Range<UInt64>)
    func factRoundTrip(seed: UInt64) throws {
        var random = RandomFacts(seed: seed)
        var fact = random.fact()
        fact.flags = [.sealed, .unhandled]
        var area = [UInt8](repeating: 0xEE, count: Fact.byteCount)
        area.withUnsafeMutableBytes { fact.encode(into: $0) }
        let read = area.withUnsafeBytes {
            Fact(type: fact.type, occurredAt: fact.occurredAt, area: $0)
        }
        #expect(read == fact)
    }

    @Test("Event numbers and names are unique and lead back to each other")
    func vocabulary() {
        let numbers = Set(EventType.vocabulary.map(\.type.rawValue))
        let names = Set(EventType.vocabulary.map(\.name))
        #expect(numbers.count == EventType.vocabulary.count)
        #expect(names.count == EventType.vocabulary.count)
        for entry in EventType.vocabulary { #expect(EventType(name: entry.name) == entry.type) }
        #expect(EventType(rawValue: 999).name == "unknown.999")
    }
}
