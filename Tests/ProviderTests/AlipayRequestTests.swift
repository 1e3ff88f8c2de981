import Alipay
import CheckoutModel
import Cryptography
import ProviderKit
import ProviderVectors
import TestSupport
import Testing

@Suite("Alipay's returns, requests and pages")
struct AlipayRequestTests {
    static let returned: [(name: String, value: String)] = [
        ("app_id", "2019"), ("out_trade_no", "order_42"), ("trade_no", "T1"),
        ("total_amount", "25.00"), ("method", "alipay.trade.page.pay.return"),
        ("timestamp", "2016-08-11 19:36:01"), ("charset", "utf-8"), ("version", "1.0"),
    ]

    private func verify(
        _ query: String, _ configuration: AlipayConfiguration = .init(),
        expecting session: String? = nil
    ) throws -> VerifiedReturn {
        let provider = try AlipayProvider(configuration: configuration)
        let url = try ReturnURL(parsing: "https://shop.example/back?\(query)")
        return try ReturnVerifier(provider: provider, secrets: AlipaySender.secrets())
            .verify(ReturnRequest(url: url, expectedSession: session), at: Sender.now)
    }

    private func signedQuery() throws -> String {
        String(decoding: try AlipaySender.form(Self.returned), as: UTF8.self)
    }

    @Test("A signed return proves its ids and leaves the status open")
    func returns() throws {
        // A browser may bring the blank of the timestamp as `+` or as `%20`.
        for query in [try signedQuery(), try signedQuery().replacing("%20", with: "+")] {
            let verified = try verify(query, .init(appID: "2019"), expecting: "order_42")
            #expect(verified.claim.status == .pending)
            #expect(verified.claim.ids == ProviderIDs(session: "order_42", payment: "T1"))
            #expect(verified.scheme == "alipay/rsa2")
        }
    }

    @Test("A return that was changed, or is about something else, is refused")
    func refusedReturns() throws {
        let query = try signedQuery()
        for (query, error) in [
            (query.replacing("25.00", with: "26.00"), .signatureMismatch),
            (query.replacing("order_42", with: "order_43"), .signatureMismatch),
            (query + "&trade_status=TRADE_SUCCESS", .signatureMismatch),
            (query + "&trade_no=T1", .malformed), (query + "&x=%", .malformed),
            (query.replacing("RSA2", with: "RSA"), .signatureMismatch),
            ("out_trade_no=order_42", .missingSignature), ("", .missingSignature),
        ] as [(String, ReturnRejection)] {
            #expect(throws: error) { try verify(query) }
        }
        #expect(throws: ReturnRejection.malformed) { try verify(query, .init(appID: "2020")) }
        #expect(throws: ReturnRejection.otherSession) { try verify(query, expecting: "other") }
    }

    @Test("A payment page names its trade, a posted one none")
    func pages() throws {
        let provider = try AlipayProvider()
        let gateway = "https://openapi.alipay.com/gateway.do"
        for (query, match) in [
            (
                "?method=alipay.trade.wap.pay&biz_content=%7B%22out_trade_no%22%3A%22A1%22%7D",
                .session(id: "A1", mode: .live)
            ),
            ("?method=alipay.trade.page.pay&biz_content=x", .linkWithoutSession(mode: .live)),
            ("?method=alipay.trade.page.pay", .linkWithoutSession(mode: .live)),
            // No number of a trade: not among letters, digits and `_`, or too long.
            (
                "?method=alipay.trade.page.pay&biz_content=%7B%22out_trade_no%22%3A%22%2F%22%7D",
                .linkWithoutSession(mode: .live)
            ),
            (
                "?method=alipay.trade.page.pay&biz_content=%7B%22out_trade_no%22%3A%22"
                    + String(repeating: "a", count: 65) + "%22%7D",
                .linkWithoutSession(mode: .live)
            ),
            (
                "?method=alipay.trade.refund&biz_content=%7B%22out_trade_no%22%3A%22A1%22%7D",
                .notMine
            ),
            ("?method=alipay.trade.page.pay&method=alipay.trade.page.pay", .notMine),
            ("", .notMine), ("/x?method=alipay.trade.page.pay", .notMine),
        ] as [(String, CheckoutURLMatch)] {
            #expect(provider.recognise(checkoutURL: gateway + query) == match)
        }
    }

    private func provider(_ mode: ProviderMode = .test) throws -> AlipayProvider {
        try AlipayProvider(
            configuration: .init(
                appID: "2019", notifyURL: "https://shop.example/notify", mode: mode))
    }

    private func query(
        _ target: StatusQueryTarget, _ mode: ProviderMode = .test
    ) throws -> HTTPRequestPlan {
        try provider(mode).statusRequest(
            for: target, secrets: AlipaySender.secrets(), now: Sender.now, nonce: Nonce(bytes: []))
    }

    /// The pairs of a signed request; an issue unless our public key fits its signature.
    private func checked(_ form: some Collection<UInt8>) throws -> FormFields {
        let fields = try #require(FormFields(form))
        let text = fields.pairs.filter { $0.name != "sign" }.sorted { $0.name < $1.name }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let key = try RSAPublicKey(spkiPEM: KnownKeyPair.second.publicPEM)
        let signature = try #require(Base64.decode(fields["sign"] ?? ""))
        #expect(key.verifyPKCS1SHA256(signature, for: Array(text.utf8)))
        return fields
    }

    @Test("A query is signed with our key and says which trade is meant")
    func queries() throws {
        for (target, content) in [
            (.session("order_42"), #"{"out_trade_no":"order_42"}"#),
            (.merchantReference("order_42"), #"{"out_trade_no":"order_42"}"#),
            (.payment("T1"), #"{"trade_no":"T1"}"#),
        ] as [(StatusQueryTarget, String)] {
            let plan = try query(target)
            #expect(plan.url == "https://openapi-sandbox.dl.alipaydev.com/gateway.do")
            #expect(plan.isRepeatable)
            let fields = try checked(plan.body)
            #expect(fields["method"] == "alipay.trade.query")
            #expect(fields["app_id"] == "2019")
            #expect(fields["biz_content"] == content)
            #expect(fields["sign_type"] == "RSA2")
            // 2026-01-01T00:00:00Z in China.
            #expect(fields["timestamp"] == "2026-01-01 08:00:00")
        }
        #expect(try query(.session("o"), .live).url == "https://openapi.alipay.com/gateway.do")
        #expect(throws: RequestPlanError.unknownMode) { try query(.session("o"), .unknown) }
        #expect(throws: RequestPlanError.unsupportedTarget) { try query(.order("o")) }
        #expect(throws: RequestPlanError.unusableID) { try query(.session("")) }
        let none = try SecretSet([:], rules: AlipayProvider.descriptor.secretRules)
        #expect {
            try provider().statusRequest(
                for: .session("o"), secrets: none, now: Sender.now, nonce: Nonce(bytes: []))
        } throws: { ($0 as? RequestPlanError)?.code == "missing_secret" }
    }

    private func answer(
        _ fields: String, status: Int = 200, for target: StatusQueryTarget = .session("order_42")
    ) throws -> StatusReport {
        try provider().interpret(
            HTTPReply(#"{"alipay_trade_query_response":{\#(fields)},"sign":"x"}"#, status: status),
            for: target)
    }

    static let words: [(word: String, more: String, status: CheckoutStatus)] = [
        ("WAIT_BUYER_PAY", "", .pending), ("TRADE_SUCCESS", "", .succeeded),
        ("TRADE_FINISHED", "", .succeeded), ("TRADE_CLOSED", "", .expired),
        ("TRADE_CLOSED", #","send_pay_date":"2019-08-15 15:56:24""#, .succeeded),
    ]

    @Test("A trade stands as its word says", arguments: words)
    func word(_ row: (word: String, more: String, status: CheckoutStatus)) throws {
        let trade = """
            "code":"10000","out_trade_no":"order_42","trade_no":"T1","buyer_user_id":"2088b",\
            "total_amount":"25.00","trade_status":"\(row.word)"\(row.more)
            """
        for target in [StatusQueryTarget.session("order_42"), .payment("T1")] {
            let facts = try answer(trade, for: target).known()
            #expect(facts.status == row.status)
            #expect(facts.amount == AlipayWebhookTests.cny)
            #expect(
                facts.ids == ProviderIDs(session: "order_42", payment: "T1", customer: "2088b"))
            #expect(facts.mode == .test)
            #expect(facts.rawStatus == row.word)
        }
    }

    @Test("A doubtful answer tells nothing, and a refusal is an error")
    func doubts() throws {
        for (fields, reason) in [
            ("", .unreadable), (#""code":"20000""#, .providerTrouble),
            (#""code":"40004","sub_code":"ACQ.TRADE_NOT_EXIST""#, .notFound),
            (#""code":"40004","sub_code":"ACQ.SYSTEM_ERROR""#, .providerTrouble),
            (#""code":"40004","sub_code":"OTHER""#, .unexpectedStatus),
            (#""code":"10000","out_trade_no":"other""#, .otherObject),
            (#""code":"10000","out_trade_no":"order_42""#, .unreadable),
            (
                #""code":"10000","out_trade_no":"order_42","trade_status":"NEW""#, .unknownWord
            ),
            (
                #""code":"10000","out_trade_no":"order_42","trade_status":"TRADE_SUCCESS","#
                    + #""total_amount":"1,00""#, .unreadable
            ),
        ] as [(String, IndeterminateReason)] {
            #expect(try answer(fields) == .indeterminate(reason, retryAfterSeconds: nil))
        }
        #expect(
            try answer("", status: 502) == .indeterminate(.providerTrouble, retryAfterSeconds: nil))
        for (fields, error) in [
            (#""code":"20001""#, .unauthorized), (#""code":"40006""#, .unauthorized),
            (#""code":"40002","sub_code":"isv.invalid-signature""#, .unauthorized),
            (#""code":"40002","sub_code":"isv.invalid-app-id""#, .unauthorized),
            (
                #""code":"40002","sub_code":"isv.invalid-parameter""#,
                .refused(providerCode: "isv.invalid-parameter")
            ), (#""code":"40001""#, .refused(providerCode: "40001")),
        ] as [(String, ProviderReplyError)] {
            #expect(throws: error) { try answer(fields) }
        }
    }

    private func draft(_ money: Money, reference: String = "order_42") -> SessionDraft {
        SessionDraft(
            items: [.init(name: "茶", quantity: 2, unitAmount: money)], reference: reference,
            returnURL: "https://shop.example/back?x=1")
    }

    @Test("A payment page is a signed URL that names the trade and its exact amount")
    func paymentPage() throws {
        let made = try provider().paymentPage(
            for: draft(try Money(1250, "CNY")), secrets: AlipaySender.secrets(), now: Sender.now)
        let url = try #require(made.checkoutURL)
        #expect(made.ids == ProviderIDs(session: "order_42"))
        #expect(
            try provider().recognise(checkoutURL: url) == .session(id: "order_42", mode: .test))
        let query = try #require(url.split(separator: "?", maxSplits: 1).last)
        let fields = try checked(Array(query.utf8))
        #expect(fields["return_url"] == "https://shop.example/back?x=1")
        #expect(fields["notify_url"] == "https://shop.example/notify")
        let content = try JSONValue(json: Array((fields["biz_content"] ?? "").utf8))
        #expect(content["total_amount"]?.text == "25.00")
        #expect(content["subject"]?.text == "2 × 茶")
        #expect(content["product_code"]?.text == "FAST_INSTANT_TRADE_PAY")
    }

    @Test("A draft that Alipay cannot sell has no page")
    func badDrafts() throws {
        for (money, reference, error) in [
            (try Money(1, "USD"), "o", .unusableAmount),
            (try Money(0, "CNY"), "o", .unusableAmount),
            (try Money(1, "CNY"), "", .unusableID), (try Money(1, "CNY"), "a-b", .unusableID),
            (try Money(1, "CNY"), String(repeating: "1", count: 65), .unusableID),
        ] as [(Money, String, RequestPlanError)] {
            #expect(throws: error) {
                try provider().paymentPage(
                    for: draft(money, reference: reference), secrets: AlipaySender.secrets(),
                    now: Sender.now)
            }
        }
    }

    @Test("Settings are read by name, and empty ones are refused")
    func settings() throws {
        var settings = ProviderSettings(
            mode: .test,
            ["appID", "sellerID", "notifyURL"].map {
                JSONMember(name: $0, value: .string("value"))
            })
        #expect(try AlipayProvider.configured(by: &settings).account == "value")
        #expect(settings.unknownNames.isEmpty)
        for configuration in [
            AlipayConfiguration(appID: ""), .init(sellerID: ""), .init(notifyURL: ""),
        ] {
            #expect(throws: ProviderConfigurationError.self) {
                try AlipayProvider(configuration: configuration)
            }
        }
    }
}
