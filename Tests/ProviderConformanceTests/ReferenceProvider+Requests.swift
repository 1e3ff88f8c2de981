import CheckoutModel
import Cryptography
import ProviderKit

extension ReferenceProvider: StatusQuerying {
    private var host: String {
        has(.plansHTTP) ? "http://api.reference.example" : "https://api.reference.example"
    }

    func statusRequest(
        for target: StatusQueryTarget, secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let (collection, id): (String, String)
        switch target {
        case .session(let session): (collection, id) = ("sessions", session)
        case .payment(let payment): (collection, id) = ("payments", payment)
        default: throw .unsupportedTarget
        }
        var url = "\(host)/\(collection)/"
        url += has(.leavesIDsUnescaped) ? id : try URLSegment.encoded(id)
        if has(.putsSecretInURL) { url += "?key=\(try key(secrets))" }
        return HTTPRequestPlan(method: "GET", url: url, headers: try headers(secrets))
    }

    func interpret(
        _ reply: HTTPReply, for target: StatusQueryTarget
    ) throws(ProviderReplyError) -> StatusReport {
        let failed = StatusReport.known(
            PaymentFacts(
                status: .failed, amount: nil, ids: ProviderIDs(), mode: .test, rawStatus: nil))
        if has(.notFoundFails), reply.status == 404 { return failed }
        if has(.troubleFails), reply.status >= 500 { return failed }
        if has(.unauthorisedFails), reply.status == 401 { return failed }
        let fields: JSONFields
        switch try reply.statusObject() {
        case .success(let object): fields = object
        case .failure(let nothing):
            return has(.cutOffFails) && nothing.reason == .unreadable ? failed : nothing.report
        }
        do throws(WebhookDecodingError) {
            let id = try fields.requiredText("id")
            guard id == target.id || has(.takesOtherObject) else {
                return .indeterminate(.otherObject, retryAfterSeconds: nil)
            }
            let status: CheckoutStatus
            switch try fields.requiredText("status") {
            case "paid": status = .succeeded
            case "declined": status = .failed
            case "started": status = .pending
            default:
                return has(.unknownStatusFails)
                    ? failed : .indeterminate(.unknownWord, retryAfterSeconds: nil)
            }
            return .known(
                PaymentFacts(
                    status: status,
                    amount: try fields.money("amount", currency: "currency", profile: .iso4217),
                    ids: ids(of: target), mode: .test,
                    rawStatus: fields.note("status")))
        } catch {
            return .indeterminate(.unreadable, retryAfterSeconds: nil)
        }
    }

    private func ids(of target: StatusQueryTarget) -> ProviderIDs {
        if case .session(let id) = target { return ProviderIDs(session: id) }
        return ProviderIDs(payment: target.id)
    }

    private func key(_ secrets: SecretSet) throws(RequestPlanError) -> String {
        do throws(SecretError) {
            return try secrets.apiKey()
        } catch {
            throw .secret(error)
        }
    }

    private func headers(_ secrets: SecretSet) throws(RequestPlanError) -> HeaderList {
        ["Authorization": "Bearer \(try key(secrets))"]
    }
}

extension ReferenceProvider: SessionCreating {
    func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let own = has(.makesKeys) ? Hex.encode(nonce.bytes) : idempotencyKey.rawValue
        let fields = try headers(secrets).fields + [.init(name: "Idempotency-Key", value: own)]
        let body = JSONValue.object([
            "reference": .string(draft.reference),
            "amount": draft.items.first?.unitAmount.map { .integer($0.minorUnits) },
        ])
        return HTTPRequestPlan(
            method: "POST", url: "\(host)/sessions", headers: HeaderList(fields), body: body.json,
            isRepeatable: true)
    }

    func interpretCreation(_ reply: HTTPReply) throws(ProviderReplyError) -> CreatedSession {
        if has(.troubleIsRefusal), reply.status >= 500 { throw .refused(providerCode: nil) }
        let fields = try reply.createdObject()
        guard let session = fields.note("session"), let url = fields.note("url") else {
            throw .unreadable
        }
        return CreatedSession(
            ids: ProviderIDs(session: has(.forgetsSession) ? nil : session), checkoutURL: url,
            expiresAt: nil, mode: .test)
    }
}

extension ReferenceProvider: PaymentCompleting {
    func completionRequest(
        for session: String, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        var fields = try headers(secrets).fields
        if !has(.capturesWithoutKey) {
            fields.append(.init(name: "Idempotency-Key", value: idempotencyKey.rawValue))
        }
        return HTTPRequestPlan(
            method: "POST", url: "\(host)/sessions/\(try URLSegment.encoded(session))/capture",
            headers: HeaderList(fields), isRepeatable: true)
    }

    func interpretCompletion(
        _ reply: HTTPReply, for session: String
    ) throws(ProviderReplyError) -> StatusReport {
        if has(.capturesInTrouble), reply.status >= 500 {
            return try interpret(HTTPReply(status: 200, body: reply.body), for: .session(session))
        }
        return try interpret(reply, for: .session(session))
    }
}

extension ReferenceProvider: KeyPublishing {
    func keysRequest(
        secrets: SecretSet, now: Instant, nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        HTTPRequestPlan(method: "GET", url: "\(host)/keys", headers: try headers(secrets))
    }

    func interpretKeys(
        _ reply: HTTPReply, secrets: SecretSet
    ) throws(ProviderReplyError) -> [PublishedKey] {
        let noise = PublishedKey(
            request: .platformKey(serial: "1"), pem: "", validFrom: nil, validUntil: nil)
        if has(.publishesNoise) { return [noise] }
        guard let fields = try? JSONFields(body: reply.body), reply.status == 200,
            let serial = fields.note("serial"), let pem = fields.note("pem")
        else { throw .unreadable }
        return [
            PublishedKey(
                request: .platformKey(serial: serial), pem: pem, validFrom: nil, validUntil: nil)
        ]
    }
}
