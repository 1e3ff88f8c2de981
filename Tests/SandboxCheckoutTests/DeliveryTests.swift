import CheckoutModel
import ProviderKit
import Sandbox
import TestSupport
import Testing

@testable import SandboxCheckout

@Suite("The sandbox's webhooks")
struct DeliveryTests {
    /// Lets time pass until nothing is due any more; the shop's answers in their order.
    private func deliver(
        _ run: inout Run, answering answer: (DeliveryAttempt, Int) -> Int?
    ) -> [DeliveryAttempt] {
        var sent: [DeliveryAttempt] = []
        while let next = run.engine.deliveries.values.compactMap(\.due).min() {
            run.now = max(run.now, next)
            for attempt in run.engine.takeDue(at: run.now) {
                let status = answer(attempt, sent.count)
                sent.append(attempt)
                run.engine.attemptEnded(attempt.delivery, status: status, at: run.now)
            }
        }
        return sent
    }

    private func types(_ sent: [DeliveryAttempt], in run: Run) -> [String] {
        sent.compactMap { run.engine.deliveries[$0.delivery]?.type }
    }

    @Test("Nothing is sent again once it was accepted")
    func accepted() throws {
        var run = try Run()
        try run.engine.pay(run.checkout, with: .approve, at: run.now)
        let sent = deliver(&run) { _, _ in 204 }
        #expect(types(sent, in: run) == ["payment.pending", "payment.succeeded"])
        #expect(run.engine.deliveries.values.allSatisfy { $0.state == .delivered })
    }

    @Test("What is refused or not answered comes again, later each time, until it is accepted")
    func retries() throws {
        var run = try Run()
        try run.engine.expire(run.checkout, at: run.now)
        let start = run.now
        let answers: [Int?] = [500, nil, 302, 404, 200]
        let sent = deliver(&run) { _, index in answers[index] }
        #expect(sent.count == 5)
        let delivery = try #require(run.engine.deliveries(of: run.checkout).first)
        #expect(delivery.attempts.map(\.status) == answers)
        let waits = delivery.attempts.map { $0.at.seconds - start.seconds }
        #expect(waits == [0, 2, 7, 22, 82])
        #expect(Set(sent.map(\.body)).count == 1)
    }

    @Test("A shop that never accepts is given up, and a person can have it sent again")
    func givenUp() throws {
        var run = try Run()
        try run.engine.expire(run.checkout, at: run.now)
        let sent = deliver(&run) { _, _ in 500 }
        #expect(sent.count == SandboxLimits.retryDelays.count + 1)
        let id = sent[0].delivery
        #expect(run.engine.deliveries[id]?.state == .givenUp)
        try run.engine.resend(id, at: run.now)
        #expect(deliver(&run) { _, _ in 200 }.map(\.delivery) == [id])
        #expect(run.engine.deliveries[id]?.state == .delivered)
    }

    @Test("Copies come under the same id after the first was accepted")
    func duplicates() throws {
        var behaviour = DeliveryBehaviour()
        behaviour.duplicates = 2
        var run = try Run(behaviour: behaviour)
        try run.engine.expire(run.checkout, at: run.now)
        let sent = deliver(&run) { _, index in index == 1 ? 500 : 200 }
        #expect(sent.count == 2)
        run = try Run(behaviour: behaviour)
        try run.engine.expire(run.checkout, at: run.now)
        let copies = deliver(&run) { _, _ in 200 }
        #expect(copies.count == 3 && Set(copies.map(\.delivery)).count == 1)
    }

    @Test("Out of order, a later event overtakes the one before it, and both arrive")
    func disorder() throws {
        var behaviour = DeliveryBehaviour()
        behaviour.isDisordered = true
        var run = try Run(behaviour: behaviour)
        try run.engine.pay(run.checkout, with: .approve, at: run.now)
        let sent = deliver(&run) { _, _ in 200 }
        #expect(types(sent, in: run) == ["payment.succeeded", "payment.pending"])
    }

    @Test("A webhook waits as long as it was told to")
    func delay() throws {
        var behaviour = DeliveryBehaviour()
        behaviour.delaySeconds = 30
        var run = try Run(behaviour: behaviour)
        try run.engine.expire(run.checkout, at: run.now)
        #expect(run.engine.takeDue(at: run.now.adding(seconds: 29)).isEmpty)
        #expect(run.engine.takeDue(at: run.now.adding(seconds: 30)).count == 1)
    }

    @Test("Lost once it is tried again, lost for good it is never sent")
    func loss() throws {
        for (loss, attempts) in [(DeliveryLoss.first, [nil, 200]), (.all, [Int?]())] {
            var behaviour = DeliveryBehaviour()
            behaviour.loss = loss
            var run = try Run(behaviour: behaviour)
            try run.engine.expire(run.checkout, at: run.now)
            let sent = deliver(&run) { _, _ in 200 }
            #expect(sent.count == attempts.count / 2)
            let delivery = try #require(run.engine.deliveries(of: run.checkout).first)
            #expect(delivery.attempts.map(\.status) == attempts)
            #expect(delivery.state == (loss == .all ? .lost : .delivered))
        }
    }

    @Test("Every webhook is believed by the adapter, and says what happened")
    func signed() throws {
        var run = try Run()
        let payment = try run.engine.pay(run.checkout, with: .approve, at: run.now)
        let refund = try run.engine.refund(payment.id, minorUnits: 500, at: run.now)
        let dispute = try run.engine.openDispute(payment.id, at: run.now)
        run.now = run.now.adding(seconds: SandboxLimits.refundSeconds)
        let provider = try SandboxProvider()
        let verifier = try DeliveryVerifier(
            provider: provider,
            secrets: try SecretSet(
                [.webhook: ["AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="]],
                rules: SandboxProvider.descriptor.secretRules))
        var events: [ProviderEvent] = []
        for attempt in run.engine.takeDue(at: run.now) {
            let delivery = WebhookDelivery(headers: attempt.headers, body: attempt.body)
            let reading = provider.reading(of: try verifier.verify(delivery, at: run.now))
            guard case .understood(let said) = reading else {
                Issue.record("the adapter does not understand its own provider")
                continue
            }
            events += said
        }
        let paid = Money(minorUnits: 1999, currency: payment.money.currency)
        let part = Money(minorUnits: 500, currency: payment.money.currency)
        #expect(
            Set(events.map(\.kind)) == [
                .payment(.pending, paid, failure: nil), .payment(.succeeded, paid, failure: nil),
                .refund(.pending, part), .refund(.succeeded, part), .dispute(.opened, paid),
            ])
        #expect(events.allSatisfy { $0.ids.session == run.checkout && $0.mode == .test })
        #expect(events.contains { $0.ids.refund == refund.id && $0.ids.payment == payment.id })
        #expect(events.contains { $0.ids.dispute == dispute.id })
        #expect(events.contains { $0.ids.order == "order-7" })
    }

    @Test("In any order of events: paid stays paid, what happened is told, told once is enough")
    func everyOrder() throws {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<300 {
            var behaviour = DeliveryBehaviour()
            behaviour.isDisordered = Bool.random(using: &random)
            behaviour.delaySeconds = Int64.random(in: 0...3, using: &random)
            behaviour.duplicates = Int.random(in: 0...2, using: &random)
            behaviour.loss = Bool.random(using: &random) ? .first : .none
            var run = try Run(behaviour: behaviour)
            var wasPaid = false
            var accepted: [String: Int] = [:]
            for _ in 0..<40 {
                Self.act(&run, &random)
                run.now = run.now.adding(seconds: Int64.random(in: 0...3, using: &random))
                for attempt in run.engine.takeDue(at: run.now) {
                    let isAccepted = Int.random(in: 0..<3, using: &random) > 0
                    if isAccepted { accepted[attempt.delivery, default: 0] += 1 }
                    run.engine.attemptEnded(
                        attempt.delivery, status: isAccepted ? 200 : 503, at: run.now)
                }
                let isPaid = run.engine.checkouts[run.checkout]?.status == .paid
                #expect(isPaid || !wasPaid)
                wasPaid = isPaid
            }
            for attempt in deliver(&run, answering: { _, _ in 200 }) {
                accepted[attempt.delivery, default: 0] += 1
            }
            let succeeded = run.engine.payments.values.count { $0.status == .succeeded }
            #expect(succeeded == (wasPaid ? 1 : 0))
            for delivery in run.engine.deliveries(of: run.checkout) {
                let times = accepted[delivery.id] ?? 0
                #expect((1...1 + behaviour.duplicates).contains(times))
            }
        }
    }

    /// Something that a customer, a shop or a bank may do; most of it is refused most of the time.
    private static func act(_ run: inout Run, _ random: inout SeededGenerator) {
        let payment = run.engine.payments.keys.sorted().randomElement(using: &random) ?? ""
        let dispute = run.engine.disputes.keys.sorted().randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<8, using: &random) {
        case 0: _ = try? run.engine.pay(run.checkout, with: .approve, at: run.now)
        case 1: _ = try? run.engine.pay(run.checkout, with: .decline, at: run.now)
        case 2: _ = try? run.engine.beginSecure(run.checkout, at: run.now)
        case 3:
            let answer = BankAnswer.allCases.randomElement(using: &random) ?? .refuse
            _ = try? run.engine.answer(payment, answer, at: run.now)
        case 4: _ = try? run.engine.refund(payment, minorUnits: 700, at: run.now)
        case 5: _ = try? run.engine.openDispute(payment, at: run.now)
        case 6:
            let word = DisputeWord.allCases.randomElement(using: &random) ?? .won
            _ = try? run.engine.moveDispute(dispute, to: word, at: run.now)
        default:
            if Int.random(in: 0..<6, using: &random) == 0 {
                try? run.engine.expire(run.checkout, at: run.now)
            }
        }
    }
}
