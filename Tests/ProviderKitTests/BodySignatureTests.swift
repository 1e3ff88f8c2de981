import CheckoutModel
import Cryptography
import ProviderKit
import Testing

@Suite("Amounts, tokens and plain signatures")
struct BodySignatureTests {
    @Test("A signature of the body in a header becomes one plan, whatever its prefix and case")
    func plan() throws {
        let code = HMACKey(sha256: Array("k".utf8)).authenticate([Array("body".utf8)])
        for (text, encoding) in [
            (Hex.encode(code), SignatureEncoding.hex), ("sha256=" + Hex.encode(code), .hex),
            (Hex.encode(code).uppercased(), .hex), (Base64.encode(code), .base64),
        ] {
            let delivery = WebhookDelivery(headers: ["X-Sig": text], body: Array("body".utf8))
            let plan = try VerificationPlan.body(
                of: delivery, header: "x-sig", encoding: encoding, prefix: "sha256=", scheme: "s")
            #expect(plan.anyOf.first?.signatures == [code])
        }
    }

    @Test("What is no signature fits no key, and no header is said so")
    func noSignature() throws {
        let delivery = WebhookDelivery(headers: ["X-Sig": "test_signature"], body: [])
        let plan = try VerificationPlan.body(
            of: delivery, header: "x-sig", encoding: .hex, scheme: "s")
        #expect(plan.anyOf.first?.signatures == [])
        #expect(throws: WebhookRejection.missingHeader("x")) {
            try VerificationPlan.body(of: delivery, header: "x", encoding: .hex, scheme: "s")
        }
    }

    @Test(
        "An amount in major units is read exactly or not at all",
        arguments: [
            ("\"10.00\"", "EUR", Int64(1000)), ("\"500\"", "JPY", 500),
            ("\"1.234\"", "KWD", 1234), ("\"10\"", "EUR", 1000), ("\"0.5\"", "EUR", 50),
            ("10.00", "EUR", nil), ("\"10.001\"", "EUR", nil), ("\"5.0\"", "JPY", nil),
            ("\"1e2\"", "EUR", nil), ("\"10,00\"", "EUR", nil), ("\"10.00\"", "XXQ", nil),
        ] as [(String, String, Int64?)])
    func decimal(_ amount: String, _ currency: String, _ minorUnits: Int64?) throws {
        let fields = try JSONFields(
            body: Array(#"{"value":\#(amount),"currency":"\#(currency)"}"#.utf8))
        guard let minorUnits else {
            #expect(throws: WebhookDecodingError.self) {
                try fields.decimalMoney("value", currency: "currency")
            }
            return
        }
        #expect(try fields.decimalMoney("value", currency: "currency")?.minorUnits == minorUnits)
    }

    @Test("A token grant is repeatable, hides its secrets and reads its reply")
    func token() throws {
        let grant = TokenGrant(
            url: "https://api.example/token", headers: ["Authorization": "Basic c2VjcmV0"],
            body: Array("grant_type=client_credentials".utf8))
        #expect(grant.request.isRepeatable)
        var shown = "\(grant) \(grant.request)"
        dump(grant, to: &shown)
        #expect(!shown.contains("c2VjcmV0"))
        let reply = HTTPReply(
            status: 200, body: Array(#"{"access_token":"A1","expires_in":3600}"#.utf8))
        #expect(try TokenGrant.read(reply) == ("A1", 3600))
        #expect(throws: ProviderReplyError.unreadable) {
            try TokenGrant.read(HTTPReply(status: 200, body: Array("{}".utf8)))
        }
        #expect(throws: ProviderReplyError.unauthorized) {
            try TokenGrant.read(HTTPReply(status: 401))
        }
    }
}
