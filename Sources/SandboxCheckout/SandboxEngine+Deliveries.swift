package import CheckoutModel
import ProviderKit

// Every webhook is sent until an answer is 2xx, with growing pauses, unless its loss was asked for.
// Copies and disorder come on top of that and never instead of it.

extension SandboxEngine {
    /// Puts a webhook on its way.
    mutating func emit(_ type: String, _ data: JSONValue, of checkout: String, at now: Instant) {
        guard let behaviour = checkouts[checkout]?.behaviour else { return }
        let number = checkouts[checkout]?.webhooks ?? 0
        checkouts[checkout]?.webhooks = number + 1
        let id = ids.make("sbxevt_")
        let body = JSONValue.object([
            "id": .string(id), "type": .string(type), "pretend": .bool(true),
            "created_at": .string(now.iso8601), "data": data,
        ])
        // The even ones wait, so the odd one behind each overtakes it.
        let held = behaviour.isDisordered && number.isMultiple(of: 2)
        let pause = behaviour.delaySeconds + (held ? SandboxLimits.disorderSeconds : 0)
        var delivery = PretendDelivery(
            id: id, type: type, checkout: checkout, body: body.json, state: .waiting,
            due: now.adding(seconds: pause), copies: behaviour.duplicates)
        if !settings.hasEndpoint {
            (delivery.state, delivery.due) = (.unaddressed, nil)
        } else if behaviour.loss == .all {
            (delivery.state, delivery.due) = (.lost, nil)
        }
        deliveries[id] = delivery
        mail[checkout, default: []].append(id)
        if delivery.due != nil { waiting.insert(id) }
    }

    /// What is to be sent now, each signed with this moment; what time alone does is done first.
    ///
    /// Each attempt is under way until ``attemptEnded(_:status:at:)`` is told of its end.
    package mutating func takeDue(at now: Instant) -> [DeliveryAttempt] {
        advance(to: now)
        let due = waiting.compactMap { id in deliveries[id]?.due.map { (id: id, due: $0) } }
            .filter { $0.due <= now }
            .sorted { ($0.due, $0.id) < ($1.due, $1.id) }
        var attempts: [DeliveryAttempt] = []
        for (id, _) in due {
            guard let delivery = deliveries[id] else { continue }
            let loss = checkouts[delivery.checkout]?.behaviour.loss
            if loss == .first, delivery.attempts.isEmpty {
                note(id, status: nil, isLost: true, at: now)
                continue
            }
            waiting.remove(id)
            deliveries[id]?.state = .underWay
            deliveries[id]?.due = nil
            attempts.append(
                DeliveryAttempt(
                    delivery: id,
                    headers: WebhookSigner.headers(
                        id: id, at: now, body: delivery.body, key: settings.signingKey),
                    body: delivery.body))
        }
        return attempts
    }

    /// An attempt has ended: with the status of its answer, or with nil when there was none.
    package mutating func attemptEnded(_ id: String, status: Int?, at now: Instant) {
        guard deliveries[id]?.state == .underWay else { return }
        note(id, status: status, isLost: false, at: now)
    }

    private mutating func note(_ id: String, status: Int?, isLost: Bool, at now: Instant) {
        guard var delivery = deliveries[id] else { return }
        delivery.attempts.append(
            PretendDelivery.Attempt(at: now, status: status, isLostOnPurpose: isLost))
        if delivery.attempts.count > SandboxLimits.rememberedAttempts {
            delivery.attempts.removeFirst()
        }
        if let status, (200..<300).contains(status) {
            delivery.wasAccepted = true
            delivery.failures = 0
            if delivery.copies > 0 {
                delivery.copies -= 1
                (delivery.state, delivery.due) = (.waiting, now.adding(seconds: 1))
            } else {
                (delivery.state, delivery.due) = (.delivered, nil)
            }
        } else if delivery.wasAccepted {
            // A copy that was refused is not repeated: its webhook has arrived.
            (delivery.state, delivery.due) = (.delivered, nil)
        } else if delivery.failures < SandboxLimits.retryDelays.count {
            let pause = SandboxLimits.retryDelays[delivery.failures]
            delivery.failures += 1
            (delivery.state, delivery.due) = (.waiting, now.adding(seconds: pause))
        } else {
            (delivery.state, delivery.due) = (.givenUp, nil)
        }
        deliveries[id] = delivery
        if delivery.due != nil { waiting.insert(id) } else { waiting.remove(id) }
    }

    /// Sends a webhook once more, whatever became of it; the same id and bytes.
    package mutating func resend(_ id: String, at now: Instant) throws(SandboxRefusal) {
        guard let delivery = deliveries[id] else { throw SandboxRefusal(.notFound) }
        guard delivery.state != .unaddressed, delivery.state != .underWay else { return }
        deliveries[id]?.failures = 0
        deliveries[id]?.state = .waiting
        deliveries[id]?.due = now
        waiting.insert(id)
    }
}
