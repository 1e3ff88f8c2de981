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
///
/// Revocation is not looked at: neither lists nor OCSP are fetched, since whoever can keep a fetch
/// of a certificate from arriving can keep those from arriving too, and the answer would have to be
/// "go on". A certificate that was withdrawn is believed until its own end, or for a day where it
/// is held already; give other roots, or none, to stop sooner.
public final class KeyResolver: KeySource {
    /// What is fetched once.
    struct Place: Hashable, Sendable {
        let owner: Owner
        let request: KeyRequest
    }

    /// Whose keys: each account of a provider may be told keys of its own.
    struct Owner: Hashable, Sendable {
        let provider: ProviderID
        var account: String?
    }

    enum Entry: Sendable {
        case key(pem: String, until: Int64)
        case failure(KeyResolutionError, until: Int64)

        var end: Int64 {
            switch self {
            case .key(_, let until), .failure(_, let until): until
            }
        }
    }

    struct State: ~Copyable {
        var publications: [Owner: Publication] = [:]
        var entries: [Place: Entry] = [:]
        var underWay: [Place: Task<Entry, Never>] = [:]
    }

    let transport: any HTTPTransport
    private let roots: TrustedRoots
    private let platformKeys: [ProviderID: [String: String]]
    let clock: any TransportClock
    let deadline: Duration
    let state = Mutex(State())

    /// `platformKeys` are PEM texts by provider and serial number, for messages that name no place.
    ///
    /// About other numbers a provider that publishes its keys is asked, with the
    /// secrets of the account that the delivery is for, at most once a minute, since anyone can
    /// invent a number.
    public init(
        transport: any HTTPTransport, roots: TrustedRoots = .system,
        platformKeys: [ProviderID: [String: String]] = [:],
        clock: any TransportClock = SystemTransportClock(), deadline: Duration = .seconds(10)
    ) {
        self.transport = transport
        self.roots = roots
        self.platformKeys = platformKeys
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
        let publisher = Publisher(verifier)
        for request in (try? verifier.keyRequests(of: delivery)) ?? [] {
            let pem = try await pem(of: request, for: descriptor, published: publisher)
            do throws(SecretError) {
                try keys.add(pem: pem, for: request)
            } catch {
                throw KeyResolutionError(.notACertificate, message: error.message)
            }
        }
        return keys
    }

    /// The PEM text of one key, from what was fetched before if it still holds.
    func pem(
        of request: KeyRequest, for provider: ProviderDescriptor,
        published publisher: Publisher? = nil
    ) async throws(KeyResolutionError) -> String {
        switch request {
        case .platformKey(let serial):
            if let pem = platformKeys[provider.id]?[serial] { return pem }
            let owner = Owner(provider: provider.id, account: publisher?.account)
            return try await publishedPEM(
                Place(owner: owner, request: request), publisher, provider.name)
        case .certificate(let url):
            try Self.check(url, for: provider)
            let place = Place(owner: Owner(provider: provider.id), request: request)
            switch try await entry(place, url, provider) {
            case .key(let pem, _): return pem
            case .failure(let error, _): throw error
            }
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
        // The host is one of the provider's own, so naming it tells nothing of the delivery.
        let host = (try? RequestTarget(url: url).host) ?? ""
        let what = "The certificate that \(provider.name) signs with cannot be fetched."
        let reply: HTTPReply
        do throws(TransportError) {
            reply = try await transport.send(
                HTTPRequestPlan(method: "GET", url: url, headers: [:]), deadline: deadline)
        } catch {
            throw KeyResolutionError(.notFetched, message: "\(what) \(error.message)")
        }
        guard reply.status == 200 else {
            throw KeyResolutionError(
                .notFetched, message: "\(what) \(host) answered with status \(reply.status).")
        }
        guard reply.body.count <= Limits.certificateBytes,
            let text = String(validating: reply.body, as: UTF8.self)
        else { throw KeyResolutionError(.notACertificate, message: "What came is no certificate.") }
        let now = clock.now.seconds
        let chain = try believed(text, provider, host: host)
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
