import CheckoutModel
import CommandKit
import LedgerViews

/// Bodies in Dodo's shape: the type names the fact, `data` holds the object as it stands.
/// Source: dodopayments-typescript, src/resources/webhook-events.ts.
extension DemoMessage {
    /// One message for each piece of news.
    static func dodo(
        _ news: DemoNews, about checkout: DemoCheckout, at time: Instant, id: String
    ) -> DemoMessage {
        switch news {
        case .paid(let payment, let amount, let subscription, let isOfSession):
            dodo("payment.succeeded", "Payment", at: time, id: id) {
                paymentFields(&$0, payment, amount, "succeeded", checkout, isOfSession)
                $0.field("subscription_id", subscription)
            }
        case .failed(let payment):
            dodo("payment.failed", "Payment", at: time, id: id) {
                paymentFields(&$0, payment, checkout.total, "failed", checkout, true)
                $0.field("error_code", "card_declined")
            }
        case .refunded(let refund, let amount):
            dodo("refund.succeeded", "Refund", at: time, id: id) {
                $0.field("refund_id", refund)
                $0.field("payment_id", checkout.payment)
                $0.field("amount", amount.minorUnits)
                $0.field("currency", amount.currency.code)
                $0.field("is_partial", amount != checkout.total)
                $0.field("status", "succeeded")
            }
        case .disputed(let dispute, let isWon):
            dodo(isWon ? "dispute.won" : "dispute.opened", "Dispute", at: time, id: id) {
                $0.field("dispute_id", dispute)
                $0.field("payment_id", checkout.payment)
                $0.field("amount", "\(checkout.total.minorUnits)")
                $0.field("currency", checkout.total.currency.code)
                $0.field("dispute_status", isWon ? "dispute_won" : "dispute_opened")
            }
        case .subscriptionActive(let subscription):
            dodo("subscription.active", "Subscription", at: time, id: id) {
                subscriptionFields(&$0, subscription, checkout)
            }
        case .subscriptionRenewed(let subscription):
            dodo("subscription.renewed", "Subscription", at: time, id: id) {
                subscriptionFields(&$0, subscription, checkout)
            }
        case .expired, .debitStarted, .debitPaid:
            preconditionFailure("Dodo does not tell this")
        }
    }

    /// A message of any type.
    static func dodo(
        _ type: String, _ kind: String, at time: Instant, id: String,
        business: String = DemoProvider.business, _ data: (inout JSONWriter) -> Void
    ) -> DemoMessage {
        var writer = JSONWriter()
        writer.object {
            $0.field("business_id", business)
            $0.field("type", type)
            $0.field("timestamp", time.iso8601)
            $0.object("data") {
                $0.field("payload_type", kind)
                data(&$0)
            }
        }
        return DemoMessage(provider: .dodo, id: id, body: writer.bytes)
    }

    private static func paymentFields(
        _ writer: inout JSONWriter, _ payment: String, _ amount: Money, _ status: String,
        _ checkout: DemoCheckout, _ isOfSession: Bool
    ) {
        writer.field("payment_id", payment)
        // A renewal is charged without a page, and is no order of its own.
        if isOfSession {
            writer.field("checkout_session_id", checkout.session)
            writer.object("metadata") { $0.field("order_id", checkout.order) }
        }
        writer.field("status", status)
        writer.field("total_amount", amount.minorUnits)
        writer.field("currency", amount.currency.code)
        customer(&writer, checkout)
    }

    private static func subscriptionFields(
        _ writer: inout JSONWriter, _ subscription: String, _ checkout: DemoCheckout
    ) {
        writer.field("subscription_id", subscription)
        writer.field("status", "active")
        writer.field("recurring_pre_tax_amount", checkout.total.minorUnits)
        writer.field("currency", checkout.total.currency.code)
        customer(&writer, checkout)
    }

    private static func customer(_ writer: inout JSONWriter, _ checkout: DemoCheckout) {
        writer.object("customer") {
            $0.field("customer_id", checkout.customer)
            $0.field("email", checkout.email)
            $0.field("name", "Pretend Customer")
        }
    }
}
