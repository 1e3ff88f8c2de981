import CheckoutLedger
import CheckoutModel
import EventLog
import HTTPTransport
import ProviderKit
import TestSupport
import Testing

@Suite("Asking providers")
struct ReconcilerTests {
    private typealias Shop = ReconcileShop

    private static let paid = Shop.session("cks_1", "succeeded", payment: "pay_1")
    private static let html = Shop.json("<html>Bad gateway</html>", status: 502)
    private static let cases: [(id: String, answers: Shop.Answers, word: String)] = [
        ("paid", ["cks_1": paid, "pay_1": Shop.payment("pay_1")], "resolved succeeded"),
        ("failed", ["cks_1": Shop.session("cks_1", "failed")], "resolved failed"),
        ("cancelled", ["cks_1": Shop.session("cks_1", "cancelled")], "resolved cancelled"),
        ("open", ["cks_1": Shop.session("cks_1", nil)], "pending"),
        (
            "under way", ["cks_1": Shop.session("cks_1", "processing", payment: "pay_1")],
            "pending"
        ),
        (
            "another amount",
            ["cks_1": paid, "pay_1": Shop.payment("pay_1", amount: 250)],
            "review amount_mismatch"
        ),
        (
            "another currency",
            ["cks_1": paid, "pay_1": Shop.payment("pay_1", currency: "JPY")],
            "review currency_mismatch"
        ),
        (
            "another session", ["cks_1": Shop.session("cks_2", "succeeded")],
            "unclear other_object"
        ),
        (
            "another session's payment",
            ["cks_1": paid, "pay_1": Shop.payment("pay_1", session: "cks_2")],
            "unclear other_object"
        ),
        (
            "another payment", ["cks_1": paid, "pay_1": Shop.payment("pay_2")],
            "unclear other_object"
        ),
        ("a payment nobody knows", ["cks_1": paid], "unclear not_found"),
        (
            "two words that contradict",
            ["cks_1": paid, "pay_1": Shop.payment("pay_1", "processing")], "pending"
        ),
        (
            "the second question fails",
            [
                "cks_1": paid,
                "pay_1": .failure(TransportError(.timeout, host: "test.dodopayments.com")),
            ], "unclear provider_trouble"
        ),
        ("unknown", [:], "unclear not_found"),
        (
            "an unknown word", ["cks_1": Shop.session("cks_1", "blessed")],
            "unclear unknown_word"
        ),
        ("asked too often", ["cks_1": Shop.json("", status: 429)], "unclear rate_limited"),
        ("trouble", ["cks_1": html], "unclear provider_trouble"),
        ("a redirect", ["cks_1": Shop.json("", status: 302)], "unclear unexpected_status"),
        ("cut off", ["cks_1": Shop.json(#"{"id":"cks_1","payment_st"#)], "unclear unreadable"),
        ("nothing", ["cks_1": Shop.json("")], "unclear unreadable"),
        ("a page", ["cks_1": Shop.json("<html>ok</html>")], "unclear unreadable"),
        ("a refused key", ["cks_1": Shop.json("{}", status: 401)], "not asked unauthorized"),
        (
            "a strange certificate",
            ["cks_1": .failure(TransportError(.untrusted, host: "test.dodopayments.com"))],
            "not asked tls_untrusted"
        ),
    ]

    @Test("An answer decides only when it is whole, about this session, and about this amount")
    func answers() async throws {
        for (id, answers, word) in Self.cases {
            let shop = try Shop()
            try await shop.open("cks_1")
            let result = try #require(try await shop.reconcile(answers).results.first)
            #expect(result.word == word, "\(id)")
            let session = try shop.ledger.session(named: "cks_1")
            #expect(session == result.session || result.obstacle != nil, "\(id)")
            if !word.hasPrefix("resolved") {
                #expect(session.outcome == nil, "\(id)")
                #expect(session.state.evidence.status != .failed, "\(id)")
            }
            #expect(try shop.ledger.sessions().count == 1, "\(id)")
        }
    }

    @Test("What was heard stands in the session's own story, with where it was heard")
    func story() async throws {
        let shop = try Shop()
        try await shop.open("cks_1")
        let (results, asked) = try await shop.reconcile([
            "cks_1": Shop.session("cks_1", "succeeded", payment: "pay_1"),
            "pay_1": Shop.payment("pay_1"),
        ])
        #expect(asked == ["cks_1", "pay_1"])
        #expect(results[0].url == "https://test.dodopayments.com/payments/pay_1")
        let (session, events) = try shop.ledger.timeline(of: "cks_1")
        #expect(events.suffix(2).map(\.event.type) == [.statusChecked, .paymentSucceeded])
        #expect(events.last?.event.source == .query)
        #expect(events.last?.event.evidence == .verified)
        #expect(session.outcome?.evidence == .verified)
        #expect(session.state.evidence.paid.total?.minorUnits == 2500)
        let again = try await shop.reconcile([:])
        #expect(again.results.isEmpty && again.asked.isEmpty)
    }

    @Test("A session that nobody had begun to pay can still fail, be paid or run out later")
    func laterEndings() async throws {
        for (type, status) in [
            ("payment.failed", CheckoutStatus.failed), ("payment.succeeded", .succeeded),
        ] {
            let shop = try Shop()
            try await shop.open("cks_1")
            let (results, _) = try await shop.reconcile(["cks_1": Shop.session("cks_1", nil)])
            #expect(results.map(\.word) == ["pending"])
            try await shop.ledger.receive(
                Fixture.payment(type, payment: "pay_1", session: "cks_1"), id: "msg_1")
            #expect(try shop.ledger.session(named: "cks_1").outcome?.status == status)
        }
    }

    @Test("A payment that only a return URL names is never asked about")
    func hintedPayments() async throws {
        let shop = try Shop()
        try await shop.open("cks_1")
        _ = try await shop.ledger.record(
            returnURL: "myapp://done?status=succeeded&payment_id=pay_victim",
            readBy: Fixture.dodo(), scope: Fixture.scope, session: "cks_1")
        let (results, asked) = try await shop.reconcile([
            "cks_1": Shop.json("", status: 404),
            "pay_victim": Shop.payment("pay_victim", session: nil),
        ])
        #expect(asked == ["cks_1"])
        #expect(results.map(\.word) == ["unclear not_found"])
    }

    @Test("A payment that a webhook named is asked about where the session is not known any more")
    func verifiedPayments() async throws {
        let shop = try Shop()
        try await shop.open("cks_1")
        try await shop.ledger.receive(
            Fixture.payment("payment.processing", payment: "pay_1", session: "cks_1"), id: "msg_1")
        let (results, asked) = try await shop.reconcile(["pay_1": Shop.payment("pay_1")])
        #expect(asked == ["cks_1", "pay_1"])
        #expect(results.map(\.word) == ["resolved succeeded"])
    }

    @Test("An answer from the other world decides nothing")
    func otherMode() async throws {
        let shop = try Shop(#"{"stripe":{"mode":"test","apiKeyFile":"s"}}"#)
        try await shop.open("cs_1", "stripe")
        func answer(live: Bool) -> RecordedTransport.Answer {
            Shop.json(
                #"""
                {"id":"cs_1","object":"checkout.session","livemode":\#(live),"status":"complete",
                 "payment_status":"paid","payment_intent":"pi_1","amount_total":2500,
                 "currency":"eur"}
                """#)
        }
        #expect(
            try await shop.reconcile(["cs_1": answer(live: true)]).results.map(\.word)
                == ["unclear other_object"])
        #expect(
            try await shop.reconcile(["cs_1": answer(live: false)]).results.map(\.word)
                == ["resolved succeeded"])
    }

    @Test("One bad account does not stop the others, and is left alone")
    func isolation() async throws {
        let unauthorized = Shop.json("", status: 401)
        let trouble = Shop.json("", status: 500)
        let lost = RecordedTransport.Answer.failure(TransportError(.timeout, host: "h"))
        let cases: [(answer: RecordedTransport.Answer, words: [String], asked: Int)] = [
            (unauthorized, Array(repeating: "not asked unauthorized", count: 5), 1),
            (
                Shop.json("", status: 429),
                ["unclear rate_limited"] + Array(repeating: "not asked rate_limited", count: 4), 1
            ),
            (
                trouble,
                Array(repeating: "unclear provider_trouble", count: 3)
                    + Array(repeating: "not asked provider_trouble", count: 2), 3
            ),
            (
                lost,
                Array(repeating: "not asked timeout", count: 3)
                    + Array(repeating: "not asked provider_trouble", count: 2), 3
            ),
        ]
        for (answer, words, count) in cases {
            let shop = try Shop()
            var answers: Shop.Answers = [:]
            for number in 0..<5 {
                try await shop.open("cks_\(number)")
                try await shop.open("cs_\(number)", "stripe")
                answers["cks_\(number)"] = answer
                answers["cs_\(number)"] = Shop.json(
                    #"""
                    {"id":"cs_\#(number)","livemode":false,"status":"complete","currency":"eur",
                     "payment_status":"paid","payment_intent":"pi_\#(number)","amount_total":2500}
                    """#)
            }
            let (results, asked) = try await shop.reconcile(answers)
            // In the order of the sessions, whichever account was quicker.
            #expect(results.map(\.session.name) == (0..<5).flatMap { ["cks_\($0)", "cs_\($0)"] })
            let dodo = results.filter { $0.session.scope.provider == "dodo" }
            #expect(dodo.map(\.word) == words)
            #expect(asked.count { $0.hasPrefix("cks_") } == count)
            let stripe = results.filter { $0.session.scope.provider == "stripe" }
            #expect(stripe.allSatisfy { $0.word == "resolved succeeded" })
        }
    }

    @Test("Failures that are not in a row do not stop an account")
    func patience() async throws {
        let shop = try Shop()
        var answers: Shop.Answers = [:]
        for number in 0..<9 {
            try await shop.open("cks_\(number)")
            answers["cks_\(number)"] =
                number % 3 == 2
                ? Shop.session("cks_\(number)", nil) : Shop.json("", status: 500)
        }
        #expect(try await shop.reconcile(answers).asked.count == 9)
    }

    @Test("A session is asked about with its own account's key, or with none")
    func accounts() async throws {
        let shop = try Shop(
            #"""
            {"dodo":{"accounts":{"eu":{"mode":"test","apiKeyFile":"k"},
              "us":{"mode":"test","secretFile":"w"}}}}
            """#.replacing("\"secretFile\":\"w\"", with: "\"apiKeyFile\":\"k\""))
        try await shop.open("cks_1", account: "eu")
        try await shop.open("cks_2", account: "nobody")
        try await shop.open("cks_3", account: "us", mode: .live)
        let (results, asked) = try await shop.reconcile(["cks_1": Shop.session("cks_1", "failed")])
        #expect(
            results.map(\.word) == [
                "resolved failed", "not asked no_account", "not asked no_account",
            ])
        #expect(results.map { $0.obstacle?.isAboutCredentials } == [nil, true, true])
        #expect(asked == ["cks_1"])
    }

    @Test("A refused key is told by its account, and the same provider's other accounts go on")
    func refusedKey() async throws {
        let shop = try Shop(
            #"""
            {"dodo":{"accounts":{"eu":{"mode":"test","apiKeyFile":"k"},
              "us":{"mode":"test","apiKeyFile":"k2"}}}}
            """#)
        for number in 0..<4 {
            try await shop.open("cks_\(number)", account: number % 2 == 0 ? "eu" : "us")
        }
        let script = RecordedTransport { plan, _ in
            guard plan.headers.first("Authorization")?.hasSuffix("another_account") == true else {
                return Shop.json("{}", status: 401)
            }
            return Shop.session(Shop.last(plan.url), "failed")
        }
        let results = try await shop.reconcile(over: script)
        #expect(
            results.map(\.word) == [
                "not asked unauthorized", "resolved failed", "not asked unauthorized",
                "resolved failed",
            ])
        #expect(results[2].obstacle?.message.contains("dodo/eu") == true)
        #expect(script.requests.count == 3)
    }

    @Test("An open page that names a payment is paid once that payment is, and not otherwise")
    func namedPayment() async throws {
        func page(_ word: String) -> RecordedTransport.Answer {
            Shop.json(#"{"id":"hpp_1","status":"\#(word)","payment_id":"pay_1"}"#)
        }
        func payment(_ word: String, amount: Int = 2500) -> RecordedTransport.Answer {
            Shop.json(
                #"{"id":"pay_1","status":"\#(word)","amount":\#(amount),"currency":"EUR"}"#)
        }
        let cases: [(answers: Shop.Answers, word: String)] = [
            (
                ["hpp_1": page("Payment Pending"), "pay_1": payment("Captured")],
                "resolved succeeded"
            ),
            (
                ["hpp_1": page("Payment Pending"), "pay_1": payment("Captured", amount: 1)],
                "review amount_mismatch"
            ),
            (["hpp_1": page("Payment Pending"), "pay_1": payment("Declined")], "pending"),
            (["hpp_1": page("Payment Pending"), "pay_1": payment("Blessed")], "pending"),
            (["hpp_1": page("Payment Pending")], "pending"),
        ]
        for (answers, word) in cases {
            let shop = try Shop(#"{"checkout.com":{"mode":"test","apiKeyFile":"c"}}"#)
            try await shop.open("hpp_1", "checkout.com")
            let (results, asked) = try await shop.reconcile(answers)
            #expect(results.map(\.word) == [word])
            #expect(asked == ["hpp_1", "pay_1"])
        }
    }

    @Test("A session that was recorded under a mode stays one session")
    func scopedSession() async throws {
        let shop = try Shop()
        try await shop.open("cks_1", mode: .test)
        let (results, _) = try await shop.reconcile(["cks_1": Shop.session("cks_1", "failed")])
        #expect(results.map(\.word) == ["resolved failed"])
        #expect(try shop.ledger.sessions().count == 1)
    }

    @Test("A key that is missing, or a world that is not said, is told as such")
    func configurationGaps() async throws {
        let shop = try Shop(#"{"dodo":{"apiKeyFile":"k"}}"#)
        try await shop.open("cks_1")
        #expect(try await shop.reconcile([:]).results.map(\.word) == ["not asked unknown_mode"])
    }

    @Test("A dry run says what it would ask, sends nothing and records nothing")
    func dryRun() async throws {
        let shop = try Shop()
        try await shop.open("cks_1")
        let end = try shop.ledger.endPosition()
        let (results, asked) = try await shop.reconcile([:]) { $0.isDryRun = true }
        #expect(results.map(\.word) == ["would ask"])
        #expect(results[0].url == "https://test.dodopayments.com/checkouts/cks_1")
        #expect(asked.isEmpty)
        #expect(try shop.ledger.endPosition() == end)
    }

    @Test("Many sessions are asked about a few at a time, and all of them")
    func manySessions() async throws {
        let shop = try Shop()
        var answers: Shop.Answers = [:]
        for number in 0..<600 {
            try await shop.open("cks_\(number)")
            answers["cks_\(number)"] = Shop.session("cks_\(number)", "failed")
        }
        let (results, asked) = try await shop.reconcile(answers) { $0.concurrency = 8 }
        #expect(results.map(\.session.name) == (0..<600).map { "cks_\($0)" })
        #expect(results.allSatisfy { $0.word == "resolved failed" })
        #expect(Set(asked).count == 600)
    }
}
