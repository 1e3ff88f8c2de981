import CheckoutModel
import DodoPayments
import ProviderKit
import Stripe

/// Takes any bytes as a delivery: four lines of header values, the rest is the body.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Input([UInt8](UnsafeBufferPointer(start: start, count: count)))
    for receiver in Setting.shared.receivers {
        refuse(input.delivery, receiver)
        checkSigned(input, receiver)
    }
    return 0
}

/// A delivery in the fuzzer's own words.
private struct Input {
    let id, timestamp, signature, stripe: String
    let body: [UInt8]

    init(_ bytes: [UInt8]) {
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
        func line(_ index: Int) -> String {
            index < lines.count - 1 ? String(decoding: lines[index], as: UTF8.self) : ""
        }
        (id, timestamp, signature, stripe) = (line(0), line(1), line(2), line(3))
        body = lines.last.map(Array.init) ?? []
    }

    var delivery: WebhookDelivery {
        WebhookDelivery(
            headers: [
                "webhook-id": id, "Webhook-Timestamp": timestamp, "webhook-signature": signature,
                "stripe-signature": stripe,
            ], body: body)
    }
}

/// One adapter with its key, and how its provider signs.
private struct Receiver: Sendable {
    let verifier: DeliveryVerifier
    let sign: @Sendable (Input, [UInt8], Int64) -> WebhookDelivery
}

private struct Setting: Sendable {
    let receivers: [Receiver]

    static let now = Instant(seconds: 1_772_600_767)
    static let key = (0..<32).map { UInt8($0) }
    static let secret = "whsec_" + SigningOracle.base64(key)
    static let shared = make()

    private static func make() -> Setting {
        do {
            let providers: [any WebhookReceiving] = [
                try DodoPaymentsProvider(), try StripeProvider(),
            ]
            let verifiers = try providers.map { provider in
                try DeliveryVerifier(
                    provider: provider,
                    secrets: SecretSet(
                        [.webhook: [secret]], rules: type(of: provider).descriptor.secretRules))
            }
            return Setting(receivers: [
                Receiver(verifier: verifiers[0], sign: dodo),
                Receiver(verifier: verifiers[1], sign: stripe),
            ])
        } catch {
            fatalError("the fixed setting is refused: \(error)")
        }
    }

    /// The fuzzer's signatures stand before ours, as an old key's would.
    private static func dodo(_ input: Input, _ body: [UInt8], _ time: Int64) -> WebhookDelivery {
        let named = HeaderList([(name: "webhook-id", value: input.id)]).first("webhook-id") ?? ""
        let id = named.isEmpty ? "msg_1" : named
        let code = SigningOracle.hmac(key: key, Array("\(id).\(time).".utf8) + body)
        let others = input.signature.split(separator: " ").prefix(8).joined(separator: " ")
        return WebhookDelivery(
            headers: [
                "webhook-id": id, "webhook-timestamp": "\(time)",
                "webhook-signature": "\(others) v1,\(SigningOracle.base64(code))",
            ], body: body)
    }

    private static func stripe(_ input: Input, _ body: [UInt8], _ time: Int64) -> WebhookDelivery {
        let code = SigningOracle.hmac(
            key: Array(secret.utf8), Array("\(time).".utf8) + body)
        return WebhookDelivery(
            headers: ["Stripe-Signature": "t=\(time),v1=\(SigningOracle.hex(code))"], body: body)
    }
}

/// Nothing that the fuzzer wrote was signed, so nothing of it may be believed.
private func refuse(_ delivery: WebhookDelivery, _ receiver: Receiver) {
    do throws(WebhookRejection) {
        _ = try receiver.verifier.verify(delivery, at: Setting.now)
        fatalError("broken: what nobody signed is believed")
    } catch {
        _ = receiver.verifier.diagnosis(of: delivery, refusedBy: error, at: Setting.now)
        _ = receiver.verifier.provider.acknowledgement(for: .rejected(error))
    }
    _ = try? receiver.verifier.keyRequests(of: delivery)
}

/// The same body, signed: believed, read without a trap, and refused once a bit of it differs.
private func checkSigned(_ input: Input, _ receiver: Receiver) {
    let now = Setting.now.seconds
    // Fixed by the input, so that a crash can be repeated.
    let seed = input.body.reduce(Int(truncatingIfNeeded: now)) { $0 &* 31 &+ Int($1) }
    let place = Int(UInt(bitPattern: seed) % 601)
    let signed = receiver.sign(input, input.body, now + Int64(place - 300))
    do throws(WebhookRejection) {
        let verified = try receiver.verifier.verify(signed, at: Setting.now)
        require(verified.delivery == signed, "what is believed is what came")
        require(verified.bodySHA256 == SigningOracle.sha256(input.body), "its digest is right")
        readAll(verified, receiver.verifier.provider)
    } catch {
        fatalError("broken: what was signed is refused as \(error.code)")
    }
    for (late, code) in [(-301, "timestamp_too_old"), (301, "timestamp_too_new")] as [(Int64, _)] {
        refused(receiver.sign(input, input.body, now + late), code, receiver)
    }
    guard !input.body.isEmpty else { return }
    var changed = input.body
    changed[place % changed.count] ^= 1 << UInt8(place & 7)
    refused(
        WebhookDelivery(headers: signed.headers, body: changed), "signature_mismatch", receiver)
    refused(
        WebhookDelivery(headers: signed.headers, body: input.body + [0x20]), "signature_mismatch",
        receiver)
}

private func refused(_ delivery: WebhookDelivery, _ code: String, _ receiver: Receiver) {
    do throws(WebhookRejection) {
        _ = try receiver.verifier.verify(delivery, at: Setting.now)
        fatalError("broken: a delivery is believed that is \(code)")
    } catch {
        if error.code != code { fatalError("broken: \(error.code) where it is \(code)") }
    }
}

private func readAll(_ verified: VerifiedDelivery, _ provider: any WebhookReceiving) {
    let identity = provider.identity(of: verified)
    require(!identity.id.isEmpty, "a delivery has a name")
    switch provider.reading(of: verified) {
    case .understood(let events):
        require((try? provider.events(in: verified)) == events, "reading again gives the same")
        for event in events { _ = "\(event)" }
    case .foreignAccount(let foreign): fatalError("broken: \(foreign) without an account")
    case .unreadable(let error): _ = (error.code, error.message, error.hint)
    }
}

/// `precondition` would say nothing in an optimised build.
private func require(_ holds: Bool, _ rule: StaticString) {
    if !holds { fatalError("broken: \(rule)") }
}
