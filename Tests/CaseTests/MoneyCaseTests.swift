import CheckoutLedger
import CheckoutModel
import Cryptography
import DodoPayments
import EventLog
import ProviderKit
import Testing

/// Money cases straight from the file.
@Suite("Public money cases")
struct MoneyCaseTests {
    @Test("An amount is read, written or refused as its case says")
    func inputs() {
        #expect(
            PublicCase.runnable("money").allSatisfy { item in
                ["parse", "format", "add", "json"].contains { item.input[$0] != nil }
            })
    }

    @Test(
        "A text is an amount, or an error with its code",
        arguments: PublicCase.runnable("money").filter { $0.input["parse"] != nil })
    func parse(_ item: PublicCase) throws {
        let currency = try Currency(caseCode: item.input["currency"])
        let text = try #require(item.input["parse"]?.text)
        #expect(["iso4217", nil].contains(item.input["profile"]?.text))
        let answer = Result { try Money(parsing: text, currency: currency) }
        for condition in item.conditions {
            if let minor = condition.value("minor") {
                #expect(try answer.get().minorUnits == Int64(minor))
            } else if let code = condition.value("error") {
                let error = #expect(throws: MoneyError.self) { try answer.get() }
                #expect(error?.code == code)
            } else if let wire = condition.firstMatch(of: Self.wire) {
                let factor = try #require(Int(wire.2))
                let profile = MoneyProfile(
                    name: "case",
                    exceptions: [
                        try #require(Currency(wire.1)): String(factor).count - 1
                    ])
                #expect(try profile.wireAmount(of: try answer.get()) == Int64(wire.3))
            } else {
                Issue.record("no runner understands '\(condition)'")
            }
        }
    }

    private static var wire: Regex<(Substring, Substring, Substring, Substring)> {
        #/^with a provider profile that stores (...) as x(10+) the wire value is (\d+)$/#
    }

    @Test(
        "Amounts are written with their currency's decimals",
        arguments: PublicCase.runnable("money").filter { $0.input["format"] != nil })
    func format(_ item: PublicCase) throws {
        let texts = try amounts(item.input["format"]).map(\.amountText)
        #expect(texts.joined(separator: " | ") == item.expected)
    }

    @Test(
        "Amounts of different currencies are not added",
        arguments: PublicCase.runnable("money").filter { $0.input["add"] != nil })
    func add(_ item: PublicCase) throws {
        let amounts = try amounts(item.input["add"])
        let error = #expect(throws: MoneyError.self) {
            _ = try amounts.dropFirst().reduce(amounts[0]) { try $0.adding($1) }
        }
        #expect(error?.code == item.expected.value("error"))
    }

    @Test(
        "A webhook with such an amount is set aside with the reason",
        arguments: PublicCase.runnable("money").filter { $0.input["json"] != nil })
    func json(_ item: PublicCase) async throws {
        let members = try #require(item.input["json"]?.text).dropFirst().dropLast()
        let body = """
            {"business_id":"bus_demo","type":"payment.succeeded",\
            "timestamp":"2026-03-04T05:06:05Z","data":{"payload_type":"Payment",\
            "payment_id":"pay_1","checkout_session_id":"cks_1","status":"succeeded",\(members)}}
            """
        let key = (0..<32).map { UInt8($0) }
        let stamp = CaseLedger.now.seconds
        let code = HMACKey(sha256: key).authenticate(Array("msg_1.\(stamp).\(body)".utf8))
        let secrets = try SecretSet(
            [.webhook: ["whsec_\(Base64.encode(key))"]],
            rules: DodoPaymentsProvider.descriptor.secretRules)
        let ledger = try CaseLedger.memory()
        let receipt = try await ledger.record(
            WebhookDelivery(
                headers: [
                    "webhook-id": "msg_1", "webhook-timestamp": "\(stamp)",
                    "webhook-signature": "v1,\(Base64.encode(code))",
                ], body: Array(body.utf8)),
            verifiedBy: DeliveryVerifier(provider: DodoPaymentsProvider(), secrets: secrets),
            scope: CaseLedger.scope, at: CaseLedger.now)
        let reason = try #require(item.expected.after("quarantine ")?.value("reason"))
        #expect(receipt.verdict == .quarantined(reason))
        #expect(try ledger.sessions().allSatisfy { $0.outcome == nil })
    }

    private func amounts(_ list: JSONValue?) throws -> [Money] {
        try #require(list?.elements).map { value in
            Money(
                minorUnits: try #require(value["minor"]?.integer),
                currency: try Currency(caseCode: value["currency"]))
        }
    }
}
