import CheckoutModel
import ProviderKit

/// One adapter with its fixtures and vectors, and what most checks need of them.
struct Examination: Sendable {
    let fixtures: any ProviderFixtures
    let vectors: ConformanceVectors
    /// The adapter of a test installation.
    let provider: any PaymentProvider

    /// When everything here happens.
    static let now = Instant(seconds: 1_767_225_600)
    var now: Instant { Self.now }

    init(
        _ fixtures: any ProviderFixtures, _ vectors: ConformanceVectors
    ) throws(ProviderConfigurationError) {
        self.fixtures = fixtures
        self.vectors = vectors
        provider = try fixtures.adapter(.test)
    }

    var descriptor: ProviderDescriptor { type(of: provider).descriptor }
    var returns: (any ReturnURLParsing)? { provider as? any ReturnURLParsing }
    var signedReturns: (any SignedReturn)? { provider as? any SignedReturn }
    var webhooks: (any WebhookReceiving)? { provider as? any WebhookReceiving }
    var hints: (any HintReceiving)? { provider as? any HintReceiving }
    var queries: (any StatusQuerying)? { provider as? any StatusQuerying }
    var creation: (any SessionCreating)? { provider as? any SessionCreating }
    var completion: (any PaymentCompleting)? { provider as? any PaymentCompleting }
    var facts: WebhookFacts { vectors.webhook ?? WebhookFacts() }

    /// The first key; one that signs nothing where the fixtures have none.
    var key: FixtureKey { fixtures.keys.first ?? FixtureKey(secrets: [:], signing: []) }
    /// The second key.
    var otherKey: FixtureKey? { fixtures.keys.dropFirst().first }

    // MARK: - Secrets

    /// What a receiver with these keys is configured with.
    func secrets(_ keys: [FixtureKey]) throws(SecretError) -> SecretSet {
        var texts: [SecretRole: [String]] = fixtures.apiSecrets.mapValues { [$0] }
        for key in keys {
            for (role, text) in key.secrets where texts[role]?.contains(text) != true {
                texts[role, default: []].append(text)
            }
        }
        return try SecretSet(texts, rules: descriptor.secretRules)
    }

    /// Every text that must never be seen.
    var secretTexts: [String] {
        let publicKeys = descriptor.secretRules.filter { rule in
            rule.role == .webhookPublicKey || rule.encoding == .rsaPublicKey
        }
        let hidden = (fixtures.keys.map(\.secrets) + [fixtures.apiSecrets]).flatMap { secrets in
            secrets.filter { role, _ in !publicKeys.contains { $0.role == role } }.values
        }
        return hidden.filter { $0.utf8.count >= 8 }
    }

    static func resolved(_ keys: [FixtureKey]) -> ResolvedKeys {
        var resolved = ResolvedKeys()
        for key in keys {
            for (request, pem) in key.resolved { try? resolved.add(pem: pem, for: request) }
        }
        return resolved
    }

    // MARK: - Deliveries

    /// A sample of a kind; the number names what it happened to.
    func sample(
        _ kind: EventSample.Kind, number: Int = 1, event: Int = 1, at time: Instant? = nil
    ) -> EventSample {
        EventSample(
            kind: kind, eventID: "evt_\(event)", ids: fixtures.ids(number), amount: Self.amount,
            occurredAt: time ?? Instant(seconds: now.seconds - 60), mode: .test,
            email: "zoe@example.com")
    }

    static let amount = SampleAmount(
        Money(minorUnits: 1999, currency: Currency("EUR") ?? anyCurrency))

    /// The amounts of a currency that the vectors list first, where it is not the euro.
    func usual(_ sample: EventSample) -> EventSample {
        var sample = sample
        if let code = facts.currencies.first, let currency = Currency(code) {
            sample.amount = SampleAmount(Money(minorUnits: 1990, currency: currency))
        }
        return sample
    }

    /// About half of an amount.
    func part(of amount: SampleAmount) -> SampleAmount {
        let half = amount.money.minorUnits / 20 * 10
        return SampleAmount(Money(minorUnits: half, currency: amount.money.currency))
    }

    private static let anyCurrency = Currency.all[0]

    /// The kind that says most clearly that a payment went through; else the first listed.
    var successKind: EventSample.Kind? {
        facts.events.first(where: \.isSuccess) ?? facts.events.first
    }

    /// Signs a body as the provider does.
    func signed(
        _ body: [UInt8], id: String = "dlv_1", at time: Instant? = nil, key: FixtureKey? = nil,
        forging forge: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { [$0] }
    ) -> WebhookDelivery? {
        fixtures.delivery(
            DeliverySigning(
                body: body, deliveryID: id, time: time ?? now, key: key ?? self.key, forge: forge))
    }

    /// A delivery of which nothing is wrong.
    func soundDelivery() -> WebhookDelivery? { successBody(event: 1).flatMap { signed($0) } }

    /// The body of a success; `number` names what it happened to.
    func successBody(event: Int, number: Int = 1) -> [UInt8]? {
        successKind.flatMap { fixtures.body(usual(sample($0, number: number, event: event))) }
    }

    /// What a receiver with these keys says of a delivery.
    func verify(
        _ delivery: WebhookDelivery, keys: [FixtureKey]? = nil, at time: Instant? = nil,
        by provider: (any WebhookReceiving)? = nil
    ) -> Verdict {
        guard let receiver = provider ?? webhooks else { return .refused("not_a_receiver") }
        let keys = keys ?? [key]
        do {
            let verifier = try DeliveryVerifier(provider: receiver, secrets: try secrets(keys))
            return .accepted(
                try verifier.verify(delivery, at: time ?? now, resolved: Self.resolved(keys)))
        } catch let error as WebhookRejection {
            return .refused(error.code)
        } catch let error as SecretError {
            return .refused(error.code)
        } catch {
            return .refused("unknown_error")
        }
    }

    enum Verdict: CustomStringConvertible {
        case accepted(VerifiedDelivery)
        case refused(String)

        var delivery: VerifiedDelivery? {
            if case .accepted(let delivery) = self { delivery } else { nil }
        }

        var code: String? {
            if case .refused(let code) = self { code } else { nil }
        }

        var description: String { code.map { "it was refused as \($0)" } ?? "it was accepted" }
    }

    /// The events of a sample, signed, verified and read; nil when one of these fails.
    func events(
        of sample: EventSample, by provider: (any WebhookReceiving)? = nil
    ) -> Result<[ProviderEvent], Trouble> {
        guard let body = fixtures.body(sample) else { return .failure("the fixtures have no body") }
        return events(inBody: body, id: "dlv_\(sample.eventID)", by: provider)
    }

    func events(
        inBody body: [UInt8], id: String, by provider: (any WebhookReceiving)? = nil
    ) -> Result<[ProviderEvent], Trouble> {
        guard let receiver = provider ?? webhooks, let delivery = signed(body, id: id) else {
            return .failure("the fixtures sign no delivery")
        }
        switch verify(delivery, by: receiver) {
        case .refused(let code): return .failure(Trouble("the delivery was refused as \(code)"))
        case .accepted(let verified): return Self.reading(verified, by: receiver)
        }
    }

    static func reading(
        _ delivery: VerifiedDelivery, by receiver: any WebhookReceiving
    ) -> Result<[ProviderEvent], Trouble> {
        switch receiver.reading(of: delivery) {
        case .understood(let events): .success(events)
        case .foreignAccount: .failure("the event was taken for another account's")
        case .unreadable(let error): .failure(Trouble("the body was refused as \(error.code)"))
        }
    }
}

/// Why there is nothing to compare.
struct Trouble: Error, ExpressibleByStringLiteral, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
    init(stringLiteral value: String) { description = value }
}

extension ProviderEvent {
    /// Such as `payment.succeeded 19.99 EUR`.
    var summary: String {
        let amount = money.map { " \($0.amountText) \($0.currency)" } ?? ""
        return EventSample.Kind(kind).name + amount
    }

    /// The amount, whatever the kind.
    var money: Money? {
        switch kind {
        case .payment(_, let money, _), .authorized(let money), .captured(let money),
            .refund(_, let money), .dispute(_, let money):
            money
        case .subscription, .sessionExpired, .ignored: nil
        }
    }
}

extension Result where Success == [ProviderEvent], Failure == Trouble {
    var events: [ProviderEvent] { (try? get()) ?? [] }

    var text: String {
        switch self {
        case .success(let events):
            "it was read as [\(events.map(\.summary).joined(separator: ", "))]"
        case .failure(let trouble): trouble.description
        }
    }
}
