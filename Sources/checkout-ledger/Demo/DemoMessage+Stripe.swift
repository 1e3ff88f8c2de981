import CheckoutModel
import CommandKit
import LedgerViews

/// Bodies in Stripe's shape: an event around an object, each with its own id.
/// Source: stripe-python, stripe/_event.py and the objects' files.
extension DemoMessage {
    /// The messages of one piece of news; Stripe tells a payment twice, once for the payment intent
    /// and once for the checkout session, in no fixed order.
    static func stripe(
        _ news: DemoNews, about checkout: DemoCheckout, at time: Instant, ids: (String, String)
    ) -> [DemoMessage] {
        switch news {
        case .paid(let payment, let amount, _, _):
            [
                intent("succeeded", checkout, payment, amount, at: time, id: ids.0),
                session("completed", "complete/paid", checkout, payment, amount, time, ids.1),
            ]
        case .failed(let payment):
            [intent("payment_failed", checkout, payment, checkout.total, at: time, id: ids.0)]
        case .refunded(let refund, let amount):
            [
                stripe("refund.created", "refund", refund, at: time, id: ids.0) {
                    $0.field("payment_intent", checkout.payment)
                    $0.field("amount", amount.minorUnits)
                    $0.field("currency", amount.currency.code.lowercased())
                    $0.field("status", "succeeded")
                }
            ]
        case .disputed(let dispute, let isWon):
            [
                stripe(
                    isWon ? "charge.dispute.closed" : "charge.dispute.created", "dispute", dispute,
                    at: time, id: ids.0
                ) {
                    $0.field("payment_intent", checkout.payment)
                    $0.field("amount", checkout.total.minorUnits)
                    $0.field("currency", checkout.total.currency.code.lowercased())
                    $0.field("status", isWon ? "won" : "needs_response")
                }
            ]
        case .expired:
            [session("expired", "expired/unpaid", checkout, nil, checkout.total, time, ids.0)]
        case .debitStarted:
            [
                session(
                    "completed", "complete/unpaid", checkout, checkout.payment, checkout.total,
                    time, ids.0)
            ]
        case .debitPaid:
            [
                intent(
                    "succeeded", checkout, checkout.payment, checkout.total, at: time, id: ids.0),
                session(
                    "async_payment_succeeded", "complete/paid", checkout, checkout.payment,
                    checkout.total, time, ids.1),
            ]
        case .subscriptionActive, .subscriptionRenewed:
            preconditionFailure("the pretend shop sells subscriptions at Dodo")
        }
    }

    /// A message of any type.
    static func stripe(
        _ type: String, _ kind: String, _ object: String, at time: Instant, id: String,
        _ fields: (inout JSONWriter) -> Void
    ) -> DemoMessage {
        var writer = JSONWriter()
        writer.object {
            $0.field("id", id)
            $0.field("object", "event")
            $0.field("type", type)
            $0.field("created", time.seconds)
            $0.field("livemode", false)
            $0.object("data") {
                $0.object("object") {
                    $0.field("id", object)
                    $0.field("object", kind)
                    fields(&$0)
                }
            }
        }
        return DemoMessage(provider: .stripe, id: id, body: writer.bytes)
    }

    private static func intent(
        _ word: String, _ checkout: DemoCheckout, _ payment: String, _ amount: Money,
        at time: Instant, id: String
    ) -> DemoMessage {
        stripe("payment_intent.\(word)", "payment_intent", payment, at: time, id: id) {
            let isPaid = word == "succeeded"
            $0.field("status", isPaid ? "succeeded" : "requires_payment_method")
            $0.field("amount", amount.minorUnits)
            $0.field("amount_received", isPaid ? amount.minorUnits : 0)
            $0.field("currency", amount.currency.code.lowercased())
            $0.field("customer", checkout.customer)
            if !isPaid { $0.object("last_payment_error") { $0.field("code", "card_declined") } }
        }
    }

    private static func session(
        _ word: String, _ states: String, _ checkout: DemoCheckout, _ payment: String?,
        _ amount: Money, _ time: Instant, _ id: String
    ) -> DemoMessage {
        let states = states.split(separator: "/")
        let type = "checkout.session.\(word)"
        return stripe(type, "checkout.session", checkout.session, at: time, id: id) {
            $0.field("status", states[0])
            $0.field("payment_status", states[1])
            $0.field("payment_intent", payment)
            $0.field("amount_total", amount.minorUnits)
            $0.field("currency", amount.currency.code.lowercased())
            $0.field("client_reference_id", checkout.order)
            $0.field("customer", checkout.customer)
            $0.object("customer_details") {
                $0.field("email", checkout.email)
                $0.field("name", "Pretend Customer")
            }
        }
    }
}
