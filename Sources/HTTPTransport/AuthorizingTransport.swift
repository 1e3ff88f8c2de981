public import ProviderKit
import Synchronization

/// Adds the access token that a request needs: fetches it, keeps it until shortly before its end,
/// and fetches it anew, once, when the provider does not take it any more.
///
/// A grant that is refused is answered with status 401 and an empty body, so that the adapter reads
/// it as it reads a refused key; one that ends otherwise, with its own status and headers.
public final class AuthorizingTransport: HTTPTransport {
    private struct Token: Sendable, Hashable {
        let text: String
        /// The uptime from which it is not used any more.
        let end: Duration
    }

    /// How asking for a token ended.
    private enum Grant: Sendable {
        case token(Token)
        case reply(HTTPReply)
        case failure(TransportError)
    }

    private struct State: ~Copyable {
        var tokens: [TokenGrant: Token] = [:]
        var underWay: [TokenGrant: Task<Grant, Never>] = [:]
    }

    private let base: any HTTPTransport
    private let clock: any TransportClock
    private let state = Mutex(State())

    /// Wraps the transport that carries out both the requests and the grants.
    public init(_ base: any HTTPTransport, clock: any TransportClock = SystemTransportClock()) {
        self.base = base
        self.clock = clock
    }

    /// The reply to the request proper, unless no token could be had.
    public func send(
        _ plan: HTTPRequestPlan, deadline: Duration
    ) async throws(TransportError) -> HTTPReply {
        guard let grant = plan.token else { return try await base.send(plan, deadline: deadline) }
        let end = clock.uptime + deadline
        var reply = HTTPReply(status: 401)
        for _ in 0..<2 {
            let token: Token
            switch await self.token(grant, until: end) {
            case .token(let found): token = found
            case .reply(let reply): return reply
            case .failure(let error): throw error
            }
            // Nobody who refuses a token has done what was asked, so asking again is safe.
            reply = try await base.send(
                plan.bearing(token.text), deadline: max(end - clock.uptime, .zero))
            guard reply.status == 401 else { return reply }
            forget(token, of: grant)
        }
        return reply
    }

    /// A token that is still good, fetched by one caller for all that wait.
    private func token(_ grant: TokenGrant, until end: Duration) async -> Grant {
        let now = clock.uptime
        let task = state.withLock { state -> Task<Grant, Never> in
            if let token = state.tokens[grant], token.end > now {
                return Task { .token(token) }
            }
            if let task = state.underWay[grant] { return task }
            // A task of its own: who comes second must not lose it when the first one gives up.
            let task = Task { await fetch(grant, deadline: end - now) }
            state.underWay[grant] = task
            return task
        }
        return await task.value
    }

    private func fetch(_ grant: TokenGrant, deadline: Duration) async -> Grant {
        let result = await ask(grant, deadline: deadline)
        let now = clock.uptime
        state.withLock { state in
            state.underWay[grant] = nil
            guard case .token(let token) = result else { return }
            state.tokens = state.tokens.filter { $0.value.end > now }
            if state.tokens.count < Limits.cachedTokens { state.tokens[grant] = token }
        }
        return result
    }

    private func ask(_ grant: TokenGrant, deadline: Duration) async -> Grant {
        let reply: HTTPReply
        do throws(TransportError) {
            reply = try await base.send(grant.request, deadline: deadline)
        } catch {
            return .failure(error)
        }
        switch reply.status {
        case 200..<300:
            guard let (text, lifetime) = try? TokenGrant.read(reply) else {
                let host = (try? RequestTarget(url: grant.url).host) ?? ""
                return .failure(TransportError(.malformedReply, host: host))
            }
            return .token(Token(text: text, end: clock.uptime + Self.use(ofSeconds: lifetime)))
        case 400, 401, 403: return .reply(HTTPReply(status: 401))
        default: return .reply(HTTPReply(status: reply.status, headers: reply.headers))
        }
    }

    /// How long a token is used: until a minute before its end, or half its life if it is short.
    private static func use(ofSeconds told: Int64) -> Duration {
        let lifetime = told > 0 ? told : Limits.tokenSecondsUnstated
        return .seconds(max(lifetime - Limits.tokenMarginSeconds, lifetime / 2))
    }

    private func forget(_ token: Token, of grant: TokenGrant) {
        state.withLock { state in
            if state.tokens[grant] == token { state.tokens[grant] = nil }
        }
    }
}

extension HTTPRequestPlan {
    /// The same request with a token, which takes the place of any `Authorization` it had.
    fileprivate func bearing(_ token: String) -> HTTPRequestPlan {
        let others = headers.fields.filter { $0.name.lowercased() != "authorization" }
        return HTTPRequestPlan(
            method: method, url: url,
            headers: HeaderList(
                others + [.init(name: "Authorization", value: "Bearer \(token)")]),
            body: body, isRepeatable: isRepeatable)
    }
}
