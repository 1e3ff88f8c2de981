public import CheckoutModel

/// Why no session was made; carries no secret.
public enum SessionCreationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A request could not be planned; it was not sent.
    case plan(RequestPlanError)
    /// There was no reply: whether a session exists is unknown, so repeat it with the same
    /// idempotency key only.
    case transport(TransportError)
    /// The provider refused, or its reply cannot be read.
    case reply(ProviderReplyError)

    /// The stable name for programs.
    public var code: String {
        switch self {
        case .plan(let error): error.code
        case .transport(let error): error.code
        case .reply(let error): error.code
        }
    }

    /// Code, sentence and hint on one line.
    public var description: String {
        switch self {
        case .plan(let error): error.description
        case .transport(let error): error.description
        case .reply(let error): error.description
        }
    }
}

extension SessionCreating {
    /// None: the first reply tells of the session.
    public func nextRequest(
        after reply: HTTPReply, for draft: SessionDraft, idempotencyKey: IdempotencyKey,
        secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(SessionCreationError) -> HTTPRequestPlan? { nil }

    /// Makes a session over `transport`, with as many requests as the provider wants.
    ///
    /// Repeating it with the same key makes no second session where the provider allows that.
    /// `deadline` is for each request.
    public func create(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce, over transport: any HTTPTransport, deadline: Duration = .seconds(30)
    ) async throws(SessionCreationError) -> CreatedSession {
        var plan: HTTPRequestPlan
        do throws(RequestPlanError) {
            plan = try createRequest(
                draft, idempotencyKey: idempotencyKey, secrets: secrets, now: now, nonce: nonce)
        } catch {
            throw .plan(error)
        }
        for _ in 0..<Limits.creationRequests {
            let reply: HTTPReply
            do throws(TransportError) {
                reply = try await transport.send(plan, deadline: deadline)
            } catch {
                throw .transport(error)
            }
            let next = try nextRequest(
                after: reply, for: draft, idempotencyKey: idempotencyKey, secrets: secrets,
                now: now, nonce: nonce)
            if let next {
                plan = next
                continue
            }
            do throws(ProviderReplyError) {
                return try interpretCreation(reply, of: draft)
            } catch {
                throw .reply(error)
            }
        }
        throw .reply(.unreadable)
    }
}
