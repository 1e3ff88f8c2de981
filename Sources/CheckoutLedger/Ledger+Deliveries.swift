public import CheckoutModel
import Cryptography
import EventLog
public import ProviderKit

/// What became of a webhook.
public struct DeliveryReceipt: Sendable, Hashable {
    /// What the ledger did with it.
    public let verdict: Verdict
    /// Position of the record that holds it.
    public let position: UInt64
    /// The session's stream.
    public let stream: UInt64
    /// What it meant; empty unless it was recorded as new.
    public let events: [CheckoutEvent]
    /// What the provider wants to hear.
    public let acknowledgement: HTTPReply

    /// What the ledger did with a webhook.
    public enum Verdict: Sendable, Hashable {
        /// Verified, understood, applied.
        case recorded
        /// Verified and kept; its type means nothing for a checkout.
        case unhandled
        /// The same delivery had been recorded before; nothing was added.
        case duplicate
        /// Its id had been recorded with other bytes: kept, reported, not applied.
        case conflicting
        /// Genuine, and not to be applied; the reason's code.
        case quarantined(String)
        /// Its signature did not hold.
        case refused(WebhookRejection)
    }
}

extension Ledger {
    /// Verifies a webhook and records it: its bytes first, then what they mean, in one transaction.
    ///
    /// Returns after the disk was flushed; only then may a 2xx be sent.
    ///
    /// `keys` is asked for the public keys that the webhook names; the default knows none, which
    /// fits providers that share a secret with us.
    ///
    /// A webhook that does not verify is recorded as refused and changes nothing. One whose key
    /// could not be fetched can be neither believed nor refused: throws `KEY_NOT_FETCHED` or
    /// `KEY_CREDENTIALS`, and the sender is to try again.
    public func record(
        _ delivery: WebhookDelivery, verifiedBy verifier: DeliveryVerifier,
        keys: any KeySource = FixedKeys(), scope: AccountScope, at now: Instant
    ) async throws(LedgerError) -> DeliveryReceipt {
        let resolved: ResolvedKeys
        do throws(KeyResolutionError) {
            resolved = try await keys.keys(for: delivery, of: verifier)
        } catch {
            guard let rejection = error.rejection else { throw LedgerError(error) }
            return try await record(
                refused: delivery, because: rejection, by: verifier.provider, scope: scope)
        }
        let verified: VerifiedDelivery
        do throws(WebhookRejection) {
            verified = try verifier.verify(delivery, at: now, resolved: resolved)
        } catch {
            return try await record(
                refused: delivery, because: error, by: verifier.provider, scope: scope)
        }
        return try await record(verified, readBy: verifier.provider, scope: scope)
    }

    /// Records a webhook whose signature held: the rest of the above.
    package func record(
        _ verified: VerifiedDelivery, readBy provider: any WebhookReceiving, scope: AccountScope
    ) async throws(LedgerError) -> DeliveryReceipt {
        let arrival = Arrival(
            verified, identity: provider.identity(of: verified), scope: scope,
            scribe: masking(verified.delivery.body, of: provider))
        do throws(LedgerError) {
            switch provider.reading(of: verified) {
            case .understood(let events):
                return try await recordUnderstood(arrival, settled(events, arrival.scope), provider)
            case .foreignAccount(let foreign):
                return try await recordQuarantined(arrival, foreign.code, provider)
            case .unreadable(let error):
                return try await recordQuarantined(arrival, error.code, provider)
            }
        } catch {
            guard error.isAboutContent else { throw error }
            return try await recordUnstorable(arrival, error.code, provider)
        }
    }

    /// Sets a genuine delivery aside whose content no record can hold as it is: refused, it would
    /// come again for ever.
    ///
    /// Its bytes are kept as ever; an id beyond the limit by its hash, and its header fields unless
    /// they are what does not fit.
    private func recordUnstorable(
        _ arrival: Arrival, _ code: LedgerError.Code, _ provider: any WebhookReceiving
    ) async throws(LedgerError) -> DeliveryReceipt {
        let reason = code.rawValue.lowercased()
        do throws(LedgerError) {
            return try await recordQuarantined(
                arrival.reduced(keepsHeaders: true), reason, provider)
        } catch {
            guard error.isAboutContent else { throw error }
            return try await recordQuarantined(
                arrival.reduced(keepsHeaders: false), reason, provider)
        }
    }

    private func recordUnderstood(
        _ arrival: Arrival, _ said: [SettledEvent], _ provider: any WebhookReceiving
    ) async throws(LedgerError) -> DeliveryReceipt {
        let version = type(of: provider).descriptor.adapterVersion
        // Cleaned before anything is found by their ids.
        let scribe = arrival.scribe
        var meanings: [RedactedEvent] = []
        var flags: [Fact.Flags] = []
        for settled in said {
            let meaning = CheckoutEvent(
                settled.event, source: .webhook, scope: arrival.scope,
                deliveryID: arrival.identity.id)
            guard let meaning else { continue }
            meanings.append(try scribe.redacted(meaning))
            flags.append(settled.isContradicted ? .contradicted : [])
        }
        let first = said.first?.event
        var received = arrival.event(.deliveryReceived, adapterVersion: version)
        received.ids = meanings.first?.event.ids ?? first?.ids ?? ProviderIDs()
        received.rawType = first?.rawType
        received.privateFields.merge(meanings.isEmpty ? first?.privateFields : nil)
        let kept = try arrival.kept(received)
        received = kept.event
        let subject = arrival.scope.subject(of: received)
        var drafts = try scribe.deliveryDrafts(
            kept, body: arrival.body, digest: arrival.bodyDigest, in: arrival.scope,
            subject: subject, dedupe: arrival.dedupe,
            flags: meanings.isEmpty ? .unhandled : [])
        // Meanings of other sessions, as batches of some providers have them, go to their own
        // streams in the same transaction.
        var others: [AppendRequest] = []
        for (index, meaning) in meanings.enumerated() {
            if arrival.scope.subject(of: meaning.event) == subject {
                drafts.append(
                    try scribe.draft(
                        meaning, in: arrival.scope, subject: subject, cause: .member(0),
                        flags: flags[index]))
            } else {
                let dedupe = DedupeHash(
                    "ledger/delivery-item/v1", arrival.identity.bytes + [UInt8(clamping: index)])
                others.append(
                    AppendRequest(
                        identities: IdentityKey.identities(of: meaning.event, in: arrival.scope),
                        drafts: [
                            try scribe.draft(
                                meaning, in: arrival.scope, dedupe: dedupe, flags: flags[index])
                        ]))
            }
        }
        let events = meanings.map(\.event)
        let identities = IdentityKey.identities(
            of: [received] + events.filter { arrival.scope.subject(of: $0) == subject },
            in: arrival.scope)
        let entry = try await appendLed(
            by: [AppendRequest(identities: identities, drafts: drafts)] + others)
        if entry.wasThere { return try await recordRepeated(arrival, at: entry, provider) }
        return DeliveryReceipt(
            verdict: meanings.isEmpty ? .unhandled : .recorded, position: entry.position,
            stream: entry.stream, events: events,
            acknowledgement: provider.acknowledgement(
                for: meanings.isEmpty ? .ignored : .recorded))
    }

    private func recordQuarantined(
        _ arrival: Arrival, _ code: String, _ provider: any WebhookReceiving
    ) async throws(LedgerError) -> DeliveryReceipt {
        let version = type(of: provider).descriptor.adapterVersion
        var event = arrival.event(.deliveryQuarantined, adapterVersion: version)
        event.reason = code
        let kept = try arrival.kept(event)
        let subject = arrival.scope.subject(of: kept.event)
        let drafts = try arrival.scribe.deliveryDrafts(
            kept, body: arrival.body, digest: arrival.bodyDigest, in: arrival.scope,
            subject: subject, dedupe: arrival.dedupe, flags: [])
        let identities = IdentityKey.identities(of: [kept.event], in: arrival.scope)
        let entry = try await appendLed(by: [AppendRequest(identities: identities, drafts: drafts)])
        if entry.wasThere { return try await recordRepeated(arrival, at: entry, provider) }
        return DeliveryReceipt(
            verdict: .quarantined(code), position: entry.position, stream: entry.stream,
            events: [], acknowledgement: provider.acknowledgement(for: .quarantined))
    }

    /// The delivery id is known.
    ///
    /// The same bytes are a retry; others are recorded as a conflict, once for each different body,
    /// and not applied.
    private func recordRepeated(
        _ arrival: Arrival, at entry: RecordedAt, _ provider: any WebhookReceiving
    ) async throws(LedgerError) -> DeliveryReceipt {
        let held = try event(at: entry.position)
        // A body whose key was destroyed cannot be compared any more: it counts as a retry.
        if case .fields(let fields) = try privateFields(of: held),
            !fields.bodyDigest.isEmpty, fields.bodyDigest != arrival.bodyDigest
        {
            var event = arrival.event(.deliveryConflicted, adapterVersion: "")
            event.reason = "known delivery id with other bytes"
            event.ids = held.event.ids
            let kept = try arrival.kept(event)
            let drafts = try arrival.scribe.deliveryDrafts(
                kept, body: arrival.body, digest: arrival.bodyDigest, in: arrival.scope,
                subject: arrival.scope.subject(of: held.event),
                dedupe: DedupeHash(
                    "ledger/conflict/v1", arrival.identity.bytes + arrival.bodyDigest),
                flags: [])
            let identities = IdentityKey.identities(of: [kept.event], in: arrival.scope)
            let conflict = try await appendLed(
                by: [AppendRequest(identities: identities, drafts: drafts)])
            return DeliveryReceipt(
                verdict: .conflicting, position: conflict.position, stream: entry.stream,
                events: [],
                acknowledgement: provider.acknowledgement(for: .quarantined))
        }
        return DeliveryReceipt(
            verdict: .duplicate, position: entry.position, stream: entry.stream, events: [],
            acknowledgement: provider.acknowledgement(for: .duplicate))
    }

    /// Masks, beside our own secrets, what the provider's bodies hold that opens something.
    private func masking(_ body: [UInt8], of provider: any WebhookReceiving) -> EventScribe {
        scribe.masking(valuesOf: type(of: provider).descriptor.secretFields, in: body)
    }

    /// Keeps what did not verify, bounded and sealed, in a stream of its own.
    ///
    /// Nothing it says is read: anyone could have sent it.
    package func record(
        refused delivery: WebhookDelivery, because rejection: WebhookRejection,
        by provider: any WebhookReceiving, scope: AccountScope
    ) async throws(LedgerError) -> DeliveryReceipt {
        var event = CheckoutEvent(
            .deliveryRefused, source: .webhook, evidence: .hint, provider: scope.provider,
            account: scope.account, mode: scope.mode, reason: rejection.code)
        // A genuine delivery may be refused too, for a wrong secret of ours.
        let scribe = masking(delivery.body, of: provider)
        let whole = scribe.redactor.redact(body: delivery.body)
        let body = whole?.bytes ?? delivery.body
        event.privateFields = PrivateFields(
            body: Array(body.prefix(Limits.refusedBodyBytes)), headers: delivery.headers.kept,
            bodyDigest: SHA256.hash(body).bytes)
        let kept = try scribe.redactedDelivery(event, notes: whole?.notes ?? [])
        let draft = try scribe.draft(kept, in: scope)
        let entry = try await appendLed(by: [AppendRequest(identities: [], drafts: [draft])])
        return DeliveryReceipt(
            verdict: .refused(rejection), position: entry.position, stream: entry.stream,
            events: [], acknowledgement: provider.acknowledgement(for: .rejected(rejection)))
    }
}

extension LedgerError {
    /// A key that could not be had, of an error that refuses nothing.
    public init(_ error: KeyResolutionError) {
        let code: Code = error.reason == .noCredentials ? .keyCredentials : .keyNotFetched
        self.init(code, error.message, hint: error.hint)
    }
}

/// A verified webhook on its way into the log.
private struct Arrival {
    let identity: DeliveryIdentity
    let scope: AccountScope
    /// Masks, beside our own secrets, what the provider's bodies hold that opens something.
    let scribe: EventScribe
    /// As it is kept: the bytes that came, but for spans that may not stay.
    let body: [UInt8]
    /// Of the body as it is kept; the hash of a card number in it could be reversed.
    let bodyDigest: [UInt8]
    let dedupe: DedupeHash?
    private let verified: VerifiedDelivery
    private let bodyNotes: [RedactionNote]
    /// True where nothing is stated but what fits into every record.
    private var isReduced = false
    private var keepsHeaders = true

    init(
        _ verified: VerifiedDelivery, identity: DeliveryIdentity, scope: AccountScope,
        scribe: EventScribe
    ) {
        self.scribe = scribe
        self.verified = verified
        self.scope = scope
        self.identity = DeliveryIdentity(
            provider: scope.provider, account: scope.account, mode: scope.mode, id: identity.id)
        let redacted = scribe.redactor.redact(body: verified.delivery.body)
        body = redacted?.bytes ?? verified.delivery.body
        bodyDigest = redacted.map { SHA256.hash($0.bytes).bytes } ?? verified.bodySHA256
        bodyNotes = redacted?.notes ?? []
        dedupe = DedupeHash("ledger/delivery/v1", self.identity.bytes)
    }

    /// The delivery's own event as it may be stored, with what was taken out of its body.
    func kept(_ event: CheckoutEvent) throws(LedgerError) -> RedactedEvent {
        try scribe.redactedDelivery(event, notes: bodyNotes)
    }

    /// The same without what may be too long or out of range.
    func reduced(keepsHeaders: Bool) -> Arrival {
        var arrival = self
        arrival.isReduced = true
        arrival.keepsHeaders = keepsHeaders
        return arrival
    }

    func event(_ type: EventType, adapterVersion: String) -> CheckoutEvent {
        var event = CheckoutEvent(
            type, source: .webhook, evidence: .verified,
            occurredAt: isReduced ? nil : verified.signedAt,
            provider: scope.provider, account: scope.account, mode: scope.mode,
            deliveryID: isReduced ? shortID : identity.id)
        event.verification = .init(
            scheme: verified.scheme, keyFingerprint: verified.keyFingerprint,
            adapterVersion: adapterVersion)
        if keepsHeaders { event.privateFields.headers = verified.delivery.headers.kept }
        return event
    }

    private var shortID: String {
        identity.id.utf8.count <= Limits.idBytes
            ? identity.id : "sha256:\(SHA256.hash(Array(identity.id.utf8)).hex)"
    }
}

extension HeaderList {
    /// The fields that are kept, up to the limit.
    fileprivate var kept: [HeaderField] {
        var bytes = 0
        return fields.prefix { field in
            bytes += field.name.utf8.count + field.value.utf8.count
            return bytes <= Limits.headerBytes
        }.map { HeaderField(name: $0.name, value: $0.value) }
    }
}

extension PrivateFields {
    /// Takes over what another voice knows of the customer.
    fileprivate mutating func merge(_ other: PrivateFields?) {
        guard let other else { return }
        customerEmail = other.customerEmail ?? customerEmail
        customerName = other.customerName ?? customerName
        if !other.licenseKeys.isEmpty { licenseKeys = other.licenseKeys }
    }
}
