public import CheckoutModel

/// A payment provider's adapter: translates its words into ours and does nothing else.
///
/// Pure: no I/O, no clock, no secrets of its own. What a provider can do is what its adapter
/// conforms to, so that a flag cannot lie. Adapters report; the ledger compares amounts, removes
/// duplicates and appends.
public protocol PaymentProvider: Sendable {
    /// Hosts, account, tolerance: what differs between installations and is not secret.
    associatedtype Configuration: ProviderConfiguration
    /// Who this is.
    static var descriptor: ProviderDescriptor { get }
    /// Throws when the configuration cannot be used.
    init(configuration: Configuration) throws(ProviderConfigurationError)
    /// The provider's hosted checkout pages, as data; says why a URL is refused. Empty for
    /// providers whose pages name no session.
    var checkoutURLRules: [CheckoutURLRule] { get }
    /// Whether a URL opens a checkout of this provider, and which. Never traps. The default asks
    /// the rules.
    func recognise(checkoutURL: String) -> CheckoutURLMatch
}

/// The adapter reads the URL that a browser came back with.
public protocol ReturnURLParsing: PaymentProvider {
    /// The parameters and words of this provider's return URLs, as data.
    var returnVocabulary: ReturnVocabulary { get }
    /// What the return claims. Always a hint: the kit sets the evidence, not the adapter.
    func parseReturn(_ request: ReturnRequest) throws(ReturnRejection) -> ReturnClaim
}

/// The provider signs its return URLs.
public protocol SignedReturn: ReturnURLParsing {
    /// What must hold for the claim to be the provider's own word.
    func plan(for request: ReturnRequest) throws(ReturnRejection) -> VerificationPlan
}

/// The provider sends signed webhooks.
public protocol WebhookReceiving: PaymentProvider {
    /// The account of ours that the endpoint is configured for; nil when only one is used.
    var account: String? { get }
    /// What a receiver lacks besides a key that verifies, such as the key that opens sealed parts;
    /// nil when nothing is missing, which is the default. A verifier without it does not start.
    func missingRole(in secrets: SecretSet) -> SecretRole?
    /// What must hold, every plan of it; an empty list verifies nothing. No default on purpose.
    func plans(for delivery: WebhookDelivery) throws(WebhookRejection) -> [VerificationPlan]
    /// What makes this delivery the same as another arrival. Never fails: a body that cannot be
    /// read has an identity all the same.
    func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity
    /// What the delivery says; types that are unknown are `ignored`, not errors.
    func events(in delivery: VerifiedDelivery) throws(WebhookDecodingError) -> [ProviderEvent]
    /// What to answer. The default fits providers that look at the status code only.
    func acknowledgement(for outcome: WebhookOutcome) -> HTTPReply
}

/// The provider sends unsigned notes that something changed; they may only cause a query.
public protocol HintReceiving: PaymentProvider {
    /// What to ask about; nil when the note says nothing.
    func hint(in delivery: WebhookDelivery) -> StatusQueryTarget?
}

/// The provider can be asked.
public protocol StatusQuerying: PaymentProvider {
    /// The request to send; no secret is in its URL.
    func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan
    /// What the reply says; every doubt is indeterminate, none is failed.
    func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport
}

/// Sessions can be created through the provider's API.
public protocol SessionCreating: PaymentProvider {
    /// The request to send; repeating it with the same key must not make a second session where
    /// the provider allows that.
    func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan
    /// The request that must follow a reply before there is a session with a page; nil where the
    /// reply tells of it, which is the default.
    ///
    /// Throws what the reply, or the request, is refused for.
    func nextRequest(
        after reply: HTTPReply, for draft: SessionDraft, idempotencyKey: IdempotencyKey,
        secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(SessionCreationError) -> HTTPRequestPlan?
    /// What was made, by the last reply.
    func interpretCreation(_ reply: HTTPReply) throws(ProviderReplyError) -> CreatedSession
    /// What was made of this draft, for providers whose reply does not repeat the session's name.
    /// The default does not look at the draft.
    func interpretCreation(
        _ reply: HTTPReply, of draft: SessionDraft
    ) throws(ProviderReplyError) -> CreatedSession
}

extension SessionCreating {
    /// What the reply alone tells.
    public func interpretCreation(
        _ reply: HTTPReply, of draft: SessionDraft
    ) throws(ProviderReplyError) -> CreatedSession {
        try interpretCreation(reply)
    }
}

extension PaymentProvider {
    /// The first rule that knows the URL decides.
    public func recognise(checkoutURL: String) -> CheckoutURLMatch {
        for rule in checkoutURLRules {
            if let page = try? rule.read(checkoutURL) {
                return .session(id: page.sessionID, mode: page.mode)
            }
        }
        return .notMine
    }

    /// The descriptor's id.
    public static var id: ProviderID { descriptor.id }
    /// The descriptor's id.
    public var id: ProviderID { Self.descriptor.id }
}

extension WebhookReceiving {
    /// Nothing.
    public func missingRole(in secrets: SecretSet) -> SecretRole? { nil }

    /// 200 for whatever was stored, 503 when it could not be, 413 or 401 for what is not believed.
    public func acknowledgement(for outcome: WebhookOutcome) -> HTTPReply {
        switch outcome {
        case .recorded, .duplicate, .ignored, .quarantined: HTTPReply(status: 200)
        case .rejected(.bodyTooLarge): HTTPReply(status: 413)
        case .rejected: HTTPReply(status: 401)
        case .temporarilyUnavailable: HTTPReply(status: 503)
        }
    }

    /// Reads a verified delivery and sets aside what must not be applied.
    public func reading(of delivery: VerifiedDelivery) -> DeliveryReading {
        do throws(WebhookDecodingError) {
            let events = try events(in: delivery)
            for event in events {
                if let account, let named = event.account, named != account {
                    return .foreignAccount(ForeignAccount(configured: account, named: named))
                }
            }
            return .understood(events)
        } catch {
            return .unreadable(error)
        }
    }
}

/// What became of a delivery, for the answer to the provider.
public enum WebhookOutcome: Sendable, Hashable {
    /// Stored durably.
    case recorded
    /// Stored before.
    case duplicate
    /// Stored, and of no meaning here.
    case ignored
    /// Stored apart, for a person to look at. Acknowledged, because sending it again helps nobody.
    case quarantined
    /// Not believed, not stored as a delivery.
    case rejected(WebhookRejection)
    /// Could not be stored now: the provider is to try again.
    case temporarilyUnavailable
}

/// What a URL is to an adapter.
public enum CheckoutURLMatch: Sendable, Hashable {
    /// A hosted checkout of this provider.
    case session(id: String, mode: ProviderMode)
    /// A page of this provider that starts checkouts and names none.
    case linkWithoutSession(mode: ProviderMode)
    /// Not this provider's, or not one that may be opened.
    case notMine
}

/// A configuration that cannot be used.
public struct ProviderConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field.
    public let field: String
    /// One sentence for a person.
    public let message: String

    /// States what is wrong with a field; the message must not carry secrets.
    public init(field: String, message: String) {
        self.field = field
        self.message = message
    }

    /// The stable name for programs.
    public var code: String { "invalid_configuration" }

    /// What to do about it.
    public var hint: String { "Correct \(field) in the provider's configuration." }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}
