import CheckoutModel
import CommandKit
import ProviderKit

/// Deliveries that must not change anything: forged ones, old ones sent again, types nobody knows,
/// and genuine ones that are not ours or make no sense.
extension DemoScript {
    mutating func addStrayMail(_ count: Int) {
        for _ in 0..<max(2, count / 50) { addForged() }
        for _ in 0..<max(1, count / 100) {
            addSentAgain()
            addUnsigned()
            addForeign()
            addUnreadable()
        }
        for _ in 0..<max(2, count / 30) { addUnknownType() }
    }

    private mutating func moment() -> Instant {
        Self.start.adding(seconds: random.between(600, 4 * 24 * 3_600))
    }

    private mutating func paidMessage(_ time: Instant) -> (DemoMessage, DemoCheckout) {
        let checkout = random.pick(checkouts)
        let news = DemoNews.paid(payment: random.id("pay_"), checkout.total)
        switch checkout.provider {
        case .dodo:
            return (.dodo(news, about: checkout, at: time, id: random.id("msg_")), checkout)
        case .stripe:
            let ids = (random.id("evt_"), random.id("evt_"))
            return (DemoMessage.stripe(news, about: checkout, at: time, ids: ids)[1], checkout)
        }
    }

    private mutating func add(
        _ delivery: WebhookDelivery, _ provider: DemoProvider, at time: Instant,
        expecting answer: DemoStep.Answer
    ) {
        add(.delivery(delivery, provider), at: time, lane: newLane(), expecting: answer)
    }

    /// Says that somebody paid, under a secret that somebody made up.
    private mutating func addForged() {
        let time = moment()
        let (message, checkout) = paidMessage(time)
        let delivery = message.signed(at: time, secret: checkout.provider.wrongSecret)
        add(delivery, checkout.provider, at: time, expecting: .refused)
    }

    /// Signed well, a day ago.
    private mutating func addSentAgain() {
        let time = moment()
        let (message, checkout) = paidMessage(time)
        let old = message.signed(at: time.adding(seconds: -24 * 3_600))
        add(old, checkout.provider, at: time, expecting: .refused)
    }

    private mutating func addUnsigned() {
        let time = moment()
        let (message, checkout) = paidMessage(time)
        let bare = WebhookDelivery(
            headers: ["content-type": "application/json"], body: message.body)
        add(bare, checkout.provider, at: time, expecting: .refused)
    }

    private mutating func addUnknownType() {
        let time = moment()
        let object = random.id("obj_")
        let message: DemoMessage
        if random.chance(50) {
            let type = random.pick(["payout.success", "credit.added", "entitlement_grant.created"])
            message = .dodo(type, "Other", at: time, id: random.id("msg_")) {
                $0.field("object_id", object)
            }
        } else {
            let type = random.pick(["customer.created", "price.updated", "balance.available"])
            message = .stripe(type, "other", object, at: time, id: random.id("evt_")) { _ in }
        }
        add(message.signed(at: time), message.provider, at: time, expecting: .unhandled)
    }

    /// Signed with our secret and about somebody else's business.
    private mutating func addForeign() {
        let time = moment()
        let (payment, session) = (random.id("pay_"), random.id("cks_"))
        let message = DemoMessage.dodo(
            "payment.succeeded", "Payment", at: time, id: random.id("msg_"),
            business: "bus_somebody_else"
        ) {
            $0.field("payment_id", payment)
            $0.field("checkout_session_id", session)
            $0.field("status", "succeeded")
            $0.field("total_amount", 5_000)
            $0.field("currency", "EUR")
        }
        add(message.signed(at: time), .dodo, at: time, expecting: .quarantined)
    }

    /// Signed, and cut off in the middle.
    private mutating func addUnreadable() {
        let time = moment()
        var (message, checkout) = paidMessage(time)
        message.body.removeLast(message.body.count / 3)
        add(message.signed(at: time), checkout.provider, at: time, expecting: .quarantined)
    }
}
