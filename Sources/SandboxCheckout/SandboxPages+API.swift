import CheckoutModel
import HTTPServer
import ProviderKit

/// `/sandbox/api`, in JSON, with a bearer key:
///
/// | request | does |
/// |---|---|
/// | `POST checkouts` | makes a checkout; `Idempotency-Key` makes repeating harmless |
/// | `GET checkouts/{id}` | how it stands |
/// | `POST checkouts/{id}/expire` | ends it |
/// | `GET payments/{id}` | how the payment stands |
/// | `POST payments/{id}/refunds` | gives back `amount`, or all; `fails` = the bank refuses |
/// | `POST payments/{id}/disputes` | the customer objects |
/// | `GET refunds/{id}`, `GET disputes/{id}` | how they stand |
/// | `POST disputes/{id}` | moves it to `status` |
extension SandboxPages {
    func api(
        _ request: WebRequest, _ path: [String]
    ) throws(SandboxRefusal) -> WebResponse {
        let isPost = request.method == "POST"
        let id = path.count > 1 ? path[1] : ""
        switch (path.first, path.count, path.count > 2 ? path[2] : nil) {
        case ("checkouts", 1, _) where isPost: return try create(request)
        case ("checkouts", 2, _) where !isPost:
            return json(
                try sandbox.perform { (engine, _) throws(SandboxRefusal) in
                    try Self.checkout(id, in: engine)
                })
        case ("checkouts", 3, "expire") where isPost:
            return json(
                try sandbox.perform { (engine, now) throws(SandboxRefusal) in
                    try engine.expire(id, at: now)
                    return try Self.checkout(id, in: engine)
                })
        case ("payments", 2, _) where !isPost:
            return json(
                try sandbox.perform { (engine, _) throws(SandboxRefusal) in
                    let payment = try engine.payment(id)
                    return payment.json(engine.checkouts[payment.checkout])
                })
        case ("payments", 3, "refunds") where isPost: return try refund(id, request)
        case ("payments", 3, "disputes") where isPost:
            return json(
                try sandbox.perform { (engine, now) throws(SandboxRefusal) in
                    try engine.openDispute(id, at: now).json
                }, status: 201)
        case ("refunds", 2, _) where !isPost:
            return json(
                try sandbox.perform { (engine, _) throws(SandboxRefusal) in
                    try engine.refund(id).json
                })
        case ("disputes", 2, _): return try dispute(id, isPost ? request : nil)
        default: throw SandboxRefusal(.notFound)
        }
    }

    private static func checkout(
        _ id: String, in engine: SandboxEngine
    ) throws(SandboxRefusal) -> JSONValue {
        let checkout = try engine.checkout(id)
        return checkout.json(
            url: engine.payPage(of: id), payment: engine.decidingPayment(of: checkout)?.id)
    }

    private func create(_ request: WebRequest) throws(SandboxRefusal) -> WebResponse {
        let draft = try CheckoutDraft(json: request.body)
        let key = request.header("idempotency-key")
        if let key, IdempotencyKey(rawValue: key) == nil {
            throw SandboxRefusal(.invalidField, field: "Idempotency-Key")
        }
        return json(
            try sandbox.perform { (engine, now) throws(SandboxRefusal) in
                let made = try engine.create(draft, key: key, at: now)
                return try Self.checkout(made.id, in: engine)
            }, status: 201)
    }

    private func refund(
        _ id: String, _ request: WebRequest
    ) throws(SandboxRefusal) -> WebResponse {
        let fields = try Self.fields(request)
        var amount: Int64?
        if let value = fields["amount"] {
            guard let number = value.integer, number > 0 else {
                throw SandboxRefusal(.invalidField, field: "amount")
            }
            amount = number
        }
        let isDoomed = fields["fails"] == .bool(true)
        return json(
            try sandbox.perform { (engine, now) throws(SandboxRefusal) in
                try engine.refund(id, minorUnits: amount, isDoomed: isDoomed, at: now).json
            }, status: 201)
    }

    private func dispute(
        _ id: String, _ change: WebRequest?
    ) throws(SandboxRefusal) -> WebResponse {
        var word: DisputeWord?
        if let change {
            guard let named = try Self.fields(change).note("status").flatMap(DisputeWord.init)
            else { throw SandboxRefusal(.invalidField, field: "status") }
            word = named
        }
        return json(
            try sandbox.perform { (engine, now) throws(SandboxRefusal) in
                guard let word else { return try engine.dispute(id).json }
                return try engine.moveDispute(id, to: word, at: now).json
            })
    }

    /// The object of a body; an empty body has no fields.
    private static func fields(_ request: WebRequest) throws(SandboxRefusal) -> JSONFields {
        let body = request.body.isEmpty ? Array("{}".utf8) : request.body
        guard let fields = try? JSONFields(body: body, limit: SandboxLimits.bodyBytes) else {
            throw SandboxRefusal(.malformedRequest)
        }
        return fields
    }
}
