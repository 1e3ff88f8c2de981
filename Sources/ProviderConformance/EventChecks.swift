import CheckoutModel
import ProviderKit

/// Group E: what an authentic body is read as.
enum EventChecks {
    static func kinds(_ exam: Examination, _ probe: inout Probe) {
        for kind in exam.facts.events {
            let found = exam.events(of: exam.usual(exam.sample(kind)))
            probe.expect(
                found.events.contains { EventSample.Kind($0.kind) == kind },
                "\(kind.name) to be read as that", found.text)
        }
    }

    static func ids(_ exam: Examination, _ probe: inout Probe) {
        for kind in exam.facts.events {
            let sample = exam.usual(exam.sample(kind))
            for event in exam.events(of: sample).events {
                for (role, path) in Self.roles {
                    guard let named = event.ids[keyPath: path] else { continue }
                    let wanted = sample.ids[keyPath: path]
                    probe.expect(
                        named == wanted, "the \(role) of \(kind.name) to be \(wanted ?? "unsaid")",
                        "it was \(named)")
                }
                guard EventSample.Kind(event.kind) != .unknownType else { continue }
                probe.expect(
                    Self.names(event), "\(kind.name) to name what it is about",
                    "it named \(event.ids)")
            }
        }
    }

    private static var roles: [(String, KeyPath<ProviderIDs, String?>)] {
        [
            ("session", \.session), ("payment", \.payment), ("refund", \.refund),
            ("dispute", \.dispute), ("subscription", \.subscription), ("order", \.order),
            ("customer", \.customer),
        ]
    }

    private static func names(_ event: ProviderEvent) -> Bool {
        let ids = event.ids
        return switch event.kind {
        case .payment, .authorized, .captured:
            ids.payment != nil || ids.session != nil || ids.order != nil
        case .refund: ids.refund != nil || ids.payment != nil
        case .dispute: ids.dispute != nil || ids.payment != nil
        case .subscription: ids.subscription != nil
        case .sessionExpired: ids.session != nil
        case .ignored: true
        }
    }

    static func apart(_ exam: Examination, _ probe: inout Probe) {
        let kinds = exam.facts.events.filter { kind in
            switch kind {
            case .refund, .dispute: true
            default: false
            }
        }
        if kinds.isEmpty { probe.skip("it tells of no refunds and no disputes") }
        for kind in kinds {
            let found = exam.events(of: exam.usual(exam.sample(kind)))
            probe.expect(
                !found.events.contains { undoes(EventSample.Kind($0.kind)) },
                "\(kind.name) to leave the payment as it was", found.text)
        }
    }

    private static func undoes(_ kind: EventSample.Kind) -> Bool {
        switch kind {
        case .payment(let status): status != .succeeded
        case .sessionExpired: true
        default: false
        }
    }

    // MARK: - Names for ever

    static func retries(_ exam: Examination, _ probe: inout Probe) {
        guard let receiver = exam.webhooks else { return }
        for kind in exam.facts.events {
            guard let body = exam.fixtures.body(exam.usual(exam.sample(kind))) else { continue }
            let names = [0, 3600, 86_400 * 2].map { (later: Int64) -> [String] in
                let time = Instant(seconds: exam.now.seconds + later)
                guard let delivery = exam.signed(body, at: time),
                    let found = exam.verify(delivery, at: time).delivery
                else { return [] }
                let keys = Examination.reading(found, by: receiver).events.map(\.key.rawValue)
                return keys + ["\(receiver.identity(of: found))"]
            }
            probe.expect(
                names.allSatisfy { $0 == names[0] }, "a retry of \(kind.name) to keep its names",
                "they were \(names)")
            probe.expect(
                names[0].allSatisfy { !$0.isEmpty }, "\(kind.name) to have a name", "it was empty")
        }
    }

    static func distinct(_ exam: Examination, _ probe: inout Probe) {
        guard let receiver = exam.webhooks else { return }
        var seen: [String: String] = [:]
        var identities: [DeliveryIdentity: String] = [:]
        var event = 0
        for number in 1...2 {
            for kind in exam.facts.events {
                event += 1
                let sample = exam.usual(exam.sample(kind, number: number, event: event))
                guard let body = exam.fixtures.body(sample),
                    let delivery = exam.signed(body, id: "dlv_\(event)"),
                    let found = exam.verify(delivery).delivery
                else { continue }
                let name = "\(kind.name) of \(number)"
                if let other = identities.updateValue(name, forKey: receiver.identity(of: found)) {
                    probe.expect(
                        false, "\(name) to be another delivery than \(other)", "it was not")
                }
                for event in Examination.reading(found, by: receiver).events {
                    let other = seen.updateValue(name, forKey: event.key.rawValue)
                    probe.expect(
                        other == nil, "\(name) and \(other ?? "") to have different keys",
                        "both were \(event.key)")
                }
            }
        }
    }

    static func lists(_ exam: Examination, _ probe: inout Probe) {
        guard let kind = exam.successKind else { return }
        let samples = [
            exam.usual(exam.sample(kind, number: 1, event: 1)),
            exam.usual(exam.sample(kind, number: 2, event: 2)),
        ]
        guard let body = exam.fixtures.body(listing: samples) else {
            probe.skip("a delivery tells of one thing")
            return
        }
        let found = exam.events(inBody: body, id: "dlv_1")
        let alone = samples.flatMap { exam.events(of: $0).events.map(\.summary) }
        probe.expect(
            found.events.map(\.summary) == alone, "a list to say what its items say", found.text)
        let keys = found.events.map(\.key)
        probe.expect(
            Set(keys).count == keys.count, "each item to have its own key", "two share one")
        guard let one = exam.fixtures.body(listing: Array(samples.prefix(1))) else { return }
        let first = exam.events(inBody: one, id: "dlv_1")
        probe.expect(
            first.events.map(\.key) == Array(keys.prefix(first.events.count)),
            "an item's key not to depend on its company", "it did")
    }

    // MARK: - What is not known

    static func unknownType(_ exam: Examination, _ probe: inout Probe) {
        let found = exam.events(of: exam.usual(exam.sample(.unknownType)))
        let isUnderstood = (try? found.get()) != nil
        probe.expect(
            isUnderstood && found.events.allSatisfy { $0.kind == .ignored },
            "an unknown type to be read and ignored", found.text)
        probe.expect(
            found.events.allSatisfy { !$0.rawType.isEmpty }, "its name to be kept", "it was not")
    }

    static func acknowledged(_ exam: Examination, _ probe: inout Probe) {
        guard let receiver = exam.webhooks else { return }
        let taken: [WebhookOutcome] = [.recorded, .duplicate, .ignored, .quarantined]
        for outcome in taken {
            let reply = receiver.acknowledgement(for: outcome)
            probe.expect(
                (200..<300).contains(reply.status), "\(outcome) to be acknowledged with 2xx",
                "the answer was \(reply.status)")
        }
        let refused: [WebhookOutcome] = [
            .rejected(.signatureMismatch), .rejected(.missingHeader("x")),
            .rejected(.timestampTooOld), .rejected(.bodyTooLarge), .temporarilyUnavailable,
        ]
        for outcome in refused {
            let reply = receiver.acknowledgement(for: outcome)
            let isTaken = taken.contains { receiver.acknowledgement(for: $0) == reply }
            probe.expect(
                !isTaken, "\(outcome) to be answered otherwise than what was stored",
                "the answer was the same")
        }
    }

    // MARK: - Live and test

    static func modes(_ exam: Examination, _ probe: inout Probe) {
        guard let kind = exam.successKind else { return }
        for mode in [ProviderMode.live, .test] {
            guard let adapter = try? exam.fixtures.adapter(mode),
                let receiver = adapter as? any WebhookReceiving
            else {
                probe.expect(false, "an adapter for \(mode.name)", "the fixtures made none")
                continue
            }
            for told in [ProviderMode.live, .test] {
                // Where the body says nothing, the endpoint's configuration does; where there is
                // no real money, nothing does.
                let isFixed = exam.facts.isTestOnly
                if !exam.facts.isModeInBody && !isFixed && told != mode { continue }
                if exam.facts.isLiveOnly && told != .live { continue }
                if isFixed && told != .test { continue }
                var sample = exam.usual(exam.sample(kind))
                sample.mode = told
                let found = exam.events(of: sample, by: receiver)
                for event in found.events {
                    probe.expect(
                        event.mode == told, "a \(told.name) event to be \(told.name)",
                        "it was \(event.mode.name)")
                }
                guard let body = exam.fixtures.body(sample), let delivery = exam.signed(body),
                    let verified = exam.verify(delivery, by: receiver).delivery
                else { continue }
                let identity = receiver.identity(of: verified)
                probe.expect(
                    identity.mode == told || identity.mode == mode,
                    "the identity of a \(told.name) delivery to say so",
                    "it said \(identity.mode.name)")
            }
        }
    }
}
