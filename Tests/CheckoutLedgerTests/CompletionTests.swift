import CheckoutLedger
import CheckoutModel
import EventLog
import HTTPTransport
import ProviderKit
import Testing

@Suite("Taking the money of approved orders")
struct CompletionTests {
    private typealias Shop = ReconcileShop

    private static let account = #"{"paypal":{"mode":"test","clientID":"c","apiKeyFile":"p"}}"#

    /// PayPal's word on an order of 25 EUR.
    private static func order(
        _ word: String, captured: String? = nil, value: String = "25.00", intent: String = "CAPTURE"
    ) -> RecordedTransport.Answer {
        let amount = #"{"value":"\#(value)","currency_code":"EUR"}"#
        let captures = captured.map { #"{"id":"cap_1","status":"\#($0)","amount":\#(amount)}"# }
        return Shop.json(
            #"""
            {"id":"ord_1","status":"\#(word)","intent":"\#(intent)","purchase_units":[
              {"amount":\#(amount),"payments":{"captures":[\#(captures ?? "")]}}]}
            """#)
    }

    private func shop() async throws -> Shop {
        let shop = try Shop(Self.account)
        try await shop.open("ord_1", "paypal")
        return shop
    }

    @Test("Nothing is taken unless it is asked for, and what waits for it is told")
    func onlyOnWish() async throws {
        let shop = try await shop()
        let (results, asked) = try await shop.reconcile(["ord_1": Self.order("APPROVED")])
        #expect(results.map(\.word) == ["pending"])
        #expect(results.map(\.awaitsCompletion) == [true])
        #expect(asked == ["ord_1"])
    }

    @Test("An approved order is captured once, under one key however often it is tried")
    func captured() async throws {
        let shop = try await shop()
        var keys: Set<String> = []
        for answer in [
            .failure(TransportError(.timeout, host: "api-m.sandbox.paypal.com")),
            Self.order("COMPLETED", captured: "COMPLETED"),
        ] as [RecordedTransport.Answer] {
            let script = RecordedTransport { plan, _ in
                plan.method == "POST" ? answer : Self.order("APPROVED")
            }
            let results = try await shop.reconcile(over: script) { $0.completesApproved = true }
            #expect(script.requests.map(\.method) == ["GET", "POST"])
            #expect(script.requests[1].url.hasSuffix("/v2/checkout/orders/ord_1/capture"))
            keys.insert(script.requests[1].headers.first("PayPal-Request-Id") ?? "")
            let isTimeout = (try? answer.get()) == nil
            #expect(
                results.map(\.word) == [isTimeout ? "not asked timeout" : "resolved succeeded"])
        }
        #expect(keys.count == 1 && !keys.contains(""))
        let session = try shop.ledger.session(named: "ord_1")
        #expect(session.outcome?.evidence == .verified)
        #expect(session.state.evidence.paid.total?.minorUnits == 2500)
    }

    @Test("Nothing is taken where it would not be what was asked for, or is not waited for")
    func notTaken() async throws {
        let cases: [(answer: RecordedTransport.Answer, word: String)] = [
            (Self.order("APPROVED", value: "2.50"), "not asked approved_other_amount"),
            (Self.order("APPROVED", intent: "AUTHORIZE"), "pending"),
            (Self.order("CREATED"), "pending"), (Self.order("VOIDED"), "resolved cancelled"),
            (Self.order("COMPLETED", captured: "COMPLETED"), "resolved succeeded"),
        ]
        for (answer, word) in cases {
            let shop = try await shop()
            let script = RecordedTransport { _, _ in answer }
            let results = try await shop.reconcile(over: script) { $0.completesApproved = true }
            #expect(results.map(\.word) == [word])
            #expect(script.requests.allSatisfy { $0.method == "GET" })
        }
    }

    @Test("What the provider says instead of a capture decides nothing")
    func refused() async throws {
        let cases: [(answer: RecordedTransport.Answer, word: String)] = [
            (
                Shop.json(
                    #"{"name":"UNPROCESSABLE_ENTITY","details":[{"issue":"INSTRUMENT_DECLINED"}]}"#,
                    status: 422), "not asked refused"
            ),
            (
                Shop.json(#"{"details":[{"issue":"ORDER_ALREADY_CAPTURED"}]}"#, status: 422),
                "unclear unexpected_status"
            ),
            (Shop.json("{}", status: 403), "not asked unauthorized"),
            (Shop.json("{}", status: 500), "unclear provider_trouble"),
            (Shop.json(#"{"id":"ord_1","stat"#, status: 201), "unclear unreadable"),
            (Shop.json(#"{"id":"ord_2","status":"COMPLETED"}"#), "unclear other_object"),
            (Self.order("COMPLETED", captured: "PENDING"), "pending"),
        ]
        for (answer, word) in cases {
            let shop = try await shop()
            let script = RecordedTransport { plan, _ in
                plan.method == "POST" ? answer : Self.order("APPROVED")
            }
            let results = try await shop.reconcile(over: script) { $0.completesApproved = true }
            #expect(results.map(\.word) == [word])
            #expect(try shop.ledger.session(named: "ord_1").outcome == nil)
        }
    }

    @Test("A dry run takes nothing")
    func dryRun() async throws {
        let shop = try await shop()
        let (results, asked) = try await shop.reconcile([:]) {
            $0.isDryRun = true
            $0.completesApproved = true
        }
        #expect(results.map(\.word) == ["would ask"] && asked.isEmpty)
    }
}
