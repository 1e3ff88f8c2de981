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
struct HostedVector: Sendable, CustomTestStringConvertible {
    let id: String
    let provider: String
    let inputs: JSONValue
    let expected: String

    var testDescription: String { id }

    static let providers = ["polar", "paddle", "lemonsqueezy", "coinbase-commerce", "checkout.com"]

    static let all: [HostedVector] = {
        var found: [HostedVector] = []
        for vector in VectorFile.providers["vectors"]?.elements ?? [] {
            let provider = vector["provider"]?.text ?? ""
            guard providers.contains(provider) else { continue }
            let id = vector["id"]?.text ?? ""
            let inputs = vector["inputs"] ?? .null
            found.append(
                HostedVector(id: id, provider: provider, inputs: inputs, expected: "accepted"))
            let lists = [
                ("also_accepted", "accepted"), ("rejected", ""),
            ]
            for (list, verdict) in lists {
                for variant in vector[list]?.elements ?? [] {
                    // A misplaced reason stands inside the override; it is no input.
                    let reason = variant["reason"] ?? variant["override"]?["reason"]
                    found.append(
                        HostedVector(
                            id: "\(id): \(variant["name"]?.text ?? "")", provider: provider,
                            inputs: inputs.merging(variant["override"]),
                            expected: verdict.isEmpty ? reason?.text ?? "" : verdict))
                }
            }
        }
        return found
    }()

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

    func verify() -> Result<VerifiedDelivery, any Error> {
        Result {
            let receiver = try Self.receiver(
                provider, toleranceSeconds: inputs["tolerance"]?.integer)
            let texts =
                inputs["secrets"]?.elements?.compactMap(\.text)
                ?? inputs["secret"]?.text.map { [$0] } ?? []
            let secrets = try SecretSet(
                [.webhook: texts], rules: type(of: receiver).descriptor.secretRules,
                lengths: .shortForTestVectors)
            return try DeliveryVerifier(provider: receiver, secrets: secrets).verify(
                WebhookDelivery(vector: inputs),
                at: Instant(seconds: inputs["now"]?.integer ?? 0))
        }
    }
}

@Suite("Published vectors of providers that sign in one header", .enabled(if: Vectors.hasUpstream))
struct HostedVectorTests {
    @Test("All published deliveries of the five providers are there")
    func count() {
        #expect(HostedVector.all.filter { $0.expected == "accepted" }.count == 11)
        #expect(HostedVector.all.filter { $0.expected != "accepted" }.count == 17)
    }

    @Test("A published delivery gets the verdict of its source", arguments: HostedVector.all)
    func verdict(_ vector: HostedVector) {
        #expect(vector.verify().verdict == vector.expected)
    }

    @Test("The events of published deliveries carry the published facts")
    func facts() throws {
        var seen = 0
        for vector in VectorFile.providers["vectors"]?.elements ?? [] {
            let provider = vector["provider"]?.text ?? ""
            guard HostedVector.providers.contains(provider), let expect = vector["expect"],
                let type = expect["event_type"]?.text
            else { continue }
            seen += 1
            let delivery = HostedVector(
                id: "", provider: provider, inputs: vector["inputs"] ?? .null, expected: "")
            let receiver = try HostedVector.receiver(provider)
            let verified = try delivery.verify().get()
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
