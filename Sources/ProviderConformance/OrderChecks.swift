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

    /// The facts of each step, as the ledger would record them; and the step's kind.
    private static func steps(
        _ exam: Examination, _ kinds: [EventSample.Kind]
    ) -> [(kind: EventSample.Kind, facts: [Fact])] {
        kinds.enumerated().map { index, kind in
            let time = Instant(seconds: exam.now.seconds - 3600 + Int64(index) * 60)
            let sample = exam.usual(exam.sample(kind, event: index + 1, at: time))
            let facts = exam.events(of: sample).events.compactMap { event in
                CheckoutEvent(event, provider: exam.descriptor.id).map {
                    Fact($0, selfReference: .none)
                }
            }
            return (kind: kind, facts: facts)
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

    private static func fold(_ steps: [[Fact]], after wish: Fact) -> SessionEvidence {
        var state = SessionEvidence()
        state.absorb(wish)
        for facts in steps { for fact in facts { state.absorb(fact) } }
        return state
    }

    static func everyOrder(_ exam: Examination, _ probe: inout Probe) {
        let steps = steps(exam, chosen(exam)).map(\.facts)
        let wish = wish(exam)
        let expected = fold(steps, after: wish)
        forEachPermutation(of: steps) { order in
            probe.expect(
                fold(order, after: wish) == expected, "the same state in every order",
                "one order gave another")
        }
    }

    static func neverBack(_ exam: Examination, _ probe: inout Probe) {
        let steps = steps(exam, chosen(exam))
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
        let kinds = course.filter(Set(exam.facts.events).contains)
        let steps = steps(exam, kinds)
        let wish = wish(exam)
        let all = fold(steps.map(\.facts), after: wish)
        let again = fold((steps + steps.reversed()).map(\.facts), after: wish)
        probe.expect(all == again, "events told again to change nothing", "they did")
        let payments = steps.filter(\.kind.isPayment).map(\.facts)
        let paid = fold(payments, after: wish)
        probe.expect(
            all.outcome == paid.outcome || paid.outcome == nil,
            "refunds and disputes to leave the outcome",
            "it became \(all.outcome?.status.name ?? "open")")
        probe.expect(
            all.decision.paid == paid.decision.paid, "refunds and disputes to leave what was paid",
            "the sum changed")
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
