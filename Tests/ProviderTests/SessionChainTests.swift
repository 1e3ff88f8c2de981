import CheckoutModel
import GoCardless
import ProviderKit
import Synchronization
import Testing

@Suite("Sessions that take several requests")
struct SessionChainTests {
    /// Answers in order, and keeps what was asked.
    private final class Script: HTTPTransport {
        private let state: Mutex<(replies: [HTTPReply], asked: [HTTPRequestPlan])>

        init(_ replies: [HTTPReply]) { state = Mutex((replies, [])) }

        var asked: [HTTPRequestPlan] { state.withLock { $0.asked } }

        func send(
            _ plan: HTTPRequestPlan, deadline: Duration
        ) async throws(TransportError) -> HTTPReply {
            let reply = state.withLock { state -> HTTPReply? in
                state.asked.append(plan)
                return state.replies.isEmpty ? nil : state.replies.removeFirst()
            }
            guard let reply else { throw TransportError(.closedEarly, host: "") }
            return reply
        }
    }

    private static let request = HTTPReply(#"{"billing_requests":{"id":"BRQ1"}}"#, status: 201)
    private static let flow = HTTPReply(
        #"""
        {"billing_request_flows":{"authorisation_url":"https://pay-sandbox.gocardless.com/flow/RE1",
         "expires_at":"2026-01-08T00:00:00.000Z","links":{"billing_request":"BRQ1"}}}
        """#, status: 201)

    private func create(_ script: Script) async throws(SessionCreationError) -> CreatedSession {
        guard
            let secrets = try? SecretSet(
                [.apiKey: ["sandbox_0123456789abcdef"]],
                rules: GoCardlessProvider.descriptor.secretRules),
            let key = IdempotencyKey(rawValue: "wish-1"),
            let provider = try? GoCardlessProvider(configuration: .init(mode: .test)),
            let price = try? Money(2500, "GBP")
        else { throw .reply(.unreadable) }
        let draft = SessionDraft(
            items: [.init(name: "Tea", unitAmount: price)], reference: "order-1",
            returnURL: "https://shop.example/back", cancelURL: "https://shop.example/gave-up",
            customerEmail: "zoe@example.com")
        return try await provider.create(
            draft, idempotencyKey: key, secrets: secrets, now: Instant(seconds: 0),
            nonce: Nonce(bytes: []), over: script)
    }

    @Test("A GoCardless checkout is a billing request, then its page, each under a key of its own")
    func whole() async throws {
        let script = Script([Self.request, Self.flow])
        let session = try await create(script)
        #expect(session.ids.session == "BRQ1")
        #expect(session.checkoutURL == "https://pay-sandbox.gocardless.com/flow/RE1")
        #expect(session.expiresAt != nil && session.mode == .test)
        let asked = script.asked
        #expect(
            asked.map(\.url) == [
                "https://api-sandbox.gocardless.com/billing_requests",
                "https://api-sandbox.gocardless.com/billing_request_flows",
            ])
        #expect(
            asked.map { $0.headers.first("Idempotency-Key") } == ["wish-1", "wish-1-flow"])
        let bodies = try asked.map { try JSONValue(json: $0.body) }
        let wanted = bodies[0]["billing_requests"]?["payment_request"]
        #expect(wanted?["amount"]?.integer == 2500 && wanted?["currency"]?.text == "GBP")
        #expect(wanted?["metadata"]?["order_id"]?.text == "order-1")
        let page = bodies[1]["billing_request_flows"]
        #expect(page?["links"]?["billing_request"]?.text == "BRQ1")
        #expect(page?["redirect_uri"]?.text == "https://shop.example/back")
        #expect(page?["exit_uri"]?.text == "https://shop.example/gave-up")
        #expect(page?["prefilled_customer"]?["email"]?.text == "zoe@example.com")
    }

    @Test("A step that fails says so, and nothing follows it")
    func failures() async {
        let cases: [(replies: [HTTPReply], code: String, asked: Int)] = [
            ([], "closed_early", 1), ([HTTPReply("{}", status: 401)], "unauthorized", 1),
            ([HTTPReply("", status: 500)], "unreadable_reply", 1),
            ([HTTPReply("{}", status: 201)], "unreadable_reply", 1),
            ([HTTPReply(#"{"error":{"type":"validation_failed"}}"#, status: 422)], "refused", 1),
            ([Self.request], "closed_early", 2),
            ([Self.request, HTTPReply("{}", status: 422)], "refused", 2),
            // A provider that never comes to an end.
            (Array(repeating: Self.request, count: 20), "unreadable_reply", 4),
        ]
        for (replies, code, count) in cases {
            let script = Script(replies)
            do throws(SessionCreationError) {
                _ = try await create(script)
                Issue.record("a session was made: \(code)")
            } catch {
                #expect(error.code == code)
            }
            #expect(script.asked.count == count)
        }
    }
}
