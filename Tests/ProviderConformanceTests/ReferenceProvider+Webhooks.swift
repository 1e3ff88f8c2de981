import CheckoutModel
import Cryptography
import ProviderKit

extension ReferenceProvider: WebhookReceiving {
    var account: String? { nil }

    static let header = "Reference-Signature"

    func plans(for delivery: WebhookDelivery) throws(WebhookRejection) -> [VerificationPlan] {
        let text = try signatureText(delivery)
        guard let header = TimedSignatureHeader(text) else { throw .malformedHeader(Self.header) }
        guard header.hasVersion else { throw .unsupportedScheme }
        var time: TimeWindow? = TimeWindow(
            unixSeconds: header.timestamp, header: Self.header,
            toleranceSeconds: has(.allowsAnyAge) ? nil : 300)
        if has(.ignoresTimestamp) { time = nil }
        let signed = [Array("\(header.timestamp).".utf8), body(of: delivery)]
        var candidates = [candidate(signed, signatures(header))]
        // A second way that covers less: any mistake in it is a way in.
        if has(.checksWithBothKeys) { candidates.append(candidate([signed[0]], header.signatures)) }
        return VerificationPlan(anyOf: candidates, time: time).map { [$0] } ?? []
    }

    private func candidate(_ signed: [[UInt8]], _ signatures: [[UInt8]]) -> SignatureCandidate {
        SignatureCandidate(
            scheme: "reference/v1", algorithm: .hmacSHA256, keys: .secret(.webhook),
            signed: signed, signatures: signatures)
    }

    private func signatureText(_ delivery: WebhookDelivery) throws(WebhookRejection) -> String {
        if has(.takesFirstHeader), let text = delivery.headers.first(Self.header) { return text }
        if has(.minesHeaderCase) {
            let field = delivery.headers.fields.first { $0.name == Self.header }
            guard let field else { throw .missingHeader(Self.header) }
            return field.value
        }
        return try delivery.headers.one(Self.header)
    }

    private func body(of delivery: WebhookDelivery) -> [UInt8] {
        let body = delivery.body
        switch configuration.fault {
        case .coversNothing: return []
        case .coversPrefix: return Array(body.prefix(64))
        case .lowersBody: return Array(String(decoding: body, as: UTF8.self).lowercased().utf8)
        case .trimsBody:
            let blanks: Set<UInt8> = [0x20, 0x0A, 0x0D, 0x09]
            let start = body.drop { blanks.contains($0) }
            return start.reversed().drop { blanks.contains($0) }.reversed()
        default: return body
        }
    }

    private func signatures(_ header: TimedSignatureHeader) -> [[UInt8]] {
        switch configuration.fault {
        case .takesSignaturePrefix: header.signatures.map { Array($0.prefix(32)) }
        case .repairsSignatures:
            header.signatures.flatMap { code in
                [code]
                    + (0..<8).compactMap { bit in
                        code.last.map { code.dropLast() + [$0 ^ 1 << UInt8(bit)] }
                    }
            }
        case .takesFirstSignature: Array(header.signatures.prefix(1))
        case .demandsOneVersion: header.signatures.count == 1 ? header.signatures : []
        default: header.signatures
        }
    }

    func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        let body = try? JSONFields(body: delivery.delivery.body)
        var id = body?.note("id") ?? "sha256:\(delivery.bodyHex)"
        if has(.sharesIdentity) { id = "delivery" }
        return DeliveryIdentity(
            provider: Self.id, account: nil, mode: body.map(mode) ?? .unknown, id: id)
    }

    func events(in delivery: VerifiedDelivery) throws(WebhookDecodingError) -> [ProviderEvent] {
        if has(.believesNoise), (try? JSONFields(body: delivery.delivery.body)) == nil {
            return [
                ProviderEvent(
                    key: DedupeKey(rawValue: delivery.bodyHex),
                    kind: .payment(.succeeded, nil, failure: nil),
                    ids: ProviderIDs(payment: "pay_1"), rawType: "noise")
            ]
        }
        let body = try JSONFields(body: delivery.delivery.body)
        var items = body.objects("items")
        if items.isEmpty { items = [body] }
        if has(.readsFirstItem) { items = Array(items.prefix(1)) }
        var events: [ProviderEvent] = []
        for item in items { events.append(try event(item, delivery)) }
        return events
    }

    func acknowledgement(for outcome: WebhookOutcome) -> HTTPReply {
        switch outcome {
        case .rejected where !has(.thanksForForgeries): HTTPReply(status: 400)
        case .temporarilyUnavailable: HTTPReply(status: 503)
        case .ignored where has(.refusesUnknownTypes): HTTPReply(status: 400)
        default: HTTPReply(status: 200)
        }
    }

    private func mode(_ body: JSONFields) -> ProviderMode {
        if has(.mixesModes) { return .live }
        return body["live"] == .bool(true) ? .live : .test
    }

    private func event(
        _ item: JSONFields, _ delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> ProviderEvent {
        let id = try item.requiredText("id")
        let type = try item.requiredText("type")
        var key = id
        if has(.changesKey) { key += "/\(delivery.signedAt?.seconds ?? 0)" }
        if has(.sharesKey) { key = "event" }
        let time = has(.remembers) ? Int64(memory.next()) : try item.integer("created") ?? 0
        var ids = ProviderIDs(
            session: try item.identifier("session"), payment: try item.identifier("payment"),
            refund: try item.identifier("refund"), dispute: try item.identifier("dispute"),
            subscription: try item.identifier("subscription"), order: try item.identifier("order"))
        if has(.swapsIDs) { swap(&ids.session, &ids.payment) }
        return ProviderEvent(
            key: DedupeKey(rawValue: key), kind: try kind(type, item),
            occurredAt: Instant(seconds: time), mode: mode(item), ids: ids, rawType: type,
            privateFields: PrivateFields(customerEmail: item.note("email")))
    }

    private func kind(
        _ type: String, _ item: JSONFields
    ) throws(WebhookDecodingError) -> ProviderEvent.Kind {
        let money = try amount(item)
        switch type {
        case "paid": return .payment(.succeeded, money, failure: nil)
        case "declined": return .payment(.failed, money, failure: nil)
        case "started": return .payment(.pending, money, failure: nil)
        case "reserved":
            guard has(.countsFees), let money else { return .authorized(money) }
            return .captured(
                Money(minorUnits: money.minorUnits + 30, currency: money.currency))
        case "refunded":
            if has(.refundFailsPayment) { return .payment(.failed, money, failure: nil) }
            if has(.refundPaysAgain) { return .payment(.succeeded, money, failure: nil) }
            return has(.forgetsRefunds) ? .ignored : .refund(.succeeded, money)
        case "disputed":
            return has(.disputeCancelsPayment)
                ? .payment(.cancelled, money, failure: nil) : .dispute(.opened, money)
        case "renewed": return .subscription(.renewed)
        case "ran_out": return .sessionExpired
        default:
            if has(.throwsUnknownTypes) {
                throw WebhookDecodingError(.unexpectedType, field: "type")
            }
            return .ignored
        }
    }

    private func amount(_ item: JSONFields) throws(WebhookDecodingError) -> Money? {
        guard case .number(let number) = item["amount"] else {
            return try item.money("amount", currency: "currency", profile: .iso4217)
        }
        let currency = Currency(item.note("currency") ?? "")
        if has(.countsInFloats), let value = Double(number.text), let currency, value < 1e15 {
            return Money(minorUnits: Int64(value), currency: currency)
        }
        if has(.readsExponents), let currency, number.text == "1e3" {
            return Money(minorUnits: 1000, currency: currency)
        }
        if has(.guessesCurrency), currency?.exponent == nil, let euro = Currency("EUR") {
            return Money(minorUnits: number.integer ?? 0, currency: euro)
        }
        return try item.money("amount", currency: "currency", profile: .iso4217)
    }
}

extension ReferenceProvider: HintReceiving {
    func hint(in delivery: WebhookDelivery) -> StatusQueryTarget? {
        let id = FormFields(delivery.body)?.pairs.first { $0.name == "id" }?.value
        if has(.hintsAtAnything) { return .payment(id ?? "pay_1") }
        return id.flatMap { $0.isEmpty ? nil : .payment($0) }
    }
}
