package import CheckoutModel
import ProviderKit

/// The make-believe provider itself: a value that is told what happens and keeps the consequences.
///
/// Reads no clock and sends nothing: time, ids and the ends of attempts come in,
/// ``takeDue(at:)`` says what is to be sent. Everything is in memory and gone with the value.
package struct SandboxEngine: Sendable {
    /// What differs between installations.
    package struct Settings: Sendable {
        /// Scheme, host and port under which the pages are opened.
        package var origin: String
        /// False where no webhook is to be sent.
        package var hasEndpoint: Bool
        /// What webhooks are signed with, the bytes of the shared secret.
        package var signingKey: [UInt8]

        package init(origin: String, hasEndpoint: Bool, signingKey: [UInt8]) {
            self.origin = origin
            self.hasEndpoint = hasEndpoint
            self.signingKey = signingKey
        }
    }

    package let settings: Settings
    let ids: SandboxIDs
    package internal(set) var checkouts: [String: PretendCheckout] = [:]
    package internal(set) var payments: [String: PretendPayment] = [:]
    package internal(set) var refunds: [String: PretendRefund] = [:]
    package internal(set) var disputes: [String: PretendDispute] = [:]
    package internal(set) var deliveries: [String: PretendDelivery] = [:]
    /// Ids of checkouts, oldest first.
    package internal(set) var order: [String] = []
    /// Ids of deliveries by checkout, oldest first.
    var mail: [String: [String]] = [:]
    /// Ids of deliveries that wait for their time.
    var waiting: Set<String> = []
    /// Ids of refunds that are pending.
    var pendingRefunds: Set<String> = []
    private var wishes: [String: (draft: CheckoutDraft, checkout: String)] = [:]

    package init(settings: Settings, ids: SandboxIDs) {
        self.settings = settings
        self.ids = ids
    }

    // MARK: - Reading

    package func checkout(_ id: String) throws(SandboxRefusal) -> PretendCheckout {
        guard let checkout = checkouts[id] else { throw SandboxRefusal(.notFound) }
        return checkout
    }

    package func payment(_ id: String) throws(SandboxRefusal) -> PretendPayment {
        guard let payment = payments[id] else { throw SandboxRefusal(.notFound) }
        return payment
    }

    package func refund(_ id: String) throws(SandboxRefusal) -> PretendRefund {
        guard let refund = refunds[id] else { throw SandboxRefusal(.notFound) }
        return refund
    }

    package func dispute(_ id: String) throws(SandboxRefusal) -> PretendDispute {
        guard let dispute = disputes[id] else { throw SandboxRefusal(.notFound) }
        return dispute
    }

    /// The webhooks of a checkout, oldest first.
    package func deliveries(of checkout: String) -> [PretendDelivery] {
        (mail[checkout] ?? []).compactMap { deliveries[$0] }
    }

    /// The payment that paid a checkout, else the latest attempt.
    package func decidingPayment(of checkout: PretendCheckout) -> PretendPayment? {
        let tried = checkout.payments.compactMap { payments[$0] }
        return tried.first { $0.status == .succeeded } ?? tried.last
    }

    /// The page where a checkout is paid.
    package func payPage(of id: String) -> String { "\(settings.origin)/sandbox/pay/\(id)" }

    /// Where the browser is sent when the customer goes back: the cancel URL for those who gave up,
    /// with what the sandbox says of the checkout behind the shop's own parameters.
    package func wayBack(
        from id: String, saying word: String? = nil
    ) throws(SandboxRefusal) -> String {
        let checkout = try checkout(id)
        let payment = decidingPayment(of: checkout)
        let status: String =
            switch checkout.status {
            case .paid: "succeeded"
            case .expired: "expired"
            case .open: word ?? payment?.status.rawValue ?? "pending"
            }
        let gaveUp = status == "cancelled"
        return ReturnLink.adding(
            ["checkout_id": id, "payment_id": payment?.id, "status": status],
            to: gaveUp ? checkout.cancelURL ?? checkout.returnURL : checkout.returnURL)
    }

    // MARK: - Checkouts

    /// Makes a checkout; the same wish under the same key gives the one that was made first.
    package mutating func create(
        _ draft: CheckoutDraft, key: String? = nil, at now: Instant
    ) throws(SandboxRefusal) -> PretendCheckout {
        if let key, let wish = wishes[key], let made = checkouts[wish.checkout] {
            guard wish.draft == draft else { throw SandboxRefusal(.keyReused) }
            return made
        }
        let checkout = PretendCheckout(
            id: ids.make("sbx_"), money: draft.money, title: draft.title,
            reference: draft.reference, returnURL: draft.returnURL, cancelURL: draft.cancelURL,
            customerEmail: draft.customerEmail, createdAt: now,
            expiresAt: now.adding(seconds: draft.seconds), behaviour: draft.behaviour)
        checkouts[checkout.id] = checkout
        order.append(checkout.id)
        if let key { wishes[key] = (draft, checkout.id) }
        if order.count > SandboxLimits.checkouts { forget(order.removeFirst()) }
        return checkout
    }

    /// Ends an open checkout as if its time were over.
    package mutating func expire(_ id: String, at now: Instant) throws(SandboxRefusal) {
        guard try checkout(id).status == .open else { throw SandboxRefusal(.notOpen) }
        for payment in checkouts[id]?.payments ?? [] where payments[payment]?.status == .pending {
            end(payment, as: .cancelled, at: now)
        }
        checkouts[id]?.status = .expired
        if let checkout = checkouts[id] {
            let data = checkout.json(url: payPage(of: id), payment: nil)
            emit("checkout.expired", data, of: id, at: now)
        }
    }

    /// Changes what the checkout's webhooks go through from now on.
    package mutating func setBehaviour(
        _ behaviour: DeliveryBehaviour, of id: String
    ) throws(SandboxRefusal) {
        _ = try checkout(id)
        checkouts[id]?.behaviour = behaviour
    }

    private mutating func forget(_ id: String) {
        for payment in checkouts.removeValue(forKey: id)?.payments ?? [] {
            let gone = payments.removeValue(forKey: payment)
            for refund in gone?.refunds ?? [] {
                refunds[refund] = nil
                pendingRefunds.remove(refund)
            }
            for dispute in gone?.disputes ?? [] { disputes[dispute] = nil }
        }
        for delivery in mail.removeValue(forKey: id) ?? [] {
            deliveries[delivery] = nil
            waiting.remove(delivery)
        }
        wishes = wishes.filter { $0.value.checkout != id }
    }
}

extension Instant {
    func adding(seconds: Int64) -> Instant {
        Instant(microseconds: microseconds + seconds * 1_000_000)
    }
}
