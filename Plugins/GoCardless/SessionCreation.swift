public import CheckoutModel
public import ProviderKit

/// `POST /billing_requests`, then `POST /billing_request_flows` for its page.
///
/// Source: gocardless-pro-python, services/billing_requests_service.py,
/// services/billing_request_flows_service.py, resources/billing_request_flow.py. The members of
/// `payment_request` are seen in public code; that its metadata become the payment's is from
/// memory, not verified.
extension GoCardlessProvider: SessionCreating {
    private static let requests = "billing_requests"
    private static let flows = "billing_request_flows"
    /// Room for the ending that the second request's key has; the limit is from memory, not
    /// verified.
    private static let keyLimit = 120

    /// Plans a billing request for one sum, which has no page yet.
    ///
    /// Throws `unknown_mode` when the configuration does not say which of the two hosts makes it.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let total = try draft.total()
        guard let amount = try? Self.descriptor.moneyProfile.wireAmount(of: total) else {
            throw .unusableAmount
        }
        guard !draft.returnURL.isEmpty else { throw .missingField("returnURL") }
        let name = configuration.referenceKeys.first ?? "order_id"
        let metadata = JSONValue.object([
            JSONMember(name: name, value: .string(draft.reference))
        ])
        return try post(
            Self.requests,
            .object([
                "payment_request": .object([
                    "amount": .integer(amount), "currency": .string(total.currency.code),
                    "description": .string(draft.title), "metadata": metadata,
                ]),
                "metadata": metadata,
            ]), key: idempotencyKey.text(limit: Self.keyLimit), secrets)
    }

    /// The page, once there is a billing request for it.
    public func nextRequest(
        after reply: HTTPReply, for draft: SessionDraft, idempotencyKey: IdempotencyKey,
        secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(SessionCreationError) -> HTTPRequestPlan? {
        let body: JSONFields
        do throws(ProviderReplyError) {
            body = try reply.createdObject(errorField: "type")
        } catch {
            throw .reply(error)
        }
        guard body[Self.flows] == nil else { return nil }
        guard let request = (try? body.object(Self.requests)) ?? nil,
            let id = (try? request.identifier("id")) ?? nil
        else { throw .reply(.unreadable) }
        do throws(RequestPlanError) {
            return try post(
                Self.flows,
                .object([
                    "redirect_uri": .string(draft.returnURL),
                    "exit_uri": .string(draft.cancelURL ?? draft.returnURL),
                    "prefilled_customer": draft.customerEmail.map {
                        .object(["email": .string($0)])
                    },
                    "links": .object(["billing_request": .string(id)]),
                ]), key: idempotencyKey.text(limit: Self.keyLimit) + "-flow", secrets)
        } catch {
            throw .plan(error)
        }
    }

    /// Reads the page, its end and the billing request that it is for.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        let body = try reply.createdObject(errorField: "type")
        guard let flow = (try? body.object(Self.flows)) ?? nil,
            let links = (try? flow.object("links")) ?? nil,
            let id = (try? links.identifier("billing_request")) ?? nil,
            let page = flow.note("authorisation_url")
        else { throw .unreadable }
        return CreatedSession(
            ids: ProviderIDs(session: id), checkoutURL: page, expiresAt: flow.time("expires_at"),
            mode: configuration.mode)
    }

    private func post(
        _ collection: String, _ object: JSONValue, key: String, _ secrets: SecretSet
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let fields =
            try headers(secrets) + [
                .init(name: "Content-Type", value: "application/json"),
                .init(name: "Idempotency-Key", value: key),
            ]
        let body = JSONValue.object([JSONMember(name: collection, value: object)])
        return HTTPRequestPlan(
            method: "POST", url: "\(try apiHost())/\(collection)", headers: HeaderList(fields),
            body: body.json, isRepeatable: true)
    }
}
