import CheckoutLedger
import CheckoutModel
import ProviderKit

/// The voices that tell of a checkout: the shop's server, its app, the browser, the provider.
extension DemoScript {
    /// The server names the exact total, then the app shows the page.
    mutating func open(_ checkout: DemoCheckout, fails: Bool = false) {
        let created = checkout.openedAt.adding(seconds: -1)
        say(.sessionCreated, .host, checkout, at: created, amount: checkout.total)
        say(fails ? .sessionFailedToOpen : .sessionOpened, .app, checkout, at: checkout.openedAt)
    }

    mutating func close(_ checkout: DemoCheckout, after seconds: Int) {
        say(.sessionClosed, .app, checkout, at: checkout.openedAt.adding(seconds: seconds))
    }

    private mutating func say(
        _ type: EventType, _ source: EventSource, _ checkout: DemoCheckout, at time: Instant,
        amount: Money? = nil
    ) {
        let event = CheckoutEvent(
            type, source: source, occurredAt: time, provider: checkout.provider.scope.provider,
            mode: .test, ids: checkout.ids, amount: amount)
        add(.event(event), at: time, lane: checkout.lane)
    }

    /// The browser comes back; some customers load the page again.
    mutating func comeBack(
        _ checkout: DemoCheckout, after seconds: Int, status: String = "succeeded",
        payment: String? = nil
    ) {
        let url: String
        switch checkout.provider {
        case .dodo:
            let email = checkout.email.split(separator: "@").joined(separator: "%40")
            url =
                "https://shop.example/return?payment_id=\(payment ?? checkout.payment)"
                + "&status=\(status)&email=\(email)"
        case .stripe: url = "https://shop.example/thanks?session_id=\(checkout.session)"
        }
        let time = checkout.openedAt.adding(seconds: seconds)
        add(.returned(url, checkout, .success), at: time, lane: checkout.lane)
        if random.chance(6) {
            add(
                .returned(url, checkout, .success), at: time.adding(seconds: 20),
                lane: checkout.lane, expecting: .duplicate)
        }
    }

    /// The provider's webhooks about one piece of news, delivered some seconds after it happened.
    ///
    /// Some are delivered again, as happens when an answer is lost.
    mutating func tell(
        _ news: DemoNews, about checkout: DemoCheckout, at time: Instant, delay: Int? = nil
    ) {
        let messages: [DemoMessage]
        switch checkout.provider {
        case .dodo:
            messages = [.dodo(news, about: checkout, at: time, id: random.id("msg_"))]
        case .stripe:
            var both = DemoMessage.stripe(
                news, about: checkout, at: time, ids: (random.id("evt_"), random.id("evt_")))
            random.shuffle(&both)
            messages = both
        }
        var arrival = time.adding(seconds: delay ?? random.between(2, 5))
        for message in messages {
            send(message, at: arrival, lane: checkout.lane)
            arrival = arrival.adding(seconds: random.below(3))
        }
    }

    mutating func send(_ message: DemoMessage, at time: Instant, lane: Int) {
        add(.delivery(message.signed(at: time), message.provider), at: time, lane: lane)
        guard random.chance(12) else { return }
        let again = time.adding(seconds: random.between(20, 6 * 3_600))
        add(
            .delivery(message.signed(at: again), message.provider), at: again, lane: lane,
            expecting: .duplicate)
    }
}
