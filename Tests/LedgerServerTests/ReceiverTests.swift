import CheckoutLedger
import CheckoutModel
import HTTPServer
import LedgerServer
import ProviderKit
import TestSupport
import Testing

@Suite("Receiving webhooks")
struct ReceiverTests {
    @Test(
        "A genuine webhook is acknowledged once it is stored, and counts once when it comes again")
    func genuine() async throws {
        let shop = try ServedShop(Shop.memory())
        let first = await shop.deliver(Shop.payment(1), id: "msg_1")
        #expect(first.status == 200)
        #expect(first.note("verdict") == "recorded")
        #expect(try shop.ledger.session(named: "cks_1").outcome?.status == .succeeded)
        let end = try shop.ledger.endPosition()
        let again = await shop.deliver(Shop.payment(1), id: "msg_1")
        #expect(again.status == 200)
        #expect(again.note("verdict") == "duplicate")
        #expect(try shop.ledger.endPosition() == end)
        let other = await shop.deliver(Shop.payment(1, amount: 1), id: "msg_1")
        #expect(other.status == 200)
        #expect(other.note("verdict") == "conflicting")
    }

    @Test("A webhook that does not verify is stored as refused, and the answer does not say why")
    func refused() async throws {
        let shop = try ServedShop(Shop.memory())
        let body = Shop.payment(1)
        let good = Shop.headers(body, id: "msg_1")
        let wrong = "whsec_" + String(repeating: "A", count: 43) + "="
        let old = Instant(seconds: ShopClock.start.seconds - 3_600)
        let cases: [(id: String, headers: [(String, String)])] = [
            ("another secret", Shop.headers(body, id: "msg_1", secret: wrong)),
            ("another body", Shop.headers(body + " ", id: "msg_1")),
            ("an old time", Shop.headers(body, id: "msg_1", at: old)),
            ("no signature", Array(good.dropLast())),
            ("no fields", []),
        ]
        var answers: Set<String> = []
        for (id, headers) in cases {
            let answer = await shop.answer(
                "POST", "/webhooks/dodo", headers: headers.map { WebField($0.0, $0.1) }, body: body)
            #expect(answer.status == 401, "\(id)")
            #expect(answer.note("verdict") == "refused", "\(id)")
            answers.insert("\(answer.headers) \(answer.text)")
        }
        #expect(answers.count == 1)
        #expect(try shop.count(.deliveryRefused) == cases.count)
        #expect(try shop.count(.paymentSucceeded) == 0)
    }

    @Test("A flood of forgeries is kept up to a bound and counted beyond it; genuine ones pass")
    func flood() async throws {
        let shop = try ServedShop(Shop.memory())
        for number in 0..<500 {
            let answer = await shop.answer("POST", "/webhooks/dodo", body: "forged \(number)")
            #expect(answer.status == 401)
        }
        let kept = try shop.count(.deliveryRefused)
        #expect((1...100).contains(kept))
        #expect(shop.metrics.unrecorded == ["dodo": 500 - kept])
        #expect(await shop.deliver(Shop.payment(1), id: "msg_1").status == 200)
        shop.clock.advance(seconds: 120)
        for _ in 0..<3 { _ = await shop.answer("POST", "/webhooks/dodo", body: "forged later") }
        #expect(try shop.count(.deliveryRefused) == kept + 1)
    }

    @Test("A genuine webhook that cannot be stored as it is, is set aside and not asked for again")
    func unstorable() async throws {
        let shop = try ServedShop(Shop.memory())
        let long = "msg_" + String(repeating: "x", count: 2_000)
        let first = await shop.deliver(Shop.payment(1), id: long)
        #expect(first.status == 200)
        #expect(first.note("verdict") == "quarantined")
        #expect(await shop.deliver(Shop.payment(1), id: long).note("verdict") == "duplicate")
        #expect(shop.health.failureCode == nil)
    }

    @Test("An unsigned note about an id that nothing can have is thanked for and not kept")
    func unusableHint() async throws {
        let shop = try ServedShop(Shop.memory())
        let id = "tr_" + String(repeating: "x", count: 2_000)
        let answer = await shop.answer("POST", "/webhooks/mollie", body: "id=\(id)")
        #expect(answer.status == 200 || answer.status == 401)
        #expect(answer.header("Retry-After") == nil)
        #expect(try shop.count(.deliveryReceived) == 0)
    }

    @Test("Unknown providers, accounts and methods are turned away before a byte is read")
    func unknown() async throws {
        let shop = try ServedShop(Shop.memory())
        for path in ["/webhooks", "/webhooks/nobody", "/webhooks/dodo/other", "/webhooks/dodo/a/b"]
        {
            let answer = await shop.answer("POST", path)
            #expect(answer.status == 404 && answer.text == "Not found\n", "\(path)")
        }
        let get = await shop.answer("GET", "/webhooks/dodo")
        #expect(get.status == 405)
        #expect(get.header("Allow") == "POST")
    }

    @Test("Accounts have paths of their own, and the only one of a provider a short one too")
    func accounts() async throws {
        let two = #"{"dodo":{"accounts":{"eu":{"secretFile":"w"},"us":{"secretFile":"w"}}}}"#
        let shop = try ServedShop(Shop.memory(), providers: two)
        let body = Shop.payment(1)
        #expect(await shop.deliver(body, id: "m1", to: "/webhooks/dodo/eu").status == 200)
        #expect(await shop.deliver(body, id: "m2", to: "/webhooks/dodo/us").status == 200)
        #expect(await shop.deliver(body, id: "m3", to: "/webhooks/dodo").status == 404)
        let one = #"{"dodo":{"accounts":{"eu":{"secretFile":"w"}}}}"#
        let single = try ServedShop(Shop.memory(), providers: one)
        #expect(await single.deliver(body, id: "m1", to: "/webhooks/dodo").status == 200)
        #expect(await single.deliver(body, id: "m1", to: "/webhooks/dodo/eu").status == 200)
        #expect(try single.count(.deliveryReceived) == 1)
    }

    @Test("A key that cannot be fetched sends the webhook back; a foreign one refuses it")
    func keys() async throws {
        struct Failing: KeySource {
            let reason: KeyResolutionError.Reason
            func keys(
                for delivery: WebhookDelivery, of verifier: DeliveryVerifier
            ) async throws(KeyResolutionError) -> ResolvedKeys {
                throw KeyResolutionError(reason, message: "Not here.")
            }
        }
        let away = try ServedShop(Shop.memory(), keys: Failing(reason: .notFetched))
        let answer = await away.deliver(Shop.payment(1), id: "msg_1")
        #expect(answer.status == 503)
        #expect(answer.header("Retry-After") != nil)
        #expect(try away.ledger.endPosition() == 0)
        #expect(away.health.failureCode == nil)
        let foreign = try ServedShop(Shop.memory(), keys: Failing(reason: .untrustedKeySource))
        #expect(await foreign.deliver(Shop.payment(1), id: "msg_1").status == 401)
        #expect(try foreign.count(.deliveryRefused) == 1)
    }

    @Test("An unsigned note is kept as a hint, and the provider's answer makes the outcome")
    func hints() async throws {
        let paid = #"""
            {"resource":"payment","id":"tr_1","mode":"test","status":"paid",
             "amount":{"value":"25.00","currency":"EUR"}}
            """#
        let shop = try ServedShop(Shop.memory()) { url in
            url.hasSuffix("/tr_1")
                ? HTTPReply(status: 200, body: Array(paid.utf8)) : HTTPReply(status: 404)
        }
        for id in ["tr_1", "tr_unknown"] {
            let answer = await shop.answer("POST", "/webhooks/mollie", body: "id=\(id)")
            #expect(answer.status == 200)
            #expect(answer.note("verdict") == "hint")
        }
        #expect(try shop.ledger.event(at: 0).event.evidence == .hint)
        #expect(try shop.count(.paymentSucceeded) == 0)
        #expect(try shop.ledger.streamsOfUnansweredHints(within: 100).count == 2)
        // As after a restart: what nobody had followed is taken up again.
        try shop.loop.takeUpHints()
        let following = Task { await shop.loop.followHints() }
        while try shop.count(.statusChecked) < 2 { await Task.yield() }
        following.cancel()
        await following.value
        #expect(try shop.ledger.session(named: "mollie/tr_1").outcome?.status == .succeeded)
        #expect(try shop.ledger.streamsOfUnansweredHints(within: 100).isEmpty)
    }

    @Test("A flood of unsigned notes is bounded, and the sender of the others comes again")
    func hintFlood() async throws {
        let shop = try ServedShop(Shop.memory())
        var statuses: [Int: Int] = [:]
        for number in 0..<1_200 {
            let answer = await shop.answer("POST", "/webhooks/mollie", body: "id=tr_\(number)")
            statuses[answer.status, default: 0] += 1
        }
        #expect(statuses == [200: 1_024, 503: 176])
        #expect(try shop.ledger.endPosition() == 1_024)
    }

    @Test("Other accounts' secrets take effect at once when the configuration is read again")
    func reload() async throws {
        let shop = try ServedShop(Shop.memory(), providers: "{}")
        #expect(await shop.deliver(Shop.payment(1), id: "msg_1").status == 404)
        shop.receiver.replace(
            WebhookEndpoints(try Shop.configuration(Shop.providers)), keys: FixedKeys())
        #expect(await shop.deliver(Shop.payment(1), id: "msg_1").status == 200)
    }

    @Test("An account without a secret to check with receives nothing, and it is said why")
    func silent() throws {
        let endpoints = WebhookEndpoints(
            try Shop.configuration(
                #"{"dodo":{"apiKeyFile":"m"},"mollie":{"webhookSecretFile":"w"}}"#))
        #expect(endpoints.endpoints.map(\.path) == ["/webhooks/mollie"])
        #expect(endpoints.silent.map(\.scope.provider) == ["dodo"])
        #expect(endpoints.silent.first?.reason?.code == "missing_secret")
    }

    @Test("A log line about a request holds nothing of its query, its body or its ids")
    func privacy() async throws {
        let shop = try ServedShop(Shop.memory())
        _ = await shop.deliver(
            Shop.payment(1), id: "msg_secret", to: "/webhooks/dodo?email=ann@shop.example")
        _ = await shop.answer("GET", "/sessions/cks_secret?q=ann")
        let text = "\(shop.log.events)" + (await shop.answer("GET", "/metrics").text)
        for word in ["secret", "ann@", "cks_1", "pay_1", "bus_demo"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(
            shop.log.events.first?.fields.map(\.name) == [
                "http.method", "http.route", "http.status", "duration.us", "provider", "verdict",
                "position",
            ])
    }
}
