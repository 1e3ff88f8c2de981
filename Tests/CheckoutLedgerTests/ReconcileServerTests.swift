import CheckoutLedger
import CheckoutModel
import EventLog
import HTTPTransport
import ProviderKit
import TestSupport
import Testing

@Suite("Asking a provider that misbehaves")
struct ReconcileServerTests {
    private func transport(_ server: LocalServer) -> RetryingTransport {
        var options = CurlTransportOptions()
        options.loopbackRoutes = ["test.dodopayments.com": LoopbackRoute(port: server.port)]
        var policy = RetryPolicy()
        policy.firstPause = .milliseconds(1)
        policy.attempts = 2
        return RetryingTransport(CurlTransport(options: options), policy: policy, seed: 1)
    }

    private func words(
        _ deadline: Duration = .seconds(20),
        _ handler: @escaping @Sendable (LocalServer.Request) -> [LocalServer.Step]
    ) async throws -> (words: [String], paths: [String]) {
        let server = try #require(LocalServer(handler))
        let shop = try ReconcileShop()
        try await shop.open("cks_1")
        let results = try await shop.reconcile(over: transport(server)) { $0.deadline = deadline }
        let outcome = try shop.ledger.session(named: "cks_1").outcome
        #expect((outcome != nil) == results.allSatisfy(\.isResolved))
        return (results.map(\.word), server.requests.map(\.path))
    }

    private static let session =
        #"{"id":"cks_1","payment_status":"succeeded","payment_id":"pay_1"}"#
    private static let payment =
        #"""
        {"payment_id":"pay_1","checkout_session_id":"cks_1","status":"succeeded",
         "total_amount":2500,"currency":"EUR"}
        """#

    @Test("It is asked over the wire with the key in a header, and its answer decides")
    func honest() async throws {
        let (words, paths) = try await words { request in
            guard request.header("Authorization") == "Bearer dodo_key_0123456789abcdef",
                request.header("Host") == "test.dodopayments.com"
            else { return [.reply(401, "")] }
            return [.reply(200, request.path.hasPrefix("/payments") ? Self.payment : Self.session)]
        }
        #expect(words == ["resolved succeeded"])
        #expect(paths == ["/checkouts/cks_1", "/payments/pay_1"])
    }

    @Test("One that limits and then answers is asked again")
    func limited() async throws {
        let (words, paths) = try await words { request in
            if request.path.hasPrefix("/payments") { return [.reply(200, Self.payment)] }
            return request.connection == 0
                ? [.reply(429, "", headers: [("Retry-After", "0")]), .close]
                : [.reply(200, Self.session)]
        }
        #expect(words == ["resolved succeeded"])
        #expect(paths.count == 3)
    }

    @Test("One that is slow, breaks off or limits for long decides nothing")
    func broken() async throws {
        let half = LocalServer.head(200, [("Content-Length", "500")]) + Array(Self.session.utf8)
        let cases: [(steps: [LocalServer.Step], word: String)] = [
            ([.waitForClose], "not asked timeout"),
            ([.write(half), .waitForClose], "not asked timeout"),
            ([.write(half), .close], "not asked closed_early"),
            ([.close], "not asked closed_early"),
            ([.reply(200, String(Self.session.dropLast(5)))], "unclear unreadable"),
            ([.reply(429, "", headers: [("Retry-After", "3600")])], "unclear rate_limited"),
            ([.reply(503, "<html>")], "unclear provider_trouble"),
            ([.reply(301, "", headers: [("Location", "/x")])], "unclear unexpected_status"),
        ]
        for (steps, word) in cases {
            let deadline: Duration = word.hasSuffix("timeout") ? .milliseconds(200) : .seconds(20)
            let found = try await words(deadline) { _ in steps }.words
            #expect(found == [word])
        }
    }

    @Test("One that answers about somebody else's checkout decides nothing, and joins nothing")
    func lying() async throws {
        let other = Self.payment.replacing("cks_1", with: "cks_other")
        let (words, _) = try await words { request in
            [.reply(200, request.path.hasPrefix("/payments") ? other : Self.session)]
        }
        #expect(words == ["unclear other_object"])
    }
}
