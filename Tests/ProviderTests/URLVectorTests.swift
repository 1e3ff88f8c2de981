import CheckoutModel
import DodoPayments
import ProviderKit
import Stripe
import TestSupport
import Testing

@Suite("Checkout and return URLs of the adapters")
struct URLVectorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let value: JSONValue
        var testDescription: String { id }
        subscript(_ name: String) -> JSONValue? { value[name] }
    }

    static func cases(_ list: JSONValue?, id: String) -> [Case] {
        (list?.elements ?? []).map { Case(id: $0[id]?.text ?? "", value: $0) }
    }

    static func match(_ provider: String, _ url: String) throws -> CheckoutURLMatch {
        switch provider {
        case "dodo": try DodoPaymentsProvider().recognise(checkoutURL: url)
        default:
            try StripeProvider(configuration: .init(customDomains: ["pay.example.com"]))
                .recognise(checkoutURL: url)
        }
    }

    static let startCases = cases(VectorFile.publicCases, id: "id").filter {
        $0["area"]?.text == "checkout_url" && $0["input"]?["checkoutUrl"] != nil
    }

    @Test("A public checkout URL case is taken or refused as it says", arguments: startCases)
    func publicCase(_ item: Case) throws {
        let url = try #require(item["input"]?["checkoutUrl"]?.text)
        let expected = try #require(item["expected"]?.text)
        let match = try Self.match("dodo", url)
        guard expected.hasPrefix("accept") else {
            #expect(match == .notMine)
            return
        }
        guard case .session(let id, let mode) = match else {
            Issue.record("\(url) is not recognised")
            return
        }
        #expect(expected.contains("sessionId=\(id)"))
        if expected.contains("mode=") { #expect(expected.contains("mode=\(mode.name)")) }
    }

    @Test("All eight public cases that name a checkout URL are there")
    func publicCount() { #expect(Self.startCases.count == 8) }

    @Test("The URL to open has stray characters escaped")
    func canonical() throws {
        let rule = try #require(try DodoPaymentsProvider().checkoutURLRules.first)
        let page = try rule.read(
            "https://checkout.dodopayments.com/session/cks_g7?src=mail|main")
        #expect(page.canonicalText.hasSuffix("?src=mail%7Cmain"))
    }

    static let contract = cases(VectorFile.dodo, id: "id").filter {
        $0["kind"]?.text == "checkout_url_validate" && $0["input"]?["checkoutUrl"] != nil
    }

    @Test("A URL of Dodo's contract is taken as the vector wants it", arguments: contract)
    func contractCase(_ item: Case) throws {
        let url = try #require(item["input"]?["checkoutUrl"]?.text)
        var wanted = item["expected"]?["recordedSessionId"]?.text
        if item["better"]?.text?.hasPrefix("refuse") == true { wanted = nil }
        if item["better"]?.text == "test the raw path" { wanted = nil }
        if case .session(let id, _) = try Self.match("dodo", url) {
            #expect(id == wanted)
        } else {
            #expect(wanted == nil)
        }
    }

    static let checkoutURLs = cases(VectorFile.providers["checkout_urls"], id: "url").filter {
        ["dodo", "stripe", "*"].contains($0["provider"]?.text)
    }

    @Test(
        "A published checkout URL is recognised as its source says",
        .enabled(if: Vectors.hasUpstream), arguments: checkoutURLs)
    func checkoutURL(_ item: Case) throws {
        let named = item["provider"]?.text ?? ""
        for provider in named == "*" ? ["dodo", "stripe"] : [named] {
            let match = try Self.match(provider, item.id)
            guard item["expect"]?["recognised"] == .bool(true) else {
                #expect(match == .notMine)
                continue
            }
            guard case .session(let id, let mode) = match else {
                Issue.record("\(item.id) is not recognised")
                continue
            }
            #expect(id == item["expect"]?["session_id"]?.text)
            #expect(mode.name == item["expect"]?["mode"]?.text)
        }
    }

    static let returnURLs = cases(VectorFile.providers["return_urls"], id: "query").filter {
        ["dodo", "stripe"].contains($0["provider"]?.text)
    }

    @Test(
        "A published return URL is read as its source says", .enabled(if: Vectors.hasUpstream),
        arguments: returnURLs)
    func returnURL(_ item: Case) throws {
        let request = ReturnRequest(url: try ReturnURL(parsing: "app://back/?\(item.id)"))
        let provider: any ReturnURLParsing =
            item["provider"]?.text == "dodo" ? try DodoPaymentsProvider() : try StripeProvider()
        let claim = try provider.parseReturn(request)
        let expect = try #require(item["expect"])
        #expect(claim.status.name == expect["status"]?.text)
        #expect(claim.ids.session == expect["session_id"]?.text)
        #expect(claim.ids.payment == expect["payment_id"]?.text)
        #expect(claim.ids.subscription == expect["subscription_id"]?.text)
        #expect(claim.privateFields.customerEmail == expect["email"]?.text)
        let keys = (expect["license_keys"]?.elements ?? []).compactMap(\.text)
        #expect(claim.privateFields.licenseKeys == keys)
    }

    @Test("Published URLs of both providers are there", .enabled(if: Vectors.hasUpstream))
    func publishedCount() {
        #expect(Self.checkoutURLs.count == 20)
        #expect(Self.returnURLs.count == 12)
    }

    @Test("Only the landing tells a Stripe cancellation, and never a success")
    func landing() throws {
        let url = try ReturnURL(parsing: "app://back?status=succeeded&session_id=cs_test_1")
        let stripe = try StripeProvider()
        for (landing, status) in [
            (ReturnRequest.Landing.success, CheckoutStatus.pending), (.unspecified, .pending),
            (.failure, .pending), (.cancel, .cancelled),
        ] {
            let claim = try stripe.parseReturn(ReturnRequest(url: url, landing: landing))
            #expect(claim.status == status)
        }
    }

    @Test("A return that names another session than the open one is refused")
    func otherSession() throws {
        let url = try ReturnURL(parsing: "app://back?session_id=cs_test_1")
        #expect(throws: ReturnRejection.otherSession) {
            try StripeProvider().parseReturn(
                ReturnRequest(url: url, expectedSession: "cs_test_2"))
        }
    }

    @Test("A static Dodo link is known as one that names no session")
    func staticLink() throws {
        let match = try Self.match("dodo", "https://checkout.dodopayments.com/buy/pdt_1?quantity=1")
        #expect(match == .linkWithoutSession(mode: .live))
    }

    @Test("A registry offers a URL to each adapter in turn")
    func registry() throws {
        let registry = try ProviderRegistry([DodoPaymentsProvider(), StripeProvider()])
        let found = registry.recognise(checkoutURL: "https://checkout.stripe.com/c/pay/cs_live_1")
        #expect(found?.provider == "stripe")
        #expect(found?.match == .session(id: "cs_live_1", mode: .live))
        #expect(registry.recognise(checkoutURL: "https://shop.example/") == nil)
        let both: Set<ProviderCapability> = [.returnURL, .webhook, .statusQuery, .sessionCreation]
        #expect(registry.capabilities("dodo") == both)
        #expect(registry.capabilities("stripe") == both)
        #expect(registry.signedReturns("dodo") == nil)
    }
}
