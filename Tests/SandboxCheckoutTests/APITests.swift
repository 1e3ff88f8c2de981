import CheckoutModel
import HTTPServer
import ProviderKit
import Sandbox
import Testing

@testable import SandboxCheckout

@Suite("The sandbox's API")
struct APITests {
    private let shop: PretendShop
    private let provider: SandboxProvider
    private let secrets: SecretSet

    init() throws {
        shop = try PretendShop()
        provider = try SandboxProvider()
        secrets = try SecretSet(
            [.apiKey: [PretendShop.apiKey]], rules: SandboxProvider.descriptor.secretRules)
    }

    /// Carries out what the adapter plans.
    private func send(_ plan: HTTPRequestPlan) async -> HTTPReply {
        let headers = plan.headers.fields.map { WebField($0.name.lowercased(), $0.value) }
        let target = String(plan.url.dropFirst("https://\(SandboxProvider.localHost)".count))
        let body = String(decoding: plan.body, as: UTF8.self)
        let answer =
            plan.method == "POST"
            ? await shop.post(target, body, headers) : await shop.get(target, headers)
        return HTTPReply(status: answer.status, body: answer.bytes)
    }

    private func create(key: String = "wish-1") async throws -> CreatedSession {
        let currency = try #require(Currency("JPY"))
        let draft = SessionDraft(
            items: [
                .init(
                    name: "Tea", quantity: 3,
                    unitAmount: Money(minorUnits: 400, currency: currency))
            ], reference: "order-7", returnURL: "teashop://back")
        let plan = try provider.createRequest(
            draft, idempotencyKey: try #require(IdempotencyKey(rawValue: key)), secrets: secrets,
            now: shop.clock.now, nonce: Nonce(bytes: []))
        return try provider.interpretCreation(await send(plan))
    }

    private func status(_ target: StatusQueryTarget) async throws -> StatusReport {
        let plan = try provider.statusRequest(
            for: target, secrets: secrets, now: shop.clock.now, nonce: Nonce(bytes: []))
        return try provider.interpret(await send(plan), for: target)
    }

    @Test("The adapter makes a checkout, recognises its page and asks how it stands")
    func adapter() async throws {
        let made = try await create()
        let session = try #require(made.ids.session)
        let url = try #require(made.checkoutURL)
        #expect(provider.recognise(checkoutURL: url) == .session(id: session, mode: .test))
        #expect(made.mode == .test && made.expiresAt != nil)
        guard case .known(let open) = try await status(.session(session)) else {
            Issue.record("an open checkout tells how it stands")
            return
        }
        #expect(open.status == .pending && open.amount?.minorUnits == 1200)
        _ = await shop.post("/sandbox/pay/\(session)", "action=pay")
        guard case .known(let paid) = try await status(.session(session)) else {
            Issue.record("a paid checkout tells how it stands")
            return
        }
        #expect(paid.status == .succeeded && paid.ids.order == "order-7")
        let payment = try #require(paid.ids.payment)
        guard case .known(let same) = try await status(.payment(payment)) else {
            Issue.record("a payment tells how it stands")
            return
        }
        #expect(same.status == .succeeded && same.ids.session == session)
        #expect(
            try await status(.session("sbx_gone"))
                == .indeterminate(.notFound, retryAfterSeconds: nil))
    }

    @Test("Repeating a creation makes no second checkout")
    func repeated() async throws {
        let first = try await create()
        #expect(try await create() == first)
        #expect(try await create(key: "wish-2").ids.session != first.ids.session)
    }

    @Test("Refunds and disputes are made and moved by the API")
    func moneyBack() async throws {
        let id = try shop.checkout()
        _ = await shop.post("/sandbox/pay/\(id)", "action=pay")
        let payment = try #require(shop.sandbox.snapshot.payments.keys.first)
        let key = [WebField("authorization", "Bearer \(PretendShop.apiKey)")]
        let refund = await shop.post(
            "/sandbox/api/payments/\(payment)/refunds", #"{"amount":500}"#, key)
        #expect(refund.status == 201 && refund.json["status"]?.text == "pending")
        shop.clock.pass(seconds: SandboxLimits.refundSeconds)
        let refundID = refund.json["id"]?.text ?? ""
        let later = await shop.get("/sandbox/api/refunds/\(refundID)", key)
        #expect(later.json["status"]?.text == "succeeded")
        let dispute = await shop.post("/sandbox/api/payments/\(payment)/disputes", "", key)
        #expect(dispute.status == 201)
        let disputeID = dispute.json["id"]?.text ?? ""
        let lost = await shop.post(
            "/sandbox/api/disputes/\(disputeID)", #"{"status":"lost"}"#, key)
        #expect(lost.json["status"]?.text == "lost")
        for body in [#"{"amount":1.5}"#, #"{"amount":0}"#, #"{"amount":"5"}"#] {
            let answer = await shop.post("/sandbox/api/payments/\(payment)/refunds", body, key)
            #expect(answer.status == 422)
        }
    }

    static let mistakes: [(body: String, status: Int, field: String?)] = [
        ("", 400, nil), ("[]", 400, nil), (#"{"amount":1}"#, 422, "currency"),
        (#"{"amount":1.0,"currency":"EUR"}"#, 422, "amount"),
        (#"{"amount":-1,"currency":"EUR","return_url":"https://t.example"}"#, 422, "amount"),
        (#"{"amount":1,"currency":"XXX","return_url":"https://t.example"}"#, 422, "currency"),
        (#"{"amount":1,"currency":"EUR"}"#, 422, "return_url"),
        (#"{"amount":1,"currency":"EUR","return_url":"javascript:x"}"#, 422, "return_url"),
        (
            #"{"amount":1,"currency":"EUR","return_url":"a://b","sandbox":{"duplicates":6}}"#, 422,
            "duplicates"
        ),
        (
            #"{"amount":1,"currency":"EUR","return_url":"a://b","sandbox":{"loss":"some"}}"#, 422,
            "loss"
        ),
        (#"{"amount":1,"currency":"EUR","return_url":"a://b","expires_in":0}"#, 422, "expires_in"),
    ]

    @Test("A mistake in a request is named", arguments: mistakes)
    func refused(_ item: (body: String, status: Int, field: String?)) async {
        let answer = await shop.post(
            "/sandbox/api/checkouts", item.body,
            [WebField("authorization", "Bearer \(PretendShop.apiKey)")])
        #expect(answer.status == item.status)
        #expect(answer.json["error"]?["field"]?.text == item.field)
        #expect(shop.sandbox.snapshot.checkouts.isEmpty)
    }

    @Test("Without the key nothing is told, not even whether there is something")
    func unauthorized() async throws {
        let id = try shop.checkout()
        for headers in [
            [], [WebField("authorization", "Bearer other")],
            [WebField("authorization", PretendShop.apiKey)],
            [WebField("authorization", "Bearer \(PretendShop.apiKey)x")],
        ] {
            for path in ["checkouts/\(id)", "checkouts/none", "nonsense"] {
                let answer = await shop.get("/sandbox/api/\(path)", headers)
                #expect(answer.status == 401)
                #expect(answer.json["error"]?["code"]?.text == "unauthorized")
            }
        }
    }
}
