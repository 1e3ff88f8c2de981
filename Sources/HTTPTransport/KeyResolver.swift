public import CheckoutModel
public import Cryptography
public import ProviderKit
import Synchronization

/// Gets the public keys that deliveries name, from places that the provider documents and from
/// nowhere else.
///
/// What a delivery says is not verified when this is asked, so a stranger can ask it too: hosts are
/// compared before anything is sent, only a few fetches are under way at once, and what was fetched
/// in vain is not fetched again at once. A certificate counts when it leads to a trusted root, is
/// valid now and is for the provider's own name.
public final class KeyResolver: Sendable {
    /// What is fetched once.
    private struct Place: Hashable, Sendable {
        let provider: ProviderID
        let request: KeyRequest
    }

    private enum Entry: Sendable {
        case key(pem: String, until: Int64)
        case failure(KeyResolutionError, until: Int64)

        var end: Int64 {
            switch self {
            case .key(_, let until), .failure(_, let until): until
            }
        }
    }

    /// The list of keys that a provider publishes: who fetches it, and how that went last.
    private struct Publication: Sendable {
        var task: Task<Void, Never>?
        var notBefore = Int64.min
        var error: KeyResolutionError?
    }

    private struct State: ~Copyable {
        var publications: [ProviderID: Publication] = [:]
        var entries: [Place: Entry] = [:]
        var underWay: [Place: Task<Entry, Never>] = [:]
    }

    private let transport: any HTTPTransport
    private let roots: TrustedRoots
    private let platformKeys: [ProviderID: [String: String]]
    private let publishers: [ProviderID: Publisher]
    private let clock: any TransportClock
    private let deadline: Duration
    private let state = Mutex(State())

    /// An adapter whose provider publishes its keys, with the secrets to ask for them.
    public struct Publisher: Sendable {
        let adapter: any KeyPublishing
        let secrets: SecretSet

        /// Pairs an adapter with the secrets of one account.
        public init(_ adapter: any KeyPublishing, secrets: SecretSet) {
            self.adapter = adapter
            self.secrets = secrets
        }
    }

    /// For providers whose messages name a key and not a place: `platformKeys` are PEM texts by
    /// provider and serial number, and `publishers` are asked about numbers that are not among
    /// them, each at most once a minute, since anyone can invent a number.
    public init(
        transport: any HTTPTransport, roots: TrustedRoots = .system,
        platformKeys: [ProviderID: [String: String]] = [:],
        publishers: [ProviderID: Publisher] = [:],
        clock: any TransportClock = SystemTransportClock(), deadline: Duration = .seconds(10)
    ) {
        self.transport = transport
        self.roots = roots
        self.platformKeys = platformKeys
        self.publishers = publishers
        self.clock = clock
        self.deadline = deadline
    }

    /// Every key that `verifier` needs for a delivery; none for most providers.
    ///
    /// A delivery that the adapter refuses needs none: the verifier will say why.
    public func keys(
        for delivery: WebhookDelivery, of verifier: DeliveryVerifier
    ) async throws(KeyResolutionError) -> ResolvedKeys {
        var keys = ResolvedKeys()
        let descriptor = type(of: verifier.provider).descriptor
        for request in (try? verifier.keyRequests(of: delivery)) ?? [] {
            let pem = try await pem(of: request, for: descriptor)
            do throws(SecretError) {
                try keys.add(pem: pem, for: request)
            } catch {
                throw KeyResolutionError(.notACertificate, message: error.message)
            }
        }
        return keys
    }

    /// The PEM text of one key, from what was fetched before if it still holds.
    public func pem(
        of request: KeyRequest, for provider: ProviderDescriptor
    ) async throws(KeyResolutionError) -> String {
        switch request {
        case .platformKey(let serial):
            if let pem = platformKeys[provider.id]?[serial] { return pem }
            return try await publishedPEM(Place(provider: provider.id, request: request))
        case .certificate(let url):
            try Self.check(url, for: provider)
            let place = Place(provider: provider.id, request: request)
            switch try await entry(place, url, provider) {
            case .key(let pem, _): return pem
            case .failure(let error, _): throw error
            }
        }
    }

    private func publishedPEM(_ place: Place) async throws(KeyResolutionError) -> String {
        if let pem = heldPEM(place) { return pem }
        let now = clock.now.seconds
        let task = state.withLock { state -> Task<Void, Never>? in
            var publication = state.publications[place.provider] ?? Publication()
            if let task = publication.task { return task }
            guard let publisher = publishers[place.provider], now >= publication.notBefore else {
                return nil
            }
            publication.notBefore = now + Limits.keyListSeconds
            let task = Task { await fetchList(publisher, place.provider) }
            publication.task = task
            state.publications[place.provider] = publication
            return task
        }
        await task?.value
        if let pem = heldPEM(place) { return pem }
        if let error = state.withLock({ $0.publications[place.provider]?.error }) { throw error }
        throw KeyResolutionError(.unknownKey, message: "No key with that serial number is known.")
    }

    private func heldPEM(_ place: Place) -> String? {
        let now = clock.now.seconds
        let entry = state.withLock { $0.entries[place] }
        guard case .key(let pem, let until) = entry, until > now else { return nil }
        return pem
    }

    private func fetchList(_ publisher: Publisher, _ provider: ProviderID) async {
        var failure: KeyResolutionError?
        var keys: [PublishedKey] = []
        do throws(KeyResolutionError) {
            keys = try await publishedKeys(publisher)
        } catch {
            failure = error
        }
        let (error, now) = (failure, clock.now)
        let latest = now.seconds + Limits.keySeconds
        let valid = keys.filter { $0.isValid(at: now) }.prefix(Limits.cachedKeys)
        state.withLock { state in
            for key in valid {
                state.entries[Place(provider: provider, request: key.request)] = .key(
                    pem: key.pem, until: min(key.validUntil?.seconds ?? latest, latest))
            }
            state.publications[provider]?.task = nil
            state.publications[provider]?.error = error
        }
    }

    private func publishedKeys(
        _ publisher: Publisher
    ) async throws(KeyResolutionError) -> [PublishedKey] {
        do {
            let plan = try publisher.adapter.keysRequest(
                secrets: publisher.secrets, now: clock.now,
                nonce: Nonce(bytes: SecureRandom.bytes(Limits.nonceBytes)))
            let reply = try await transport.send(plan, deadline: deadline)
            return try publisher.adapter.interpretKeys(reply, secrets: publisher.secrets)
        } catch let error as RequestPlanError {
            throw KeyResolutionError(.notFetched, message: error.message)
        } catch let error as TransportError {
            throw KeyResolutionError(.notFetched, message: error.message)
        } catch let error as ProviderReplyError {
            throw KeyResolutionError(.notFetched, message: error.message)
        } catch {
            throw KeyResolutionError(.notFetched, message: "The provider's keys cannot be fetched.")
        }
    }

    /// Throws `untrusted_key_source` for every place that is not the provider's.
    private static func check(
        _ url: String, for provider: ProviderDescriptor
    ) throws(KeyResolutionError) {
        let target = try? RequestTarget(url: url)
        guard let target, target.isEncrypted, target.port == 443,
            provider.certificateHosts.contains(target.host)
        else {
            throw KeyResolutionError(
                .untrustedKeySource,
                message: "The delivery names a key in a place that is not \(provider.name)'s.")
        }
    }

    private func entry(
        _ place: Place, _ url: String, _ provider: ProviderDescriptor
    ) async throws(KeyResolutionError) -> Entry {
        let now = clock.now.seconds
        enum Next {
            case held(Entry)
            case task(Task<Entry, Never>)
            case busy
        }
        let next: Next = state.withLock { state in
            if let entry = state.entries[place], entry.end > now { return .held(entry) }
            if let task = state.underWay[place] { return .task(task) }
            guard state.underWay.count < Limits.keyFetches else { return .busy }
            // A task of its own: who comes second must not lose it when the first one gives up.
            let task = Task { await fetchAndKeep(place, url, provider) }
            state.underWay[place] = task
            return .task(task)
        }
        switch next {
        case .held(let entry): return entry
        case .task(let task): return await task.value
        case .busy:
            throw KeyResolutionError(
                .notFetched, message: "Too many keys are being fetched already.")
        }
    }

    private func fetchAndKeep(
        _ place: Place, _ url: String, _ provider: ProviderDescriptor
    ) async -> Entry {
        let entry: Entry
        do throws(KeyResolutionError) {
            entry = try await fetch(url, provider)
        } catch {
            entry = .failure(error, until: clock.now.seconds + Limits.keyFailureSeconds)
        }
        let now = clock.now.seconds
        state.withLock { state in
            state.underWay[place] = nil
            state.entries = state.entries.filter { $0.value.end > now }
            if state.entries.count >= Limits.cachedKeys,
                let soonest = state.entries.min(by: { $0.value.end < $1.value.end })
            {
                state.entries[soonest.key] = nil
            }
            state.entries[place] = entry
        }
        return entry
    }

    private func fetch(
        _ url: String, _ provider: ProviderDescriptor
    ) async throws(KeyResolutionError) -> Entry {
        let reply: HTTPReply
        do throws(TransportError) {
            reply = try await transport.send(
                HTTPRequestPlan(method: "GET", url: url, headers: [:]), deadline: deadline)
        } catch {
            throw KeyResolutionError(.notFetched, message: error.message)
        }
        guard reply.status == 200 else {
            throw KeyResolutionError(
                .notFetched, message: "The key's place answered with status \(reply.status).")
        }
        guard reply.body.count <= Limits.certificateBytes,
            let text = String(validating: reply.body, as: UTF8.self)
        else { throw KeyResolutionError(.notACertificate, message: "What came is no certificate.") }
        let now = clock.now.seconds
        let chain = try believed(text, provider, host: (try? RequestTarget(url: url).host) ?? "")
        let end = min(now + reply.cacheSeconds, chain.endsAt)
        return .key(pem: text, until: end)
    }

    private func believed(
        _ pem: String, _ provider: ProviderDescriptor, host: String
    ) throws(KeyResolutionError) -> CertificateChain {
        do throws(CryptographyError) {
            let chain = try CertificateChain(pem: pem)
            try chain.check(
                roots: roots, at: clock.now.seconds,
                name: provider.certificateDomain.map { .below($0) } ?? .host(host))
            return chain
        } catch {
            throw KeyResolutionError(
                KeyResolutionError.Reason(error.code) ?? .notACertificate, message: error.message)
        }
    }
}

extension HTTPReply {
    /// How long a fetched key may be kept, from `Cache-Control: max-age`.
    fileprivate var cacheSeconds: Int64 {
        let words = (headers.first("Cache-Control") ?? "").lowercased()
            .split { $0 == "," || $0 == " " }
        if words.contains("no-store") { return Limits.keyFailureSeconds }
        let age = words.first { $0.hasPrefix("max-age=") }.flatMap { Int64($0.dropFirst(8)) }
        return min(
            max(age ?? Limits.keySecondsUnstated, Limits.keyFailureSeconds), Limits.keySeconds)
    }
}
