package import CheckoutModel
import ProviderKit

// A payment begins pending and ends once; nothing that comes later changes its end. A checkout is
// paid by the first payment that succeeds and stays so.

extension SandboxEngine {
    /// Pays with a made-up card; the bank answers at once.
    @discardableResult
    package mutating func pay(
        _ id: String, with card: CardAnswer, at now: Instant
    ) throws(SandboxRefusal) -> PretendPayment {
        let payment = try begin(id, at: now)
        end(payment, as: card == .approve ? .succeeded : .failed, at: now)
        return try self.payment(payment)
    }

    /// Begins a payment for which the bank wants to see the customer first.
    package mutating func beginSecure(
        _ id: String, at now: Instant
    ) throws(SandboxRefusal) -> PretendPayment {
        let begun = try begin(id, at: now)
        return try payment(begun)
    }

    /// What the customer did at the bank.
    package mutating func answer(
        _ id: String, _ answer: BankAnswer, at now: Instant
    ) throws(SandboxRefusal) -> PretendPayment {
        guard try payment(id).status == .pending else { throw SandboxRefusal(.notPending) }
        switch answer {
        case .approve: end(id, as: .succeeded, at: now)
        case .refuse: end(id, as: .failed, code: "authentication_failed", at: now)
        case .abandon: end(id, as: .cancelled, at: now)
        }
        return try payment(id)
    }

    private mutating func begin(_ id: String, at now: Instant) throws(SandboxRefusal) -> String {
        let checkout = try checkout(id)
        guard checkout.status == .open, now < checkout.expiresAt else {
            throw SandboxRefusal(.notOpen)
        }
        // The customer came back from the bank without an answer and tries again: one checkout is
        // never paid twice.
        for other in checkout.payments where payments[other]?.status == .pending {
            end(other, as: .cancelled, at: now)
        }
        let payment = PretendPayment(
            id: ids.make("sbxpay_"), checkout: id, money: checkout.money, createdAt: now)
        payments[payment.id] = payment
        checkouts[id]?.payments.append(payment.id)
        tell(of: payment.id, at: now)
        return payment.id
    }

    mutating func end(
        _ id: String, as status: PaymentWord, code: String = "card_declined", at now: Instant
    ) {
        guard let payment = payments[id], payment.status == .pending else { return }
        payments[id]?.status = status
        if status == .failed { payments[id]?.failureCode = code }
        if status == .succeeded { checkouts[payment.checkout]?.status = .paid }
        tell(of: id, at: now)
    }

    private mutating func tell(of id: String, at now: Instant) {
        guard let payment = payments[id] else { return }
        emit(
            "payment.\(payment.status.rawValue)", payment.json(checkouts[payment.checkout]),
            of: payment.checkout, at: now)
    }

    // MARK: - Money that goes back

    /// Gives back all that is left of a payment, or a part; `isDoomed` = the bank will not take it.
    package mutating func refund(
        _ id: String, minorUnits: Int64? = nil, isDoomed: Bool = false, at now: Instant
    ) throws(SandboxRefusal) -> PretendRefund {
        let payment = try payment(id)
        guard payment.status == .succeeded else { throw SandboxRefusal(.notPaid) }
        let left = refundable(of: payment)
        let wanted = minorUnits ?? left
        guard wanted > 0 else {
            throw left > 0
                ? SandboxRefusal(.invalidField, field: "amount") : SandboxRefusal(.refundTooLarge)
        }
        guard wanted <= left else { throw SandboxRefusal(.refundTooLarge) }
        let refund = PretendRefund(
            id: ids.make("sbxref_"), payment: id, checkout: payment.checkout,
            money: Money(minorUnits: wanted, currency: payment.money.currency),
            isDoomed: isDoomed, createdAt: now)
        refunds[refund.id] = refund
        payments[id]?.refunds.append(refund.id)
        pendingRefunds.insert(refund.id)
        emit("refund.pending", refund.json, of: payment.checkout, at: now)
        return refund
    }

    /// What can still be given back, in minor units.
    package func refundable(of payment: PretendPayment) -> Int64 {
        let given = payment.refunds.compactMap { refunds[$0] }.filter { $0.status != .failed }
        return payment.money.minorUnits - given.reduce(0) { $0 + $1.money.minorUnits }
    }

    /// The customer objects to a payment.
    package mutating func openDispute(
        _ id: String, at now: Instant
    ) throws(SandboxRefusal) -> PretendDispute {
        let payment = try payment(id)
        guard payment.status == .succeeded else { throw SandboxRefusal(.notPaid) }
        let dispute = PretendDispute(
            id: ids.make("sbxdsp_"), payment: id, checkout: payment.checkout,
            money: payment.money, createdAt: now)
        disputes[dispute.id] = dispute
        payments[id]?.disputes.append(dispute.id)
        emit("dispute.opened", dispute.json, of: payment.checkout, at: now)
        return dispute
    }

    /// The dispute goes on; nothing changes one that is over, and none goes back to its start.
    package mutating func moveDispute(
        _ id: String, to word: DisputeWord, at now: Instant
    ) throws(SandboxRefusal) -> PretendDispute {
        let dispute = try dispute(id)
        guard !dispute.status.isFinal, word != .opened, word != dispute.status else {
            throw SandboxRefusal(.disputeOver)
        }
        disputes[id]?.status = word
        let moved = try self.dispute(id)
        emit("dispute.\(word.rawValue)", moved.json, of: dispute.checkout, at: now)
        return moved
    }

    // MARK: - Time

    /// Does what time alone does: ends checkouts and pending refunds.
    package mutating func advance(to now: Instant) {
        let isOver = { (checkout: PretendCheckout) in
            checkout.status == .open && checkout.expiresAt <= now
        }
        for id in order where checkouts[id].map(isOver) == true {
            try? expire(id, at: now)
        }
        for id in pendingRefunds.sorted() {
            guard let refund = refunds[id], Self.end(of: refund) <= now else { continue }
            pendingRefunds.remove(id)
            refunds[id]?.status = refund.isDoomed ? .failed : .succeeded
            if let ended = refunds[id] {
                emit("refund.\(ended.status.rawValue)", ended.json, of: ended.checkout, at: now)
            }
        }
    }

    private static func end(of refund: PretendRefund) -> Instant {
        refund.createdAt.adding(seconds: SandboxLimits.refundSeconds)
    }
}
