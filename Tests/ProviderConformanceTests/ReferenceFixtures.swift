import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit

/// The other side of the reference adapter; shares its fault where both sides make it.
struct ReferenceFixtures: ProviderFixtures {
    var fault: Fault?

    init(_ fault: Fault? = nil) { self.fault = fault }

    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> ReferenceProvider {
        var configuration = ReferenceProvider.Configuration(mode: mode, fault: fault)
        if fault == .showsSecret { configuration.apiKey = apiSecrets[.apiKey] ?? "" }
        return ReferenceProvider(configuration: configuration)
    }

    let keys = ["reference_secret_of_today", "reference_secret_of_tomorrow"].map {
        FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "reference_api_key_1"]

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        let time = "\(signing.time.seconds)"
        var covered = signing.body
        if fault == .coversNothing { covered = [] }
        if fault == .coversPrefix { covered = Array(covered.prefix(64)) }
        let code = HMACKey(sha256: signing.key.signing)
            .authenticate(Array("\(time).".utf8), fault == .checksWithBothKeys ? [] : covered)
        let items = signing.signatures(of: code).map { "v1=\(Hex.encode($0))" }
        return WebhookDelivery(
            headers: [
                ReferenceProvider.header: (["t=\(time)"] + items).joined(separator: ",")
            ], body: signing.body)
    }

    func body(_ sample: EventSample) -> [UInt8]? { item(sample)?.json }

    func body(listing samples: [EventSample]) -> [UInt8]? {
        JSONValue.object([
            "id": samples.first.map { .string("list-\($0.eventID)") },
            "items": .array(samples.compactMap(item)),
        ]).json
    }

    private func item(_ sample: EventSample) -> JSONValue? {
        let type: String
        switch sample.kind {
        case .payment(.succeeded): type = "paid"
        case .payment(.failed): type = "declined"
        case .payment(.pending): type = "started"
        case .authorized: type = "reserved"
        case .refund(.succeeded): type = "refunded"
        case .dispute(.opened): type = "disputed"
        case .subscription(.renewed): type = "renewed"
        case .sessionExpired: type = "ran_out"
        case .unknownType: type = "zz.never_seen"
        default: return nil
        }
        func id(_ id: String?) -> JSONValue? { id.map(JSONValue.string) }
        return .object([
            "id": .string(sample.eventID), "type": .string(type),
            "created": .integer(sample.occurredAt.seconds), "live": .bool(sample.mode == .live),
            "session": id(sample.ids.session), "payment": id(sample.ids.payment),
            "refund": sample.kind == .refund(.succeeded) ? id(sample.ids.refund) : nil,
            "dispute": sample.kind == .dispute(.opened) ? id(sample.ids.dispute) : nil,
            "subscription": id(sample.ids.subscription), "order": id(sample.ids.order),
            "amount": sample.amount.minorInteger(), "currency": .string(sample.amount.currency),
            "email": .string(sample.email),
        ])
    }

    func hint(_ ids: ProviderIDs) -> (delivery: WebhookDelivery, target: StatusQueryTarget)? {
        guard fault != .claimsUnshown, let payment = ids.payment else { return nil }
        let body = URLSegment.form([(name: "id", value: payment)])
        return (WebhookDelivery(headers: [:], body: body), .payment(payment))
    }

    func signedReturn(_ signing: ReturnSigning) -> [(name: String, value: String)]? {
        guard let session = signing.ids.session, let payment = signing.ids.payment else {
            return nil
        }
        let word = signing.word ?? "paid"
        var fields = [session, payment, word]
        if fault == .leavesStatusUnsigned { fields.removeLast() }
        let code = HMACKey(sha256: signing.key.signing)
            .authenticate(Array(fields.joined(separator: "|").utf8))
        let text = signing.signatures(of: code).map { Hex.encode($0) }.joined()
        return [
            (name: "session", value: session), (name: "payment", value: payment),
            (name: "status", value: word), (name: "sign", value: text),
        ]
    }

    func reply(_ sample: StatusSample) -> HTTPReply? {
        HTTPReply(
            status: 200,
            body: JSONValue.object([
                "id": .string(sample.target.id), "status": .string(sample.word),
                "amount": sample.amount.minorInteger(), "currency": .string(sample.amount.currency),
            ]).json)
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        let session = ids.session ?? ""
        return HTTPReply(
            status: 200,
            body: JSONValue.object([
                "session": .string(session),
                "url": .string("https://pay.test.reference.example/s/\(session)"),
            ]).json)
    }
}
