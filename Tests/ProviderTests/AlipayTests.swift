import Alipay
import CheckoutModel
import Cryptography
import ProviderKit
import ProviderVectors
import TestSupport
import Testing

/// Signs forms as Alipay does.
enum AlipaySender {
    static func secrets() throws -> SecretSet {
        try SecretSet(
            [
                .webhookPublicKey: [KnownKeyPair.first.publicPEM],
                .signingKey: [KnownKeyPair.second.privatePEM],
            ], rules: AlipayProvider.descriptor.secretRules)
    }

    /// The form with its signature; `signsType` as older families of messages do.
    static func form(
        _ pairs: [(name: String, value: String)], signsType: Bool = false
    ) throws -> [UInt8] {
        let signed = pairs + (signsType ? [(name: "sign_type", value: "RSA2")] : [])
        let text = signed.sorted { $0.name < $1.name }.map { "\($0.name)=\($0.value)" }
            .joined(separator: "&")
        let key = try RSAPrivateKey(pem: KnownKeyPair.first.privatePEM)
        let signature = Base64.encode(try key.signPKCS1SHA256(Array(text.utf8)))
        return URLSegment.form(
            pairs + [(name: "sign_type", value: "RSA2"), (name: "sign", value: signature)])
    }

    static func verified(
        _ body: [UInt8], _ configuration: AlipayConfiguration = .init()
    ) throws -> (AlipayProvider, VerifiedDelivery) {
        let provider = try AlipayProvider(configuration: configuration)
        let verifier = try DeliveryVerifier(provider: provider, secrets: secrets())
        return (
            provider,
            try verifier.verify(WebhookDelivery(headers: [:], body: body), at: Sender.now)
        )
    }

    static func events(
        _ more: [(name: String, value: String)], _ configuration: AlipayConfiguration = .init()
    ) throws -> [ProviderEvent] {
        let pairs =
            [
                (name: "notify_id", value: "n1"), (name: "notify_type", value: "trade_status_sync"),
                (name: "notify_time", value: "2019-08-15 15:56:25"),
                (name: "app_id", value: "2019"), (name: "seller_id", value: "2088"),
                (name: "out_trade_no", value: "order_42"), (name: "trade_no", value: "T1"),
                (name: "buyer_id", value: "2088b"), (name: "total_amount", value: "25.00"),
                (name: "subject", value: "茶 & more+"), (name: "body", value: ""),
            ] + more
        let (provider, verified) = try verified(form(pairs), configuration)
        return try provider.events(in: verified)
    }
}

@Suite("Alipay's notifications")
struct AlipayWebhookTests {
    static let cny = Currency("CNY").map { Money(minorUnits: 2500, currency: $0) }

    typealias Row = (
        word: String, more: [String: String], status: CheckoutStatus, refunded: Int64?, time: String
    )

    static let trades: [Row] = [
        ("WAIT_BUYER_PAY", [:], .pending, nil, "2019-08-15T07:56:25Z"),
        (
            "TRADE_SUCCESS", ["gmt_payment": "2019-08-15 15:56:24"], .succeeded, nil,
            "2019-08-15T07:56:24Z"
        ),
        ("TRADE_FINISHED", [:], .succeeded, nil, "2019-08-15T07:56:25Z"),
        (
            "TRADE_SUCCESS", ["refund_fee": "10.00", "gmt_refund": "2019-08-16 01:00:00.123"],
            .succeeded, 1000, "2019-08-15T07:56:25Z"
        ),
        ("TRADE_SUCCESS", ["refund_fee": "0.00"], .succeeded, nil, "2019-08-15T07:56:25Z"),
        (
            "TRADE_CLOSED", ["gmt_close": "2019-08-16 15:56:24"], .expired, nil,
            "2019-08-16T07:56:24Z"
        ),
        (
            "TRADE_CLOSED", ["gmt_payment": "2019-08-15 15:56:24", "refund_fee": "25.00"],
            .succeeded, 2500, "2019-08-15T07:56:24Z"
        ),
        ("TRADE_CLOSED", ["refund_fee": "25.00"], .succeeded, 2500, "2019-08-15T07:56:25Z"),
        ("TRADE_INVENTED", [:], .pending, nil, "2019-08-15T07:56:25Z"),
    ]

    @Test("A trade stands as its word, its times and its refunds say", arguments: trades)
    func trade(_ row: Row) throws {
        let more = row.more.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let events = try AlipaySender.events(
            [(name: "trade_status", value: row.word)] + more, .init(mode: .live))
        let event = try #require(events.first)
        #expect(event.kind == .payment(row.status, Self.cny, failure: nil))
        #expect(
            event.ids == ProviderIDs(session: "order_42", payment: "T1", customer: "2088b"))
        #expect(event.key.rawValue == "n1")
        #expect(event.mode == .live)
        #expect(event.account == "2019")
        #expect(event.rawType == "trade_status_sync")
        #expect(event.rawStatus == row.word)
        #expect(event.occurredAt == (try? Instant(iso8601: row.time)))
        #expect(events.count == (row.refunded == nil ? 1 : 2))
        guard let units = row.refunded else { return }
        #expect(events[1].kind == .refund(.succeeded, try Money(units, "CNY")))
        #expect(events[1].ids.refund == "T1")
        #expect(events[1].key.rawValue == "n1#refund")
    }

    @Test("A message of another family is ignored under its name")
    func ignored() throws {
        let pairs = [
            (name: "notify_id", value: "n2"), (name: "notify_type", value: "servicemarket"),
        ]
        for signsType in [false, true] {
            let (provider, verified) = try AlipaySender.verified(
                AlipaySender.form(pairs, signsType: signsType))
            let event = try #require(try provider.events(in: verified).first)
            #expect(event.kind == .ignored)
            #expect(event.rawType == "servicemarket")
            #expect(provider.identity(of: verified).id == "n2")
            #expect(verified.scheme == (signsType ? "alipay/rsa2-with-type" : "alipay/rsa2"))
        }
        let (provider, unnamed) = try AlipaySender.verified(AlipaySender.form([]))
        #expect(provider.identity(of: unnamed).id == "sha256:\(unnamed.bodyHex)")
    }

    @Test("An amount that is not yuan with two decimals is set aside with its reason")
    func amounts() throws {
        for (text, code) in [
            ("25,00", "amount_not_decimal"), ("25.001", "amount_not_decimal"),
            ("99999999999999999999", "amount_out_of_range"),
        ] {
            #expect {
                try AlipaySender.events([
                    (name: "trade_status", value: "TRADE_SUCCESS"),
                    (name: "refund_fee", value: text),
                ])
            } throws: { ($0 as? WebhookDecodingError)?.code == code }
        }
    }

    @Test("A form that two readers could read differently is not believed")
    func refusedForms() throws {
        let form = try AlipaySender.form([(name: "notify_id", value: "n1")])
        let text = String(decoding: form, as: UTF8.self)
        for (body, error) in [
            (text + "&notify_id=n1", .signatureMismatch), (text + "&x=1", .signatureMismatch),
            (text + "&x=%FF", .signatureMismatch), ("", .missingHeader("sign")),
            ("notify_id=n1&sign=", .missingHeader("sign")),
            (text.replacing("RSA2", with: "RSA"), .unsupportedScheme),
            (text.replacing("n1", with: "n2"), .signatureMismatch),
            ("notify_id=n1&sign=no-base64", .signatureMismatch),
        ] as [(String, WebhookRejection)] {
            #expect(throws: error) { try AlipaySender.verified(Array(body.utf8)) }
        }
        // Certificate mode adds this and does not sign it.
        _ = try AlipaySender.verified(Array((text + "&alipay_cert_sn=abc").utf8))
    }

    @Test("A message about another application or seller is set aside")
    func foreign() throws {
        for (configuration, named) in [
            (AlipayConfiguration(appID: "2020"), "2019"),
            (.init(appID: "2019", sellerID: "2089"), "2088"), (.init(sellerID: "2089"), "2088"),
        ] {
            let (provider, verified) = try AlipaySender.verified(
                AlipaySender.form([
                    (name: "app_id", value: "2019"), (name: "seller_id", value: "2088"),
                    (name: "trade_status", value: "TRADE_SUCCESS"),
                    (name: "out_trade_no", value: "o1"),
                ]), configuration)
            guard case .foreignAccount(let foreign) = provider.reading(of: verified) else {
                Issue.record("not set aside")
                continue
            }
            #expect(foreign.named == named)
        }
        let ours = try AlipaySender.events([], .init(appID: "2019", sellerID: "2088"))
        #expect(ours.first?.account == "2019")
    }

    @Test("What was stored is acknowledged with the bare word, all else with another")
    func acknowledgement() throws {
        let provider = try AlipayProvider()
        for outcome in [WebhookOutcome.recorded, .duplicate, .ignored, .quarantined] {
            let reply = provider.acknowledgement(for: outcome)
            #expect(reply.status == 200)
            #expect(reply.body == Array("success".utf8))
        }
        for (outcome, status) in [
            (WebhookOutcome.rejected(.signatureMismatch), 401), (.rejected(.bodyTooLarge), 413),
            (.temporarilyUnavailable, 503),
        ] {
            let reply = provider.acknowledgement(for: outcome)
            #expect(reply.status == status)
            #expect(reply.body == Array("fail".utf8))
        }
    }
}

@Suite("Alipay's published vectors", .enabled(if: Vectors.hasUpstream))
struct AlipayVectorTests {
    static let cases = PublishedCase.all(of: "alipay")

    private func verify(_ item: PublishedCase) -> Result<VerifiedDelivery, any Error> {
        Result {
            let provider = try AlipayProvider()
            let pairs = (item.inputs["params"]?.members ?? []).map {
                (name: $0.name, value: $0.value.text ?? "")
            }
            return try DeliveryVerifier(
                provider: provider,
                secrets: item.secrets(
                    .webhookPublicKey, named: "alipay_public_key", for: provider)
            ).verify(
                WebhookDelivery(headers: [:], body: URLSegment.form(pairs)), at: Sender.now)
        }
    }

    @Test("All of them are there")
    func count() {
        #expect(Self.cases.filter { $0.isAccepted }.count == 3)
        #expect(Self.cases.filter { !$0.isAccepted }.count == 10)
        #expect(PublishedURL.checkouts(of: "alipay").count == 15)
        #expect(PublishedURL.returns(of: "alipay").count == 1)
    }

    @Test("A published notification gets the verdict of its source", arguments: cases)
    func verdict(_ item: PublishedCase) throws {
        let result = verify(item)
        guard !item.id.hasSuffix("only the v1 string is tried") else {
            // We try both texts: the first one does not fit.
            #expect(try result.get().scheme == "alipay/rsa2-with-type")
            return
        }
        #expect(item.expected.contains(result.verdict))
        guard let status = item.expect["status"]?.text else { return }
        let provider = try AlipayProvider()
        let event = try #require(try provider.events(in: result.get()).first)
        let money = try Money(
            try #require(item.expect["amount_minor"]?.integer),
            try #require(item.expect["currency"]?.text))
        #expect(
            event.kind
                == .payment(try #require(CheckoutStatus(name: status)), money, failure: nil))
        #expect(event.ids.session == item.expect["session_id"]?.text)
        #expect(event.ids.payment == item.expect["payment_id"]?.text)
        #expect(event.key.rawValue == item.expect["event_id"]?.text)
    }

    @Test(
        "A published checkout URL is recognised as its source says",
        arguments: PublishedURL.checkouts(of: "alipay"))
    func checkoutURL(_ item: PublishedURL) throws {
        #expect(try AlipayProvider().recognise(checkoutURL: item.text) == item.match)
    }

    @Test(
        "A published return URL is read as its source says",
        arguments: PublishedURL.returns(of: "alipay"))
    func returnURL(_ item: PublishedURL) throws {
        item.check(try AlipayProvider().parseReturn(item.request()))
    }
}
