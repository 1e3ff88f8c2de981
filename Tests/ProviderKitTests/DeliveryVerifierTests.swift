import CheckoutModel
import Cryptography
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("Verification of deliveries")
struct DeliveryVerifierTests {
    let verifier: DeliveryVerifier
    let good = SampleReceiver.delivery()

    init() throws { verifier = try SampleReceiver.verifier() }

    @Test("Each flipped bit of a signature is a mismatch")
    func flippedBits() {
        let code = SampleReceiver.code(good.body)
        #expect(verifier.verdict(good) == "accepted")
        for bit in 0..<256 {
            var flipped = code
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            let delivery = SampleReceiver.delivery(signature: "v1,\(Base64.encode(flipped))")
            #expect(verifier.verdict(delivery) == "signature_mismatch")
        }
    }

    @Test("Each changed byte of a body is a mismatch")
    func changedBody() {
        for index in good.body.indices {
            var body = good.body
            body[index] ^= 1
            #expect(verifier.verdict(good.with(body: body)) == "signature_mismatch")
        }
        #expect(verifier.verdict(good.with(body: good.body + [0x0A])) == "signature_mismatch")
        #expect(verifier.verdict(good.with(body: good.body.dropLast())) == "signature_mismatch")
    }

    @Test("The bodies of two deliveries cannot be swapped")
    func swapped() {
        let other = SampleReceiver.delivery(Array(#"{"amount":1}"#.utf8), id: "msg_2")
        #expect(verifier.verdict(other) == "accepted")
        #expect(verifier.verdict(good.with(body: other.body)) == "signature_mismatch")
        #expect(verifier.verdict(other.with(body: good.body)) == "signature_mismatch")
    }

    @Test("Every header is needed, may be written in any case, and may come twice if it agrees")
    func headers() {
        for index in good.headers.fields.indices {
            let field = good.headers.fields[index]
            var fields = good.headers.fields
            fields.remove(at: index)
            #expect(throws: WebhookRejection.missingHeader(field.name)) {
                try verifier.verify(good.with(headers: fields), at: SampleReceiver.now)
            }
            for name in [field.name.uppercased(), "W" + field.name.dropFirst()] {
                let renamed = HeaderList.Field(name: name, value: " \(field.value)\t")
                #expect(verifier.verdict(good.with(headers: fields + [renamed])) == "accepted")
            }
            let same = good.headers.fields + [field]
            #expect(verifier.verdict(good.with(headers: same)) == "accepted")
            let other = [HeaderList.Field(name: field.name.uppercased(), value: "1")] + same
            #expect(throws: WebhookRejection.ambiguousHeader(field.name)) {
                try verifier.verify(good.with(headers: other), at: SampleReceiver.now)
            }
            let empty = fields + [HeaderList.Field(name: field.name, value: "  ")]
            #expect(verifier.verdict(good.with(headers: empty)) == "missing_header")
        }
    }

    @Test("The tolerance holds to the second on both sides")
    func tolerance() {
        for (distance, verdict) in [
            (299, "accepted"), (300, "accepted"), (301, "timestamp_too_old"),
            (-299, "accepted"), (-300, "accepted"), (-301, "timestamp_too_new"),
        ] {
            let now = Instant(seconds: SampleReceiver.now.seconds + Int64(distance))
            #expect(verifier.verdict(good, at: now) == verdict)
        }
        for extreme in [Instant(microseconds: .min), Instant(microseconds: .max)] {
            #expect(verifier.verdict(good, at: extreme).hasPrefix("timestamp_too_"))
        }
    }

    static let oddTimes = [
        "soon", "17672256OO", " 1767225600", "+1767225600", "-1", "1767225600.0", "1e9", "0x10",
        "１７６７２２５６００", "99999999999999999999", "1767225600abc",
    ]

    @Test("A time that is no number is the sender's fault if signed and nobody's if not")
    func oddTime() {
        for time in Self.oddTimes where time.first != " " {
            let signed = SampleReceiver.delivery(time: time)
            #expect(verifier.verdict(signed) == "timestamp_malformed")
            let forged = SampleReceiver.delivery(
                time: time, signature: good.headers.first("webhook-signature"))
            #expect(verifier.verdict(forged) == "malformed_header")
        }
    }

    @Test("Several secrets and several signatures are tried in every pair")
    func rotation() throws {
        let junk = "v1,\(Base64.encode([UInt8](repeating: 7, count: 32)))"
        let right = good.headers.first("webhook-signature") ?? ""
        let list = "bad v2,x \(junk) v1,!!! \(right) v1a,AAAA"
        let both = try SampleReceiver.verifier([
            SampleReceiver.otherSecret, SampleReceiver.secret,
        ])
        let verified = try both.verify(
            SampleReceiver.delivery(signature: list), at: SampleReceiver.now)
        #expect(verified.secretIndex == 1)
        #expect(verified.scheme == "standard-webhooks/v1")
        #expect(verified.signedAt == SampleReceiver.now)
        #expect(verified.bodySHA256 == SHA256.hash(good.body).bytes)
        let alone = try SampleReceiver.verifier([SampleReceiver.otherSecret])
        #expect(alone.verdict(SampleReceiver.delivery(signature: list)) == "signature_mismatch")
    }

    @Test("Of ten thousand signatures only the first few are looked at")
    func longList() {
        let junk = "v1,\(Base64.encode([UInt8](repeating: 7, count: 32)))"
        let right = good.headers.first("webhook-signature") ?? ""
        let many = Array(repeating: junk, count: 9_999)
        func verdict(_ items: [String]) -> String {
            verifier.verdict(SampleReceiver.delivery(signature: items.joined(separator: " ")))
        }
        #expect(verdict(many + [right]) == "signature_mismatch")
        #expect(verdict([right] + many) == "accepted")
        #expect(verdict(many.prefix(Limits.signatures - 1) + [right]) == "accepted")
        #expect(verdict(many.prefix(Limits.signatures) + [right]) == "signature_mismatch")
    }

    @Test("A signature of another length is a mismatch, not a crash")
    func lengths() {
        for count in [0, 1, 16, 31, 33, 64, 1_000] {
            let signature = "v1,\(Base64.encode([UInt8](repeating: 1, count: count)))"
            #expect(
                verifier.verdict(SampleReceiver.delivery(signature: signature))
                    == "signature_mismatch")
        }
        let padded = SampleReceiver.code(good.body) + [0]
        #expect(
            verifier.verdict(SampleReceiver.delivery(signature: "v1,\(Base64.encode(padded))"))
                == "signature_mismatch")
    }

    @Test("A signature has one written form")
    func malleability() {
        let text = Base64.encode(SampleReceiver.code(good.body))
        for other in [
            String(text.dropLast()), text + "=", text + "\n", text.replacing("+", with: "-"),
        ] where other != text {
            #expect(
                verifier.verdict(SampleReceiver.delivery(signature: "v1,\(other)"))
                    == "signature_mismatch")
        }
    }

    @Test("A body of the largest size is verified and a larger one refused unread")
    func largeBody() {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: Limits.bodyBytes)
        #expect(verifier.verdict(SampleReceiver.delivery(body)) == "accepted")
        #expect(verifier.verdict(SampleReceiver.delivery(body + [0])) == "body_too_large")
    }

    @Test("Random headers and bodies are refused without a trap")
    func fuzz() {
        var random = SeededGenerator(seed: 11)
        for round in 0..<5_000 {
            let fields = good.headers.fields.map { field in
                var bytes = Array(field.value.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                return HeaderList.Field(
                    name: field.name, value: String(decoding: bytes, as: UTF8.self))
            }
            let body = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let delivery = WebhookDelivery(headers: HeaderList(fields), body: body)
            #expect(verifier.verdict(delivery) != "accepted")
            guard round.isMultiple(of: 20) else { continue }
            _ = verifier.diagnosis(
                of: delivery, refusedBy: .signatureMismatch, at: SampleReceiver.now)
        }
    }

    @Test("A verifier without a signing secret cannot be made")
    func noSecret() throws {
        let rules = SampleReceiver.descriptor.secretRules
        for texts: [SecretRole: [String]] in [[:], [.webhook: []], [.apiKey: ["sk_live_1"]]] {
            let secrets = try SecretSet(texts, rules: rules)
            #expect {
                try DeliveryVerifier(provider: SampleReceiver(), secrets: secrets)
            } throws: { ($0 as? SecretError)?.code == "missing_secret" }
        }
    }

    @Test("An adapter without plans accepts nothing")
    func noPlans() throws {
        let secrets = try SecretSet(
            [.webhook: [SampleReceiver.secret]], rules: SampleReceiver.descriptor.secretRules)
        let careless = try DeliveryVerifier(provider: CarelessReceiver(), secrets: secrets)
        #expect(careless.verdict(good) == "signature_mismatch")
        #expect(VerificationPlan(anyOf: [], time: nil) == nil)
    }

    @Test("A signed return is verified by the kit, and a changed one is not")
    func signedReturn() throws {
        let secrets = try SecretSet(
            [.webhook: [SampleReceiver.secret]], rules: SampleReceiver.descriptor.secretRules)
        let verifier = try ReturnVerifier(provider: SampleReceiver(), secrets: secrets)
        let sign = Hex.encode(
            HMACKey(sha256: SampleReceiver.key).authenticate(Array("succeeded".utf8)))
        func verify(_ query: String) throws -> VerifiedReturn {
            try verifier.verify(
                ReturnRequest(url: try ReturnURL(parsing: "app://back?\(query)")),
                at: SampleReceiver.now)
        }
        #expect(try verify("status=succeeded&sign=\(sign)").claim.status == .succeeded)
        #expect(throws: ReturnRejection.signatureMismatch) {
            try verify("status=failed&sign=\(sign)")
        }
        #expect(throws: ReturnRejection.missingSignature) { try verify("status=succeeded") }
    }
}

/// An adapter whose author forgot to say what must hold.
private struct CarelessReceiver: WebhookReceiving {
    static let descriptor = SampleReceiver.descriptor
    var account: String? { nil }
    var checkoutURLRules: [CheckoutURLRule] { [] }
    init(configuration: NoConfiguration = NoConfiguration()) {}
    func plans(for delivery: WebhookDelivery) -> [VerificationPlan] { [] }
    func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        DeliveryIdentity(provider: Self.id, account: nil, mode: .unknown, id: "")
    }
    func events(in delivery: VerifiedDelivery) -> [ProviderEvent] { [] }
}
