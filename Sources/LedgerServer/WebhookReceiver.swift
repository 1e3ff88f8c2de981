package import CheckoutLedger
package import CheckoutModel
package import EventLog
package import HTTPServer
package import ProviderKit
import Synchronization

/// Takes webhooks: verified, stored and flushed before they are acknowledged.
///
/// What an answer says is the adapter's acknowledgement and never a reason. Refused webhooks are
/// kept as long as ``ServingLimits`` allows and only counted beyond it, so that forgeries cannot
/// fill the disk. When the ledger cannot write, the sender is told to come again.
package final class WebhookReceiver<Store: LogStore>: WebHandler {
    private struct Setup {
        var endpoints: WebhookEndpoints
        var keys: any KeySource
    }

    private let ledger: Ledger<Store>
    private let setup: Mutex<Setup>
    private let now: @Sendable () -> Instant
    private let metrics: ServerMetrics
    private let health: ServerHealth
    private let hinted: @Sendable (UInt64) -> Bool
    private let refusals = ProviderBuckets(
        each: TokenBucket(
            burst: ServingLimits.refusedBurst, perSeconds: ServingLimits.refusedSeconds),
        all: TokenBucket(
            burst: ServingLimits.refusedInAllBurst,
            perSeconds: ServingLimits.refusedInAllSeconds))
    private let notes = ProviderBuckets(
        each: TokenBucket(
            burst: ServingLimits.hintBurst,
            everyMicroseconds: 1_000_000 / Int64(ServingLimits.hintsPerSecond)))

    /// `hinted` is told the stream that an unsigned note is about, and says whether it will ask.
    package init(
        ledger: Ledger<Store>, endpoints: WebhookEndpoints, keys: any KeySource,
        metrics: ServerMetrics, health: ServerHealth, now: @escaping @Sendable () -> Instant,
        hinted: @escaping @Sendable (UInt64) -> Bool
    ) {
        self.ledger = ledger
        setup = Mutex(Setup(endpoints: endpoints, keys: keys))
        self.metrics = metrics
        self.health = health
        self.now = now
        self.hinted = hinted
    }

    /// Takes another configuration from the next request on.
    package func replace(_ endpoints: WebhookEndpoints, keys: any KeySource) {
        setup.withLock { $0 = Setup(endpoints: endpoints, keys: keys) }
    }

    package func admission(of request: WebRequest) -> WebAdmission {
        guard setup.withLock({ $0.endpoints.endpoint(request.path) }) != nil else {
            return .refuse(.notFound)
        }
        guard request.method == "POST" else { return .refuse(.methodNotAllowed(["POST"])) }
        return .accept(bodyLimit: ServingLimits.webhookBytes)
    }

    package func respond(to request: WebRequest) async -> WebResponse {
        let (endpoints, keys) = setup.withLock { ($0.endpoints, $0.keys) }
        guard let endpoint = endpoints.endpoint(request.path) else { return .notFound }
        let delivery = WebhookDelivery(
            method: request.method, configuredURL: endpoints.url(of: endpoint, asked: request.path),
            headers: HeaderList(
                request.headers.map { HeaderList.Field(name: $0.name, value: $0.value) }),
            body: request.body)
        let began = now()
        do throws(LedgerError) {
            let outcome = try await take(delivery, at: endpoint, keys)
            if outcome.position != nil { health.wrote(at: now()) }
            return answer(outcome, endpoint, began)
        } catch {
            if !error.isAboutKeys { health.failed(error.code.rawValue, at: now()) }
            metrics.countFailure(error.code.rawValue)
            return unavailable(endpoint, error)
        }
    }

    /// What was made of a webhook.
    private struct Outcome {
        let verdict: String
        var position: UInt64?
        let reply: HTTPReply
    }

    private func take(
        _ delivery: WebhookDelivery, at endpoint: WebhookEndpoints.Endpoint, _ keys: any KeySource
    ) async throws(LedgerError) -> Outcome {
        if let target = endpoint.hints?.hint(in: delivery) {
            return try await take(hint: target, at: endpoint)
        }
        guard let verifier = endpoint.verifier else {
            return Outcome(verdict: "refused", reply: HTTPReply(status: 401))
        }
        let verified: VerifiedDelivery
        switch try await verification(of: delivery, verifier, keys) {
        case .success(let delivery): verified = delivery
        case .failure(let rejection):
            return try await refuse(delivery, rejection, verifier.provider, endpoint.scope)
        }
        let receipt = try await ledger.record(
            verified, readBy: verifier.provider, scope: endpoint.scope)
        return Outcome(
            verdict: receipt.verdict.word, position: receipt.position,
            reply: receipt.acknowledgement)
    }

    /// Throws where the key that is needed cannot be had, which says nothing about the delivery.
    private func verification(
        of delivery: WebhookDelivery, _ verifier: DeliveryVerifier, _ keys: any KeySource
    ) async throws(LedgerError) -> Result<VerifiedDelivery, WebhookRejection> {
        let resolved: ResolvedKeys
        do throws(KeyResolutionError) {
            resolved = try await keys.keys(for: delivery, of: verifier)
        } catch {
            guard let rejection = error.rejection else { throw LedgerError(error) }
            return .failure(rejection)
        }
        do throws(WebhookRejection) {
            return .success(try verifier.verify(delivery, at: now(), resolved: resolved))
        } catch {
            return .failure(error)
        }
    }

    private func refuse(
        _ delivery: WebhookDelivery, _ rejection: WebhookRejection,
        _ provider: any WebhookReceiving, _ scope: AccountScope
    ) async throws(LedgerError) -> Outcome {
        guard refusals.take(scope.provider, at: now()) else {
            return Outcome(
                verdict: "refused_unrecorded",
                reply: provider.acknowledgement(for: .rejected(rejection)))
        }
        let receipt = try await ledger.record(
            refused: delivery, because: rejection, by: provider, scope: scope)
        return Outcome(
            verdict: receipt.verdict.word, position: receipt.position,
            reply: receipt.acknowledgement)
    }

    /// Keeps an unsigned note and has the provider asked; more than a few are to come again.
    private func take(
        hint target: StatusQueryTarget, at endpoint: WebhookEndpoints.Endpoint
    ) async throws(LedgerError) -> Outcome {
        guard notes.take(endpoint.scope.provider, at: now()) else {
            return Outcome(verdict: "postponed", reply: HTTPReply(status: 503))
        }
        // Whoever sends it learns nothing of what is known here, so every note is thanked for.
        let reply = HTTPReply(status: 200)
        do throws(LedgerError) {
            let entry = try await ledger.record(hint: target, scope: endpoint.scope)
            return Outcome(
                verdict: hinted(entry.stream) ? "hint" : "hint_unasked", position: entry.position,
                reply: reply)
        } catch {
            // Nobody's checkout has such an id, and anybody may have sent it.
            guard error.isAboutContent else { throw error }
            return Outcome(verdict: "hint_unusable", reply: reply)
        }
    }

    private func answer(
        _ outcome: Outcome, _ endpoint: WebhookEndpoints.Endpoint, _ began: Instant
    ) -> WebResponse {
        metrics.countDelivery(endpoint.scope.provider, outcome.verdict)
        if outcome.position != nil {
            metrics.countAppend(microseconds: now().microseconds - began.microseconds)
        }
        var response = WebResponse(outcome.reply)
        if outcome.reply.status == 503 {
            response.headers.append(WebField("Retry-After", "\(ServingLimits.retrySeconds)"))
        }
        response.notes = notes(endpoint, outcome.verdict)
        if let position = outcome.position {
            response.notes.append(WebField("position", "\(position)"))
        }
        return response
    }

    /// Not recorded, and not the sender's fault: it is to come again.
    private func unavailable(
        _ endpoint: WebhookEndpoints.Endpoint, _ error: LedgerError
    ) -> WebResponse {
        metrics.countDelivery(endpoint.scope.provider, "not_recorded")
        let provider = endpoint.verifier?.provider
        var response = WebResponse(
            provider?.acknowledgement(for: .temporarilyUnavailable) ?? HTTPReply(status: 503))
        response.headers.append(WebField("Retry-After", "\(ServingLimits.retrySeconds)"))
        response.notes =
            notes(endpoint, "not_recorded") + [WebField("error", error.code.rawValue)]
        return response
    }

    private func notes(
        _ endpoint: WebhookEndpoints.Endpoint, _ verdict: String
    ) -> [WebField] {
        [
            WebField("route", "/webhooks/{provider}"),
            WebField("provider", endpoint.scope.provider.rawValue), WebField("verdict", verdict),
        ]
    }
}
