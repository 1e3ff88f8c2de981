import CheckoutModel
import Cryptography
import ProviderKit
import ProviderVectors
import TestSupport
import Testing
import WeChatPay

@Suite("Events, returns and requests of WeChat Pay")
struct WeChatPayEventTests {
    private func money(_ units: Int64, _ code: String = "CNY") -> Money? {
        Currency(code).map { Money(minorUnits: units, currency: $0) }
    }

    private func transaction(_ word: String, amount: String = #"{"total":999,"currency":"CNY"}"#)
        -> String
    {
        """
        {"mchid":"1900000109","out_trade_no":"order-42","transaction_id":"T1",\
        "trade_state":"\(word)","success_time":"2026-01-01T08:00:01+08:00",\
        "payer":{"openid":"oU-1"},"amount":\(amount)}
        """
    }

    static let words: [(word: String, status: CheckoutStatus)] = [
        ("SUCCESS", .succeeded), ("REFUND", .succeeded), ("NOTPAY", .pending),
        ("USERPAYING", .pending), ("ACCEPT", .pending), ("PAYERROR", .failed),
        ("CLOSED", .expired), ("REVOKED", .cancelled),
    ]
    static let ids = ProviderIDs(
        session: "order-42", payment: "T1", order: "order-42", customer: "oU-1")

    @Test(
        "A transaction stands as its own word says, in an event and in an answer", arguments: words)
    func word(_ item: (word: String, status: CheckoutStatus)) throws {
        let reading = try WeChatPaySender.reading("TRANSACTION.SUCCESS", transaction(item.word))
        let event = try #require(reading.events.first)
        #expect(event.kind == .payment(item.status, money(999), failure: nil))
        #expect(event.ids == Self.ids)
        #expect(event.mode == .live)
        #expect(event.key.rawValue == "EV-1")
        #expect(event.occurredAt == Instant(seconds: 1_767_225_601))
        #expect(event.rawStatus == item.word)
        let provider = try WeChatPayProvider(configuration: WeChatPaySender.configuration)
        for target in [
            StatusQueryTarget.session("order-42"), .merchantReference("order-42"), .payment("T1"),
        ] {
            guard case .known(let facts) = try report(target, transaction(item.word), provider)
            else {
                Issue.record("\(target)")
                continue
            }
            #expect(facts.status == item.status)
            #expect(facts.amount == money(999))
            #expect(facts.ids == Self.ids)
        }
    }

    @Test("A word that nobody knows is pending in an event")
    func unknownWord() throws {
        let reading = try WeChatPaySender.reading("TRANSACTION.SUCCESS", transaction("INVENTED"))
        #expect(
            reading.events.first?.kind == .payment(.pending, money(999), failure: nil))
    }

    @Test("Amounts are whole minor units; without a currency they are fen")
    func amounts() throws {
        for (amount, units, code) in [
            (#"{"total":999}"#, 999, "CNY"), (#"{"total":5,"currency":"HKD"}"#, 5, "HKD"),
            (#"{"total":9.5,"currency":"CNY"}"#, nil, ""), (#"{"total":"9"}"#, nil, ""),
            (#"{"total":1e3}"#, nil, ""), (#"{"total":9,"currency":"XXQ"}"#, nil, ""),
        ] as [(String, Int64?, String)] {
            let reading = try WeChatPaySender.reading(
                "TRANSACTION.SUCCESS", transaction("SUCCESS", amount: amount))
            let kind = units.map {
                ProviderEvent.Kind.payment(.succeeded, money($0, code), failure: nil)
            }
            #expect(reading.events.first?.kind == kind, "\(amount)")
        }
    }

    @Test("A refund is known by WeChat's own id")
    func refunds() throws {
        for (type, state) in [
            ("SUCCESS", RefundState.succeeded), ("ABNORMAL", .failed), ("CLOSED", .failed),
        ] {
            let reading = try WeChatPaySender.reading(
                "REFUND.\(type)",
                """
                {"mchid":"1900000109","out_trade_no":"order-42","transaction_id":"T1",\
                "refund_id":"R1","out_refund_no":"back-1","refund_status":"\(type)",\
                "amount":{"total":999,"refund":500,"payer_total":999,"payer_refund":500}}
                """)
            let event = try #require(reading.events.first)
            #expect(event.kind == .refund(state, money(500)))
            #expect(
                event.ids
                    == ProviderIDs(
                        session: "order-42", payment: "T1", refund: "R1", order: "order-42"))
        }
    }

    @Test("Unknown types are ignored with their name, and another merchant's events set aside")
    func others() throws {
        let event = try WeChatPaySender.reading("MALL_REFUND.SUCCESS", "[]").events.first
        #expect(event?.kind == .ignored)
        #expect(event?.rawType == "MALL_REFUND.SUCCESS")
        let other = transaction("SUCCESS").replacing("1900000109", with: "1900000110")
        guard case .foreignAccount = try WeChatPaySender.reading("TRANSACTION.SUCCESS", other)
        else {
            Issue.record("not set aside")
            return
        }
    }

    // MARK: - URLs

    @Test(
        "A published checkout URL is recognised as its source says",
        .enabled(if: Vectors.hasUpstream), arguments: PublishedURL.checkouts(of: "wechatpay"))
    func checkoutURL(_ item: PublishedURL) throws {
        #expect(try WeChatPayProvider().recognise(checkoutURL: item.text) == item.match)
    }

    @Test(
        "A published return is read as its source says", .enabled(if: Vectors.hasUpstream),
        arguments: PublishedURL.returns(of: "wechatpay"))
    func published(_ item: PublishedURL) throws {
        let claim = try WeChatPayProvider().parseReturn(
            ReturnRequest(url: try ReturnURL(parsing: "app://back/?\(item.text)")))
        #expect(claim.status.name == item.expect["status"]?.text)
    }

    @Test("All published URLs are there", .enabled(if: Vectors.hasUpstream))
    func count() {
        #expect(PublishedURL.checkouts(of: "wechatpay").count == 15)
        #expect(PublishedURL.returns(of: "wechatpay").count == 1)
    }

    @Test("A link for WeChat is one exactly so written")
    func codes() throws {
        let provider = try WeChatPayProvider()
        for (url, isOurs) in [
            ("weixin://wxpay/bizpayurl?pr=Ab1", true), ("weixin://wxpay/bizpayurl?pr=", false),
            ("weixin://wxpay/bizpayurl", false), ("weixin://wxpay/other?pr=Ab1", false),
            ("weixin://other/bizpayurl?pr=Ab1", false), ("weixin://a@wxpay/bizpayurl?pr=A", false),
            ("https://wxpay/bizpayurl?pr=Ab1", false),
            ("https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb", false),
            ("http://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=1", false),
        ] {
            let match = provider.recognise(checkoutURL: url)
            #expect(match == (isOurs ? .linkWithoutSession(mode: .unknown) : .notMine), "\(url)")
        }
    }

    @Test("A return is pending wherever it lands and whatever it carries")
    func returns() throws {
        let url = try ReturnURL(parsing: "app://back?status=succeeded&out_trade_no=order-42")
        for landing in [ReturnRequest.Landing.success, .cancel, .failure, .unspecified] {
            let claim = try WeChatPayProvider().parseReturn(
                ReturnRequest(url: url, landing: landing))
            #expect(claim.status == .pending)
            #expect(claim.ids == ProviderIDs())
        }
    }

    // MARK: - Requests

    private static let nonce = Nonce(bytes: (0..<20).map { UInt8($0) })
    private static let nonceText = "000102030405060708090a0b0c0d0e0f"

    private func secrets() throws -> SecretSet {
        try WeChatPaySender.secrets([.signingKey: [KnownKeyPair.first.privatePEM]])
    }

    /// The signature in the header holds for the text that was to be signed.
    private func expectSigned(_ plan: HTTPRequestPlan, path: String) throws {
        let header = try #require(plan.headers.first("Authorization"))
        let start = #"""
            WECHATPAY2-SHA256-RSA2048 mchid="1900000109",nonce_str="\#(Self.nonceText)",\#
            timestamp="1767225600",serial_no="408B07E7",signature="
            """#
        #expect(header.hasPrefix(start))
        let text = header.dropFirst(start.count).dropLast()
        let signed = "\(plan.method)\n\(path)\n1767225600\n\(Self.nonceText)\n"
        let isValid = try RSAPublicKey(spkiPEM: KnownKeyPair.first.publicPEM).verifyPKCS1SHA256(
            try #require(Base64.decode(text)), for: Array(signed.utf8) + plan.body + [0x0A])
        #expect(isValid)
    }

    @Test("A query is signed over its path and query")
    func queries() throws {
        let provider = try WeChatPayProvider(configuration: WeChatPaySender.configuration)
        for (target, path) in [
            (.session("order-42"), "out-trade-no/order-42"),
            (.merchantReference("a|b"), "out-trade-no/a%7Cb"), (.payment("T1"), "id/T1"),
        ] as [(StatusQueryTarget, String)] {
            let plan = try provider.statusRequest(
                for: target, secrets: secrets(), now: Sender.now, nonce: Self.nonce)
            let whole = "/v3/pay/transactions/\(path)?mchid=1900000109"
            #expect(plan.method == "GET")
            #expect(plan.url == "https://api.mch.weixin.qq.com\(whole)")
            #expect(!"\(plan)".contains("signature"))
            try expectSigned(plan, path: whole)
        }
    }

    @Test("A request that lacks what its signature names is not planned")
    func unplanned() throws {
        func plan(_ change: (inout WeChatPayConfiguration) -> Void, nonce: Nonce = Self.nonce)
            throws -> HTTPRequestPlan
        {
            var configuration = WeChatPaySender.configuration
            change(&configuration)
            return try WeChatPayProvider(configuration: configuration).statusRequest(
                for: .session("order-42"), secrets: secrets(), now: Sender.now, nonce: nonce)
        }
        #expect(throws: RequestPlanError.missingField("merchantID")) {
            try plan { $0.merchantID = nil }
        }
        #expect(throws: RequestPlanError.missingField("certificateSerial")) {
            try plan { $0.certificateSerial = nil }
        }
        #expect(throws: RequestPlanError.missingField("nonce")) {
            try plan({ _ in }, nonce: Nonce(bytes: [1, 2, 3]))
        }
        let provider = try WeChatPayProvider(configuration: WeChatPaySender.configuration)
        #expect {
            try provider.statusRequest(
                for: .session("order-42"), secrets: WeChatPaySender.secrets(), now: Sender.now,
                nonce: Self.nonce)
        } throws: { ($0 as? RequestPlanError)?.code == "missing_secret" }
        #expect(throws: RequestPlanError.unsupportedTarget) {
            try provider.statusRequest(
                for: .order("x"), secrets: secrets(), now: Sender.now, nonce: Self.nonce)
        }
        for configuration in [
            WeChatPayConfiguration(merchantID: "1\""),
            WeChatPayConfiguration(certificateSerial: ""),
            WeChatPayConfiguration(publicKeyID: "1"), WeChatPayConfiguration(toleranceSeconds: -1),
        ] {
            #expect(throws: ProviderConfigurationError.self) {
                try WeChatPayProvider(configuration: configuration)
            }
        }
    }

    private func report(
        _ target: StatusQueryTarget, _ body: String, _ provider: WeChatPayProvider,
        status: Int = 200
    ) throws -> StatusReport {
        try provider.interpret(HTTPReply(status: status, body: Array(body.utf8)), for: target)
    }

    @Test("A doubtful answer tells nothing, and never that a payment failed")
    func doubts() throws {
        let provider = try WeChatPayProvider(configuration: WeChatPaySender.configuration)
        for (body, status, reason) in [
            (#"{"code":"ORDER_NOT_EXIST"}"#, 404, .notFound), ("", 429, .rateLimited),
            ("", 500, .providerTrouble), ("{", 200, .unreadable), ("{}", 200, .unreadable),
            (transaction("SUCCESS").replacing("order-42", with: "x"), 200, .otherObject),
            (transaction("SUCCESS").replacing("1900000109", with: "2"), 200, .otherObject),
            (transaction("INVENTED"), 200, .unknownWord),
            (transaction("SUCCESS", amount: #"{"total":1.5}"#), 200, .unreadable),
        ] as [(String, Int, IndeterminateReason)] {
            #expect(
                try report(.session("order-42"), body, provider, status: status)
                    == .indeterminate(reason, retryAfterSeconds: nil))
        }
    }

    private func creation(_ draft: SessionDraft) throws -> HTTPRequestPlan {
        try WeChatPayProvider(configuration: WeChatPaySender.configuration).createRequest(
            draft, idempotencyKey: try #require(IdempotencyKey(rawValue: "key-1")),
            secrets: secrets(), now: Sender.now, nonce: Self.nonce)
    }

    @Test("A checkout is asked for in fen, under the draft's own reference, signed with its body")
    func creation() throws {
        var draft = RequestPlanTests.draft
        draft.items[0].unitAmount = money(999)
        let plan = try creation(draft)
        #expect(plan.isRepeatable)
        try expectSigned(plan, path: "/v3/pay/transactions/native")
        let body = try JSONValue(json: plan.body)
        #expect(body["out_trade_no"]?.text == "order-42")
        #expect(body["amount"]?["total"]?.integer == 1998)
        #expect(body["amount"]?["currency"]?.text == "CNY")
        #expect(body["notify_url"]?.text == "https://shop.example/notify")
        for reference in ["short", String(repeating: "x", count: 33), "order 42", "order:42"] {
            draft.reference = reference
            #expect(throws: RequestPlanError.missingField("reference")) { try creation(draft) }
        }
    }

    @Test("A created checkout is named by its draft, because the reply does not name it")
    func created() throws {
        let provider = try WeChatPayProvider(configuration: WeChatPaySender.configuration)
        let reply = HTTPReply(
            status: 200, body: Array(#"{"code_url":"weixin://wxpay/bizpayurl?pr=Ab1"}"#.utf8))
        let session = try provider.interpretCreation(reply, of: RequestPlanTests.draft)
        #expect(session.ids.session == "order-42")
        #expect(session.checkoutURL == "weixin://wxpay/bizpayurl?pr=Ab1")
        #expect(try provider.interpretCreation(reply).ids == ProviderIDs())
        #expect(throws: ProviderReplyError.refused(providerCode: "PARAM_ERROR")) {
            try provider.interpretCreation(
                HTTPReply(status: 400, body: Array(#"{"code":"PARAM_ERROR"}"#.utf8)))
        }
        #expect(throws: ProviderReplyError.unreadable) {
            try provider.interpretCreation(HTTPReply(status: 200, body: Array("{}".utf8)))
        }
    }

    @Test("Settings are read by name, and a test account is a mistake")
    func settings() throws {
        let members = [
            "merchantID": "1900000109", "appID": "wx1", "certificateSerial": "A1",
            "publicKeyID": "PUB_KEY_ID_1", "notifyURL": "https://shop.example/",
        ].map { JSONMember(name: $0.key, value: .string($0.value)) }
        var settings = ProviderSettings(mode: .live, members)
        #expect(
            WeChatPayConfiguration(settings: &settings)
                == WeChatPayConfiguration(
                    merchantID: "1900000109", appID: "wx1", certificateSerial: "A1",
                    publicKeyID: "PUB_KEY_ID_1", notifyURL: "https://shop.example/"))
        #expect(settings.problems.isEmpty && settings.unknownNames.isEmpty)
        var test = ProviderSettings(mode: .test)
        _ = WeChatPayConfiguration(settings: &test)
        #expect(test.problems.map(\.field) == ["mode"])
    }
}
