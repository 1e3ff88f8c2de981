import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit
import Sandbox

/// The sandbox's side: Standard Webhooks deliveries that call themselves pretend, and replies.
struct SandboxFixtures: ProviderFixtures {
    /// Always the one of the sandbox: there is no live mode to be had.
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> SandboxProvider {
        try SandboxProvider(configuration: .init(origin: "https://sandbox.tea.example"))
    }

    let keys = [[UInt8](7..<39), [UInt8](71..<103)].map {
        FixtureKey(secrets: [.webhook: "whsec_" + Base64.encode($0)], signing: $0)
    }

    let apiSecrets: [SecretRole: String] = [.apiKey: "sbx_test_key_of_a_pretend_shop"]

    func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "sbx_\(number)", payment: "sbxpay_\(number)", refund: "sbxref_\(number)",
            dispute: "sbxdsp_\(number)", order: "order-\(number)")
    }

    // MARK: - Webhooks

    func delivery(_ signing: DeliverySigning) -> WebhookDelivery? { .standard(signing) }

    func body(_ sample: EventSample) -> [UInt8]? {
        guard let (type, id) = Self.told(sample) else { return nil }
        let status = type.split(separator: ".").last.map(String.init) ?? ""
        let isPayment = type.hasPrefix("payment.")
        let isCheckout = type.hasPrefix("checkout.")
        return JSONValue.object([
            "id": .string(sample.eventID), "type": .string(type), "pretend": .bool(true),
            "created_at": .string(sample.occurredAt.iso8601),
            "data": .object([
                "id": text(id), "status": .string(status),
                "checkout": isCheckout ? nil : text(sample.ids.session),
                "payment": isCheckout || isPayment ? nil : text(sample.ids.payment),
                "amount": sample.amount.minorInteger(),
                "currency": .string(sample.amount.currency),
                "reference": text(sample.ids.order), "customer_email": .string(sample.email),
            ]),
        ]).json
    }

    /// The event's type and what it is about.
    private static func told(_ sample: EventSample) -> (type: String, id: String?)? {
        switch sample.kind {
        case .payment(.expired): nil
        case .payment(let status): ("payment.\(status.name)", sample.ids.payment)
        case .refund(.reversed): nil
        case .refund(let state): ("refund.\(state.rawValue)", sample.ids.refund)
        case .dispute(let state): ("dispute.\(state.rawValue)", sample.ids.dispute)
        case .sessionExpired: ("checkout.expired", sample.ids.session)
        case .unknownType: ("payout.imagined", "sbxout_1")
        case .authorized, .captured, .subscription: nil
        }
    }

    // MARK: - The API

    func reply(_ sample: StatusSample) -> HTTPReply? {
        let isSession: Bool
        switch sample.target {
        case .session: isSession = true
        case .payment: isSession = false
        case .order, .merchantReference: return nil
        }
        return HTTPReply(
            status: 200,
            body: JSONValue.object([
                "id": .string(sample.target.id), "pretend": .bool(true),
                "checkout": isSession ? nil : text(sample.ids.session),
                "payment": isSession ? text(sample.ids.payment) : nil,
                "status": .string(sample.word), "amount": sample.amount.minorInteger(),
                "currency": .string(sample.amount.currency), "reference": text(sample.ids.order),
            ]).json)
    }

    func creationReply(_ ids: ProviderIDs) -> HTTPReply? {
        HTTPReply(
            status: 201,
            body: JSONValue.object([
                "id": text(ids.session), "pretend": .bool(true), "status": .string("open"),
                "reference": text(ids.order),
                "url": .string("https://sandbox.tea.example/sandbox/pay/\(ids.session ?? "")"),
                "expires_at": .string("2026-01-02T00:00:00Z"),
            ]).json)
    }
}
