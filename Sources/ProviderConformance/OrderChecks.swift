import CheckoutModel
import ProviderKit

/// Group O: what the ledger makes of a payment's events, whatever their order.
enum OrderChecks {
    /// What one payment can go through, in the order in which it would; the listed kinds only.
    private static let course: [EventSample.Kind] = [
        .payment(.pending), .payment(.failed), .sessionExpired, .authorized, .captured,
        .payment(.succeeded), .payment(.cancelled), .refund(.pending), .refund(.succeeded),
        .dispute(.opened), .dispute(.lost),
    ]

    /// The deliveries of a course, verified and not yet read.
    private static func steps(_ exam: Examination, _ kinds: [EventSample.Kind]) -> [Step] {
        kinds.enumerated().compactMap { index, kind in
            let time = Instant(seconds: exam.now.seconds - 3600 + Int64(index) * 60)
            var sample = exam.usual(exam.sample(kind, event: index + 1, at: time))
            // Part of the sum only, so that one taken for the other is seen.
            if !kind.isPayment { sample.amount = exam.part(of: sample.amount) }
            let delivery = exam.fixtures.body(sample).flatMap {
                exam.signed($0, id: "dlv_\(index + 1)")
            }
            guard let found = delivery.flatMap({ exam.verify($0).delivery }) else { return nil }
            return Step(kind: kind, delivery: found)
        }
    }

    private struct Step {
        let kind: EventSample.Kind
        let delivery: VerifiedDelivery

        /// The facts of the delivery as the ledger would record them, read at this moment.
        func facts(_ exam: Examination) -> [Fact] {
            guard let receiver = exam.webhooks else { return [] }
            let events = Examination.reading(delivery, by: receiver).events
            return events.compactMap { event in
                CheckoutEvent(event, provider: exam.descriptor.id).map {
                    Fact($0, selfReference: .none)
                }
            }
        }
    }

    /// At most ``Limits/permutedEvents``, those that decide first.
    private static func chosen(_ exam: Examination) -> [EventSample.Kind] {
        let listed = Set(exam.facts.events)
        let deciding = course.filter { listed.contains($0) && $0.isPayment }
        let others = course.filter { listed.contains($0) && !$0.isPayment }
        let kinds = Set((deciding + others).prefix(Limits.permutedEvents))
        return course.filter(kinds.contains)
    }

    /// What the host asked for: the total that every success must meet.
    private static func wish(_ exam: Examination) -> Fact {
        let ids = exam.fixtures.ids(1)
        return Fact(
            CheckoutEvent(
                .sessionCreated, source: .host, provider: exam.descriptor.id, mode: .test,
                ids: ids, amount: exam.usual(exam.sample(.captured)).amount.money),
            selfReference: .none)
    }

    private static func fold(_ steps: [Step], _ exam: Examination) -> SessionEvidence {
        var state = SessionEvidence()
        state.absorb(wish(exam))
        for step in steps { for fact in step.facts(exam) { state.absorb(fact) } }
        return state
    }

    static func everyOrder(_ exam: Examination, _ probe: inout Probe) {
        let steps = steps(exam, chosen(exam))
        let expected = fold(steps, exam)
        func expect(_ state: SessionEvidence) {
            probe.expect(
                state == expected, "the same state in every order", "one order gave another")
        }
        let wish = wish(exam)
        forEachPermutation(of: steps.map { $0.facts(exam) }) { order in
            var state = SessionEvidence()
            state.absorb(wish)
            for fact in order.joined() { state.absorb(fact) }
            expect(state)
        }
        // Read anew in some orders, for an adapter that remembers what it read before.
        for start in steps.indices {
            let turned = Array(steps[start...] + steps[..<start])
            expect(fold(turned, exam))
            expect(fold(turned.reversed(), exam))
        }
    }

    static func neverBack(_ exam: Examination, _ probe: inout Probe) {
        let steps = steps(exam, chosen(exam)).map { (kind: $0.kind, facts: $0.facts(exam)) }
        guard steps.contains(where: \.kind.isSuccess) else {
            probe.skip("its deliveries tell of no success")
            return
        }
        let wish = wish(exam)
        forEachPermutation(of: steps) { order in
            var state = SessionEvidence()
            state.absorb(wish)
            var isPaid = false
            for (kind, facts) in order {
                for fact in facts { state.absorb(fact) }
                isPaid = isPaid || kind.isSuccess
                guard isPaid else { continue }
                probe.expect(
                    state.outcome == SessionOutcome(status: .succeeded, evidence: .verified),
                    "a paid session to stay paid after \(kind.name)",
                    "it was \(state.outcome?.status.name ?? "open")")
            }
        }
    }

    /// Refunds and disputes stand beside the payment, and every repetition counts once.
    static func countedOnce(_ exam: Examination, _ probe: inout Probe) {
        let steps = steps(exam, course.filter(Set(exam.facts.events).contains))
        let all = fold(steps, exam)
        probe.expect(
            all == fold(steps + steps.reversed(), exam), "events told again to change nothing",
            "they did")
        let paid = fold(steps.filter(\.kind.isPayment), exam)
        guard paid.outcome?.status == .succeeded else { return }
        probe.expect(
            all.outcome == paid.outcome, "refunds and disputes to leave the outcome",
            "it became \(all.outcome?.status.name ?? "open")")
        probe.expect(
            all.payments == paid.payments, "refunds and disputes to leave what was paid",
            "the payment changed")
    }

    /// Heap's algorithm: each order once, without holding them all.
    private static func forEachPermutation<Item>(of items: [Item], _ body: ([Item]) -> Void) {
        var items = items
        var counts = [Int](repeating: 0, count: items.count)
        body(items)
        var index = 1
        while index < items.count {
            guard counts[index] < index else {
                counts[index] = 0
                index += 1
                continue
            }
            items.swapAt(index % 2 == 0 ? 0 : counts[index], index)
            counts[index] += 1
            index = 1
            body(items)
        }
    }
}

extension CheckoutEvent {
    /// A webhook's event as the ledger records it; nil when it says nothing about a checkout.
    fileprivate init?(_ event: ProviderEvent, provider: ProviderID) {
        guard let meaning = event.kind.meaning else { return nil }
        self.init(
            meaning.type, source: .webhook, evidence: .verified, occurredAt: event.occurredAt,
            provider: provider, mode: event.mode, ids: event.ids, amount: meaning.amount)
    }
}
