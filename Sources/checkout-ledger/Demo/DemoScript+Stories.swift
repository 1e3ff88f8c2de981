import CheckoutModel

/// Each story in the voices that tell it, with what the ledger must make of them.
extension DemoScript {
    mutating func tell(_ story: DemoStory, _ opening: Instant) {
        let checkout = newCheckout(story, opening: opening)
        open(checkout, fails: story == .failedToOpen)
        var truth = DemoTruth(session: checkout.session)
        let pause = random.between(7, 30) * 3
        switch story {
        case .neverHeardOf, .failedToOpen: break
        case .closedUnpaid: close(checkout, after: pause)
        case .lyingReturn: comeBack(checkout, after: pause)
        case .failed: tellFailure(checkout, pause, &truth)
        case .expired:
            tell(.expired, about: checkout, at: opening.adding(seconds: 24 * 3_600))
            truth.outcome = SessionOutcome(status: .expired, evidence: .verified)
        case .debitUnderWay, .debitPaid:
            tellDebit(checkout, pause, endsPaid: story == .debitPaid, &truth)
        case .resolvedByPerson: tellResolution(checkout, pause, &truth)
        case .subscribed: tellSubscription(checkout, pause, &truth)
        case .orderPaidTwice: tellSecondCheckout(checkout, pause, &truth)
        case .refundBeforePayment: tellEarlyRefund(checkout, pause, &truth)
        case .failedThenPaid: tellSecondAttempt(checkout, pause, &truth)
        case .paid, .paidAfterClosing, .paidAndKilled, .paidTooLittle, .paidTwice,
            .refundedInPart, .disputed, .disputeWon, .tamperedRetry:
            tellPayment(story, checkout, pause, &truth)
        }
        add(truth)
    }

    private static let paidOutcome = SessionOutcome(status: .succeeded, evidence: .verified)

    private mutating func tellPayment(
        _ story: DemoStory, _ checkout: DemoCheckout, _ pause: Int, _ truth: inout DemoTruth
    ) {
        let amount = story == .paidTooLittle ? part(of: checkout.total) : checkout.total
        let payment = checkout.payment
        let time = checkout.openedAt.adding(seconds: pause)
        truth.outcome = story == .paidTooLittle ? nil : Self.paidOutcome
        truth.paid = amount
        var delay: Int?
        switch story {
        case .paidAfterClosing:
            close(checkout, after: pause + 1)
            delay = random.between(2, 40)
            truth.discrepancies = [.hintDisagrees]
        case .paidAndKilled: delay = random.between(1, 20) * 3_600
        default:
            comeBack(checkout, after: pause + 5)
            if random.chance(5) { delay = random.between(900, 4 * 3_600) }
        }
        tell(.paid(payment: payment, amount), about: checkout, at: time, delay: delay)
        if story == .paidTooLittle { truth.discrepancies = [.amountMismatch] }
        tellAftermath(story, checkout, time, &truth)
    }

    private mutating func tellAftermath(
        _ story: DemoStory, _ checkout: DemoCheckout, _ paidAt: Instant, _ truth: inout DemoTruth
    ) {
        let later = paidAt.adding(seconds: random.between(20, 40) * 3_600)
        switch story {
        case .paidTwice:
            let second = paidAt.adding(seconds: 40)
            let payment = random.id("pay_")
            tell(.paid(payment: payment, checkout.total), about: checkout, at: second)
            truth.paid = Money(
                minorUnits: checkout.total.minorUnits * 2, currency: checkout.total.currency)
            truth.discrepancies = [.paidTwice]
        case .refundedInPart:
            let back = part(of: checkout.total)
            let refund = random.id("ref_")
            tell(.refunded(refund: refund, back), about: checkout, at: later)
            tell(.refunded(refund: refund, back), about: checkout, at: later.adding(seconds: 90))
            truth.refunded = back
        case .disputed, .disputeWon:
            let dispute = random.id("dp_")
            tell(.disputed(dispute: dispute, isWon: false), about: checkout, at: later)
            truth.discrepancies = [.disputed]
            if story == .disputeWon {
                let end = later.adding(seconds: 26 * 3_600)
                tell(.disputed(dispute: dispute, isWon: true), about: checkout, at: end)
                truth.discrepancies = []
            }
        case .tamperedRetry:
            sendTampered(checkout, at: later)
            truth.discrepancies = [.deliveryConflicted]
        default: break
        }
    }

    /// One id, two bodies, both with a signature that holds: the second must change nothing.
    private mutating func sendTampered(_ checkout: DemoCheckout, at time: Instant) {
        let id = random.id(checkout.provider == .dodo ? "msg_" : "evt_")
        func message(_ minorUnits: Int64) -> DemoMessage {
            let amount = Money(minorUnits: minorUnits, currency: checkout.total.currency)
            let news = DemoNews.paid(payment: checkout.payment, amount)
            return switch checkout.provider {
            case .dodo: .dodo(news, about: checkout, at: time, id: id)
            case .stripe: DemoMessage.stripe(news, about: checkout, at: time, ids: (id, id))[0]
            }
        }
        let (first, second) = (message(checkout.total.minorUnits), message(1))
        let again = time.adding(seconds: 60)
        add(
            .delivery(first.signed(at: time), checkout.provider), at: time, lane: checkout.lane,
            alone: true)
        add(
            .delivery(second.signed(at: again), checkout.provider), at: again,
            lane: checkout.lane, expecting: .conflicting, alone: true)
    }

    private mutating func tellFailure(
        _ checkout: DemoCheckout, _ pause: Int, _ truth: inout DemoTruth
    ) {
        let time = checkout.openedAt.adding(seconds: pause)
        comeBack(checkout, after: pause + 2, status: "failed")
        tell(.failed(payment: checkout.payment), about: checkout, at: time)
        truth.outcome = SessionOutcome(status: .failed, evidence: .verified)
    }

    /// Half of the time the failure is heard of after the success that followed it.
    private mutating func tellSecondAttempt(
        _ checkout: DemoCheckout, _ pause: Int, _ truth: inout DemoTruth
    ) {
        let failed = checkout.openedAt.adding(seconds: pause)
        let paid = failed.adding(seconds: 45)
        // Stripe keeps the payment over all attempts, Dodo makes a new one.
        let first = checkout.provider == .dodo ? random.id("pay_") : checkout.payment
        let delay = random.chance(50) ? random.between(90, 600) : nil
        tell(.failed(payment: first), about: checkout, at: failed, delay: delay)
        tell(.paid(payment: checkout.payment, checkout.total), about: checkout, at: paid)
        comeBack(checkout, after: pause + 50)
        truth.outcome = Self.paidOutcome
        truth.paid = checkout.total
    }

    private mutating func tellDebit(
        _ checkout: DemoCheckout, _ pause: Int, endsPaid: Bool, _ truth: inout DemoTruth
    ) {
        let time = checkout.openedAt.adding(seconds: pause)
        comeBack(checkout, after: pause + 3)
        tell(.debitStarted, about: checkout, at: time)
        guard endsPaid else { return }
        tell(.debitPaid, about: checkout, at: time.adding(seconds: 47 * 3_600))
        truth.outcome = Self.paidOutcome
        truth.paid = checkout.total
    }

    private mutating func tellEarlyRefund(
        _ checkout: DemoCheckout, _ pause: Int, _ truth: inout DemoTruth
    ) {
        let paid = checkout.openedAt.adding(seconds: pause)
        let refunded = paid.adding(seconds: 300)
        comeBack(checkout, after: pause + 5)
        let refund = random.id("ref_")
        tell(.refunded(refund: refund, checkout.total), about: checkout, at: refunded)
        // The payment's own webhook waited for the provider's second attempt.
        tell(
            .paid(payment: checkout.payment, checkout.total), about: checkout, at: paid,
            delay: 3_600)
        truth.outcome = Self.paidOutcome
        truth.paid = checkout.total
        truth.refunded = checkout.total
    }

    private mutating func tellSubscription(
        _ checkout: DemoCheckout, _ pause: Int, _ truth: inout DemoTruth
    ) {
        let time = checkout.openedAt.adding(seconds: pause)
        let subscription = random.id("sub_")
        tell(.subscriptionActive(subscription), about: checkout, at: time)
        tell(
            .paid(payment: checkout.payment, checkout.total, subscription: subscription),
            about: checkout, at: time)
        comeBack(checkout, after: pause + 6, status: "active")
        truth.outcome = Self.paidOutcome
        truth.paid = checkout.total
        let renewal = time.adding(seconds: 24 * 3_600)
        let payment = random.id("pay_")
        tell(
            .paid(
                payment: payment, checkout.total, subscription: subscription, ofSession: false),
            about: checkout, at: renewal)
        tell(.subscriptionRenewed(subscription), about: checkout, at: renewal)
        // Charged without a page: a session of its own, named by its payment.
        add(DemoTruth(session: payment, outcome: Self.paidOutcome, paid: checkout.total))
    }

    private mutating func tellSecondCheckout(
        _ first: DemoCheckout, _ pause: Int, _ truth: inout DemoTruth
    ) {
        let paid = first.openedAt.adding(seconds: pause)
        close(first, after: pause + 1)
        tell(.paid(payment: first.payment, first.total), about: first, at: paid, delay: 75)
        truth.outcome = Self.paidOutcome
        truth.paid = first.total
        truth.discrepancies = [.hintDisagrees, .orderPaidTwice]
        let second = newCheckout(
            .orderPaidTwice, opening: paid.adding(seconds: 30), order: first.order,
            provider: first.provider)
        open(second)
        tell(
            .paid(payment: second.payment, second.total), about: second,
            at: second.openedAt.adding(seconds: 33))
        comeBack(second, after: 38)
        add(
            DemoTruth(
                session: second.session, outcome: Self.paidOutcome, paid: second.total,
                discrepancies: [.orderPaidTwice]))
    }

    private mutating func tellResolution(
        _ checkout: DemoCheckout, _ pause: Int, _ truth: inout DemoTruth
    ) {
        close(checkout, after: pause)
        add(
            .resolution(
                session: checkout.session, .cancelled,
                reason: "The customer wrote that they changed their mind."),
            at: checkout.openedAt.adding(seconds: 20 * 3_600), lane: checkout.lane, alone: true)
        truth.outcome = SessionOutcome(status: .cancelled, evidence: .operator)
    }

    /// About a third, in units that every currency can pay.
    private func part(of total: Money) -> Money {
        Money(minorUnits: total.minorUnits / 30 * 10, currency: total.currency)
    }
}
