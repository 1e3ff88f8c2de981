import CheckoutCom
import CheckoutModel
import CoinbaseCommerce
import LemonSqueezy
import Paddle
import Polar
import ProviderKit
import TestSupport
import Testing

/// The published vectors of the providers whose webhooks one header signs.
enum HostedVector {
    static let providers = ["polar", "paddle", "lemonsqueezy", "coinbase-commerce", "checkout.com"]
    static let all = PublishedCase.all(of: providers)

    static func receiver(
        _ provider: String, toleranceSeconds: Int64? = nil
    ) throws -> any WebhookReceiving {
        switch provider {
        case "polar":
            try PolarProvider(configuration: .init(toleranceSeconds: toleranceSeconds))
        case "paddle":
            try PaddleProvider(
                configuration: .init(
                    checkoutHosts: ["shop.example.com"], toleranceSeconds: toleranceSeconds))
        case "lemonsqueezy": try LemonSqueezyProvider()
        case "coinbase-commerce": try CoinbaseCommerceProvider()
        default: try CheckoutComProvider()
        }
    }

    static func verify(_ item: PublishedCase) -> Result<VerifiedDelivery, any Error> {
        Result {
            let receiver = try receiver(
                item.provider, toleranceSeconds: item.inputs["tolerance"]?.integer)
            let texts =
                item.inputs["secrets"]?.elements?.compactMap(\.text)
                ?? item.inputs["secret"]?.text.map { [$0] } ?? []
            let secrets = try SecretSet(
                [.webhook: texts], rules: type(of: receiver).descriptor.secretRules,
                lengths: .shortForTestVectors)
            return try DeliveryVerifier(provider: receiver, secrets: secrets).verify(
                item.delivery, at: item.now)
        }
    }
}

@Suite("Published vectors of providers that sign in one header", .enabled(if: Vectors.hasUpstream))
struct HostedVectorTests {
    @Test("All published deliveries of the five providers are there")
    func count() {
        #expect(HostedVector.all.filter(\.isAccepted).count == 11)
        #expect(HostedVector.all.filter { !$0.isAccepted }.count == 17)
    }

    @Test("A published delivery gets the verdict of its source", arguments: HostedVector.all)
    func verdict(_ item: PublishedCase) {
        #expect(item.expected.contains(HostedVector.verify(item).verdict))
    }

    @Test("The events of published deliveries carry the published facts")
    func facts() throws {
        var seen = 0
        for item in HostedVector.all {
            guard let type = item.expect["event_type"]?.text else { continue }
            seen += 1
            let expect = item.expect
            let receiver = try HostedVector.receiver(item.provider)
            let verified = try HostedVector.verify(item).get()
            let event = try #require(receiver.reading(of: verified).events.first)
            #expect(event.rawType == type)
            if let id = expect["event_id"]?.text {
                #expect(event.key.rawValue == id)
                #expect(receiver.identity(of: verified).id == id)
            }
            #expect(event.ids.session == expect["session_id"]?.text)
            guard let status = expect["status"]?.text else { continue }
            #expect(event.ids.payment == expect["payment_id"]?.text)
            let amount = try money(
                #require(expect["amount_minor"]?.integer),
                #require(expect["currency"]?.text))
            let wanted = CheckoutStatus(name: status) ?? .pending
            #expect(event.kind == .payment(wanted, amount, failure: nil))
        }
        #expect(seen == 5)
    }

    static let checkoutURLs = URLVectorTests.cases(
        VectorFile.providers["checkout_urls"], id: "url"
    ).filter { (HostedVector.providers + ["*"]).contains($0["provider"]?.text ?? "") }

    @Test(
        "A published checkout URL is recognised as its source says", arguments: checkoutURLs)
    func checkoutURL(_ item: URLVectorTests.Case) throws {
        let named = item["provider"]?.text ?? ""
        for provider in named == "*" ? HostedVector.providers : [named] {
            let match = try HostedVector.receiver(provider).recognise(checkoutURL: item.id)
            let expect = try #require(item["expect"])
            guard expect["recognised"] == .bool(true) else {
                #expect(match == .notMine)
                continue
            }
            let mode = ProviderMode.allCases.first { $0.name == expect["mode"]?.text } ?? .unknown
            let wanted =
                expect["session_id"]?.text.map { CheckoutURLMatch.session(id: $0, mode: mode) }
                ?? .linkWithoutSession(mode: mode)
            #expect(match == wanted)
        }
    }

    static let returnURLs = URLVectorTests.cases(
        VectorFile.providers["return_urls"], id: "query"
    ).filter { HostedVector.providers.contains($0["provider"]?.text ?? "") }

    @Test("A published return URL is read as its source says", arguments: returnURLs)
    func returnURL(_ item: URLVectorTests.Case) throws {
        let text = item.id.isEmpty ? "app://back" : "app://back?\(item.id)"
        let provider = try #require(
            try HostedVector.receiver(item["provider"]?.text ?? "") as? any ReturnURLParsing)
        let claim = try provider.parseReturn(ReturnRequest(url: try ReturnURL(parsing: text)))
        #expect(claim.status.name == item["expect"]?["status"]?.text)
        #expect(claim.ids.session == item["expect"]?["session_id"]?.text)
    }

    @Test("All published URLs of the five providers are there")
    func publishedCount() {
        #expect(Self.checkoutURLs.count == 21)
        #expect(Self.returnURLs.count == 3)
    }
}
