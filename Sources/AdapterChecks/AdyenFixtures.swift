import Adyen
import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit

/// Adyen's side: items that carry their own signatures over eight fields, and payment links.
struct AdyenFixtures: ProviderFixtures {
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> AdyenProvider {
        try AdyenProvider(
            configuration: .init(
                merchantAccount: "TeaShopECOM", mode: mode, liveURLPrefix: "1797a841-TeaShop"))
    }

    /// Hexadecimal text, as the Customer Area shows it; its bytes are the key.
    let keys = [UInt8(0x1D), 0xA7].map { byte in
        let bytes = (0..<32).map { byte &+ UInt8($0) &* 7 }
        return FixtureKey(
            secrets: [.webhook: Hex.encode(bytes, letters: .upper)], signing: bytes)
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "AQE_key_of_a_pretend_shop"]

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "PLTEA\(number)", payment: "PSPPAYMENT\(number)",
            refund: "PSPREFUND\(number)", dispute: "PSPDISPUTE\(number)",
            order: "order-\(number)")
    }

    // MARK: - Webhooks

    /// Writes the signature of each item into it; signs a body without items as a whole.
    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
        let key = HMACKey(sha256: signing.key.signing)
        func signature(_ bytes: [UInt8]) -> String {
            Base64.encode(Array(signing.signatures(of: key.authenticate(bytes)).joined()))
        }
        guard case .object(let members)? = try? JSONValue(json: signing.body),
            let items = members.first(where: { $0.name == "notificationItems" })?.value.elements
        else {
            return WebhookDelivery(
                headers: ["HmacSignature": signature(signing.body)], body: signing.body)
        }
        let signed = items.map { item in
            Self.changing(item, at: "NotificationRequestItem") { fields in
                let text = signature(Array(Self.signedText(fields).utf8))
                return Self.changing(fields, at: "additionalData") { data in
                    guard case .object(let members) = data else { return data }
                    return .object(
                        members + [JSONMember(name: "hmacSignature", value: .string(text))])
                }
            }
        }
        let body = JSONValue.object(
            members.map {
                $0.name == "notificationItems"
                    ? JSONMember(name: $0.name, value: .array(signed)) : $0
            })
        return WebhookDelivery(headers: [:], body: body.json)
    }

    private static func changing(
        _ value: JSONValue, at name: String, _ change: (JSONValue) -> JSONValue
    ) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(
            members.map {
                $0.name == name ? JSONMember(name: name, value: change($0.value)) : $0
            })
    }

    private static func signedText(_ item: JSONValue) -> String {
        let amount = item["amount"]
        let fields = [
            item["pspReference"], item["originalReference"], item["merchantAccountCode"],
            item["merchantReference"], amount?["value"], amount?["currency"], item["eventCode"],
            item["success"],
        ]
        return fields.map { field in
            switch field {
            case .string(let text): text
            case .number(let number): number.text
            default: ""
            }
        }.joined(separator: ":")
    }

    func body(_ sample: EventSample) -> [UInt8]? { body(listing: [sample]) }

    func body(listing samples: [EventSample]) -> [UInt8]? {
        let items = samples.compactMap(Self.item)
        guard items.count == samples.count, let first = samples.first else { return nil }
        return JSONValue.object([
            "live": .string(first.mode == .live ? "true" : "false"),
            "notificationItems": .array(
                items.map { .object(["NotificationRequestItem": $0]) }),
        ]).json
    }

    private static func item(_ sample: EventSample) -> JSONValue? {
        guard let (code, isSuccess) = word(sample.kind) else { return nil }
        let ids = sample.ids
        var reference = ids.payment
        switch sample.kind {
        case .refund: reference = ids.refund
        case .dispute: reference = ids.dispute
        default: if code != "AUTHORISATION" { reference = ids.payment.map { "\($0)\(code)" } }
        }
        return .object([
            "additionalData": .object([
                "paymentLinkId": text(ids.session), "shopperEmail": .string(sample.email),
            ]),
            "pspReference": text(reference),
            "originalReference": code == "AUTHORISATION" ? nil : text(ids.payment),
            "merchantAccountCode": .string("TeaShopECOM"), "merchantReference": text(ids.order),
            "amount": .object([
                "value": sample.amount.minorInteger(AdyenProvider.descriptor.moneyProfile),
                "currency": .string(sample.amount.currency),
            ]),
            "eventCode": .string(code), "eventDate": .string(sample.occurredAt.iso8601),
            "paymentMethod": .string("visa"), "success": .string(isSuccess ? "true" : "false"),
        ])
    }

    private static func word(_ kind: EventSample.Kind) -> (code: String, isSuccess: Bool)? {
        switch kind {
        case .payment(.succeeded): ("AUTHORISATION", true)
        case .payment(.failed): ("AUTHORISATION", false)
        case .payment(.pending): ("PENDING", true)
        case .payment(.cancelled): ("CANCELLATION", true)
        case .payment(.expired): ("OFFER_CLOSED", true)
        case .captured: ("CAPTURE", true)
        case .refund(.pending): ("POSTPONED_REFUND", true)
        case .refund(.succeeded): ("REFUND", true)
        case .refund(.failed): ("REFUND", false)
        case .refund(.reversed): ("REFUNDED_REVERSED", true)
        case .dispute(.opened): ("NOTIFICATION_OF_CHARGEBACK", true)
        case .dispute(.underReview): ("INFORMATION_SUPPLIED", true)
        case .dispute(.won): ("CHARGEBACK_REVERSED", true)
        case .dispute(.lost): ("CHARGEBACK", true)
        case .unknownType: ("REPORT_AVAILABLE", true)
        default: nil
        }
    }

    // MARK: - The API

    func reply(_ sample: StatusSample) -> HTTPReply? {
        guard case .session = sample.target else { return nil }
        return HTTPReply(
            status: 200, body: Self.link(sample.ids, sample.amount, sample.word).json)
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        HTTPReply(status: 201, body: Self.link(ids, nil, "active").json)
    }

    private static func link(
        _ ids: ProviderIDs, _ amount: SampleAmount?, _ word: String
    ) -> JSONValue {
        .object([
            "id": text(ids.session), "status": .string(word), "reference": text(ids.order),
            "amount": amount.map {
                .object([
                    "value": $0.minorInteger(AdyenProvider.descriptor.moneyProfile),
                    "currency": .string($0.currency),
                ])
            },
            "url": .string("https://test.adyen.link/\(ids.session ?? "")"),
            "expiresAt": .string("2026-01-02T00:00:00Z"),
        ])
    }
}
