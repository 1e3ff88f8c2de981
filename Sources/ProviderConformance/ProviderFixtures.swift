public import CheckoutModel
public import ProviderKit

/// The other side of an adapter: says what the provider would say, and signs it.
///
/// The author of an adapter writes one of these, about a hundred lines, and a vector file
/// (``ConformanceVectors``); the checks do the rest. Implement only what the adapter claims: each
/// requirement but ``adapter(_:)`` has a default that answers "cannot". Must be pure: the same
/// input gives the same answer. A whole one, for a provider that signs `<time>.<body>`:
///
/// ```swift
/// struct AcmeFixtures: ProviderFixtures {
///     func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> AcmeProvider {
///         try AcmeProvider(configuration: .init(mode: mode))
///     }
///
///     let keys = ["acme_secret_of_today", "acme_secret_of_tomorrow"].map {
///         FixtureKey(secrets: [.webhook: $0], signing: Array($0.utf8))
///     }
///     let apiSecrets: [SecretRole: String] = [.apiKey: "acme_key_0123456789"]
///
///     func delivery(_ signing: DeliverySigning) -> WebhookDelivery? {
///         let time = "\(signing.time.seconds)"
///         let code = HMACKey(sha256: signing.key.signing)
///             .authenticate(Array("\(time).".utf8), signing.body)
///         let items = signing.signatures(of: code).map { "v1=\(Hex.encode($0))" }
///         return WebhookDelivery(
///             headers: ["Acme-Signature": (["t=\(time)"] + items).joined(separator: ",")],
///             body: signing.body)
///     }
///
///     func body(_ sample: EventSample) -> [UInt8]? {
///         guard let type = Self.types[sample.kind] else { return nil }
///         return JSONValue.object([
///             "id": .string(sample.eventID), "type": .string(type),
///             "payment": .string(sample.ids.payment ?? ""),
///             "amount": sample.amount.minorInteger(), "currency": .string(sample.amount.currency),
///         ]).json
///     }
///
///     func reply(_ sample: StatusSample) -> HTTPReply? {
///         HTTPReply(
///             status: 200,
///             body: JSONValue.object([
///                 "id": .string(sample.target.id), "status": .string(sample.word),
///             ]).json)
///     }
/// }
/// ```
public protocol ProviderFixtures: Sendable {
    /// The adapter under test.
    associatedtype Adapter: PaymentProvider

    /// The adapter as an installation of this mode has it; `.live` and `.test` are asked for.
    func adapter(_ mode: ProviderMode) throws(ProviderConfigurationError) -> Adapter

    /// Two keys or more for what is signed; the second one signs where the first is refused.
    var keys: [FixtureKey] { get }

    /// What calls the provider's API; no text of it may turn up in a URL or a description.
    var apiSecrets: [SecretRole: String] { get }

    /// Ids as this provider writes them, different for each number; nil for those it has not.
    ///
    /// Where one id serves as two (a payment that is the session), give both the same text.
    func ids(_ number: Int) -> ProviderIDs

    /// A signed delivery.
    func delivery(_ signing: DeliverySigning) -> WebhookDelivery?

    /// The body that tells of a sample, unsigned; nil for kinds that this provider does not tell.
    func body(_ sample: EventSample) -> [UInt8]?

    /// One body that tells of several; nil where a delivery tells of one thing.
    func body(listing samples: [EventSample]) -> [UInt8]?

    /// An unsigned note about a payment or session of these ids, and what may be asked then.
    func hint(_ ids: ProviderIDs) -> (delivery: WebhookDelivery, target: StatusQueryTarget)?

    /// The parameters of a signed return, in order.
    func signedReturn(_ signing: ReturnSigning) -> [(name: String, value: String)]?

    /// A reply of status 200 that tells how a payment stands.
    func reply(_ sample: StatusSample) -> HTTPReply?

    /// A reply of status 200 that tells how a payment stands after its completion; by default like
    /// ``reply(_:)``.
    func completionReply(_ sample: StatusSample) -> HTTPReply?

    /// A checkout that this adapter can create.
    var draft: SessionDraft { get }

    /// The replies before the last one, for providers that make a session in several steps.
    func creationSteps(_ ids: ProviderIDs) -> [HTTPReply]

    /// A reply that tells of a session that was made, with its ids.
    func creationReply(_ ids: ProviderIDs) -> HTTPReply?
}

extension ProviderFixtures {
    /// None.
    public var keys: [FixtureKey] { [] }
    /// None.
    public var apiSecrets: [SecretRole: String] { [:] }

    /// `ses_1`, `pay_1` and so on.
    public func ids(_ number: Int) -> ProviderIDs {
        ProviderIDs(
            session: "ses_\(number)", payment: "pay_\(number)", refund: "ref_\(number)",
            dispute: "dis_\(number)", subscription: "sub_\(number)", order: "order-\(number)",
            customer: "cus_\(number)")
    }

    /// Cannot.
    public func delivery(_ signing: DeliverySigning) -> WebhookDelivery? { nil }
    /// Cannot.
    public func body(_ sample: EventSample) -> [UInt8]? { nil }
    /// Cannot.
    public func body(listing samples: [EventSample]) -> [UInt8]? { nil }
    /// Cannot.
    public func hint(
        _ ids: ProviderIDs
    ) -> (delivery: WebhookDelivery, target: StatusQueryTarget)? { nil }
    /// Cannot.
    public func signedReturn(_ signing: ReturnSigning) -> [(name: String, value: String)]? { nil }
    /// Cannot.
    public func reply(_ sample: StatusSample) -> HTTPReply? { nil }

    /// What a status query would be told.
    public func completionReply(_ sample: StatusSample) -> HTTPReply? { reply(sample) }

    /// One tin of tea at 19.99 EUR, known to the provider as `product_1`.
    public var draft: SessionDraft {
        SessionDraft(
            items: [
                .init(
                    productID: "product_1", name: "Tea", quantity: 1,
                    unitAmount: Currency("EUR").map { Money(minorUnits: 1999, currency: $0) })
            ],
            reference: "order-1", returnURL: "https://shop.example/back",
            cancelURL: "https://shop.example/gave-up", customerEmail: "zoe@example.com")
    }

    /// None: one reply tells of the session.
    public func creationSteps(_ ids: ProviderIDs) -> [HTTPReply] { [] }
    /// Cannot.
    public func creationReply(_ ids: ProviderIDs) -> HTTPReply? { nil }
}
