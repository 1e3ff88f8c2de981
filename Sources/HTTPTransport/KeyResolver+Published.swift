import CheckoutModel
import Cryptography
import ProviderKit
import Synchronization

/// Keys that providers publish as a list, under serial numbers.
extension KeyResolver {
    /// An adapter whose provider publishes its keys, with the secrets to ask for them.
    struct Publisher: Sendable {
        let adapter: any KeyPublishing
        let secrets: SecretSet

        /// Whoever verifies with secrets asks with the same ones; nil for other providers.
        init?(_ verifier: DeliveryVerifier) {
            guard let adapter = verifier.provider as? any KeyPublishing else { return nil }
            self.init(adapter, secrets: verifier.secrets)
        }

        init(_ adapter: any KeyPublishing, secrets: SecretSet) {
            self.adapter = adapter
            self.secrets = secrets
        }

        var account: String? { (adapter as? any WebhookReceiving)?.account }
    }

    /// The list of keys that a provider publishes: who fetches it, and how that went last.
    struct Publication: Sendable {
        var task: Task<Void, Never>?
        var notBefore = Int64.min
        var error: KeyResolutionError?
    }

    func publishedPEM(
        _ place: Place, _ publisher: Publisher?, _ provider: String
    ) async throws(KeyResolutionError) -> String {
        if let pem = heldPEM(place) { return pem }
        let now = clock.now.seconds
        let task = state.withLock { state -> Task<Void, Never>? in
            var publication = state.publications[place.owner] ?? Publication()
            if let task = publication.task { return task }
            guard let publisher, now >= publication.notBefore else { return nil }
            publication.notBefore = now + Limits.keyListSeconds
            let task = Task { await fetchList(publisher, place.owner, provider) }
            publication.task = task
            state.publications[place.owner] = publication
            return task
        }
        await task?.value
        if let pem = heldPEM(place) { return pem }
        if let error = state.withLock({ $0.publications[place.owner]?.error }) { throw error }
        throw KeyResolutionError(.unknownKey, message: "No key with that serial number is known.")
    }

    private func heldPEM(_ place: Place) -> String? {
        let now = clock.now.seconds
        let entry = state.withLock { $0.entries[place] }
        guard case .key(let pem, let until) = entry, until > now else { return nil }
        return pem
    }

    private func fetchList(_ publisher: Publisher, _ owner: Owner, _ provider: String) async {
        var failure: KeyResolutionError?
        var keys: [PublishedKey] = []
        do throws(KeyResolutionError) {
            keys = try await publishedKeys(publisher, provider)
        } catch {
            failure = error
        }
        let (error, now) = (failure, clock.now)
        let latest = now.seconds + Limits.keySeconds
        let valid = keys.filter { $0.isValid(at: now) }.prefix(Limits.cachedKeys)
        state.withLock { state in
            for key in valid {
                state.entries[Place(owner: owner, request: key.request)] = .key(
                    pem: key.pem, until: min(key.validUntil?.seconds ?? latest, latest))
            }
            state.publications[owner]?.task = nil
            state.publications[owner]?.error = error
        }
    }

    private func publishedKeys(
        _ publisher: Publisher, _ provider: String
    ) async throws(KeyResolutionError) -> [PublishedKey] {
        let what = "The keys that \(provider) signs with cannot be fetched."
        do {
            let plan = try publisher.adapter.keysRequest(
                secrets: publisher.secrets, now: clock.now,
                nonce: Nonce(bytes: SecureRandom.bytes(Limits.nonceBytes)))
            let reply = try await transport.send(plan, deadline: deadline)
            return try publisher.adapter.interpretKeys(reply, secrets: publisher.secrets)
        } catch let error as RequestPlanError {
            throw KeyResolutionError(.noCredentials, message: "\(what) \(error.message)")
        } catch let error as TransportError {
            throw KeyResolutionError(.notFetched, message: "\(what) \(error.message)")
        } catch let error as ProviderReplyError {
            throw KeyResolutionError(
                error == .unauthorized ? .noCredentials : .notFetched,
                message: "\(what) \(error.message)")
        } catch {
            throw KeyResolutionError(.notFetched, message: what)
        }
    }
}
