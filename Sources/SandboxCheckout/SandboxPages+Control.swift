import CheckoutModel
import HTTPServer
import Markup
import ProviderKit

/// What the person who tries things out sees: every checkout, and what can be done to it.
extension SandboxPages {
    func overview() throws(SandboxRefusal) -> WebResponse {
        let (listed, count) = try sandbox.perform { (engine, _) throws(SandboxRefusal) in
            let newest = engine.order.suffix(SandboxLimits.listedCheckouts).reversed()
            return (newest.compactMap { engine.checkouts[$0] }, engine.order.count)
        }
        let rows = listed.map { checkout -> Markup in
            """
            <tr><td><a href="/sandbox/checkouts/\(segment: checkout.id)">\
            <code>\(checkout.id)</code></a></td><td>\(checkout.money.label)</td>\
            <td>\(checkout.status.rawValue)</td>\
            <td>\(checkout.reference ?? "")</td><td>\(checkout.createdAt.iso8601Seconds)</td></tr>
            """
        }
        let table: Markup =
            rows.isEmpty
            ? "<p>No checkout yet. Make one below, or by the API.</p>"
            : """
            <div class="scroll"><table><thead><tr><th>Checkout</th><th>Amount</th><th>Status</th>\
            <th>Order</th><th>Made</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
        let rest: Markup? =
            count > listed.count
            ? "<p class=\"quiet\">The newest \(listed.count) of \(count).</p>" : nil
        return html(
            "Checkouts", isWide: true,
            """
            <h1>Checkouts of the sandbox</h1>
            \(table)\(rest)
            <h2>Make a checkout</h2>
            <form method="post" action="/sandbox/checkouts">
            <div class="row">
            <label>Amount <input name="amount" value="19.99" inputmode="decimal" required></label>
            <label>Currency <select name="currency">\(Self.currencies)</select></label>
            <label>Order <input name="reference" value="order-1"></label>
            </div>
            <label>Return URL <input name="return_url" required \
            value="\(sandbox.shopPage)"></label>
            \(Self.behaviourFields(DeliveryBehaviour()))
            <button class="main">Make it and open its page</button>
            </form>
            <p class="quiet">Everything is held in memory and gone when the server stops.</p>
            """)
    }

    /// Every currency that an amount can be written in.
    private static let currencies = Markup(
        Currency.all.map { currency -> Markup in
            let selected: Markup = currency.code == "EUR" ? " selected" : ""
            return "<option\(selected)>\(currency.code)</option>"
        })

    private static func behaviourFields(_ behaviour: DeliveryBehaviour) -> Markup {
        let losses = DeliveryLoss.allCases.map { loss -> Markup in
            let selected: Markup = loss == behaviour.loss ? " selected" : ""
            return "<option value=\"\(loss.rawValue)\"\(selected)>\(loss.label)</option>"
        }
        let disorder: Markup = behaviour.isDisordered ? " checked" : ""
        return """
            <div class="row">
            <label>Webhooks wait, seconds <input name="delay" type="number" min="0" \
            max="\(SandboxLimits.delaySeconds)" value="\(behaviour.delaySeconds)"></label>
            <label>Extra copies <input name="duplicates" type="number" min="0" \
            max="\(SandboxLimits.duplicates)" value="\(behaviour.duplicates)"></label>
            <label>Lost on the way <select name="loss">\(losses)</select></label>
            <label class="flag"><input type="checkbox" name="disorder" value="yes"\(disorder)> \
            Out of order</label>
            </div>
            """
    }

    func createFromForm(_ request: WebRequest) throws(SandboxRefusal) -> WebResponse {
        guard let form = Self.form(request) else { throw SandboxRefusal(.malformedRequest) }
        guard let currency = form["currency"].flatMap({ Currency($0) }) else {
            throw SandboxRefusal(.invalidField, field: "currency")
        }
        guard let money = try? Money(parsing: form["amount"] ?? "", currency: currency) else {
            throw SandboxRefusal(.invalidField, field: "amount")
        }
        let reference = form["reference"].flatMap { $0.isEmpty ? nil : $0 }
        var draft = try CheckoutDraft(
            money: money, reference: reference, returnURL: form["return_url"] ?? "")
        draft.behaviour = try DeliveryBehaviour(form: form)
        let made = try sandbox.perform { (engine, now) throws(SandboxRefusal) in
            try engine.create(draft, at: now).id
        }
        return redirect("/sandbox/pay/\(made)")
    }

    // MARK: - One checkout

    func detail(of id: String) throws(SandboxRefusal) -> WebResponse {
        let engine = try sandbox.perform { (engine, _) throws(SandboxRefusal) in
            _ = try engine.checkout(id)
            return engine
        }
        let checkout = try engine.checkout(id)
        let action: Markup = "action=\"/sandbox/checkouts/\(segment: id)\""
        let expire: Markup? =
            checkout.status == .open
            ? """
            <p><a class="button" href="/sandbox/pay/\(segment: id)">Open its page</a></p>
            <form method="post" \(action)><button name="do" value="expire">Let it run out now\
            </button></form>
            """ : nil
        let payments = checkout.payments.compactMap { engine.payments[$0] }
        return html(
            "Checkout \(id)", isWide: true,
            """
            <p><a href="/sandbox">All checkouts</a></p>
            <h1>\(checkout.title): \(checkout.money.label), \(checkout.status.rawValue)</h1>
            <p><code>\(id)</code></p>
            \(expire)
            <h2>Payments</h2>
            \(Self.payments(payments, in: engine, action: action))
            <h2>Webhooks</h2>
            \(Self.mail(engine.deliveries(of: id), action: action))
            <h2>What its webhooks go through from now on</h2>
            <form method="post" \(action)>
            \(Self.behaviourFields(checkout.behaviour))
            <button name="do" value="behave">Set</button></form>
            """)
    }

    private static func payments(
        _ payments: [PretendPayment], in engine: SandboxEngine, action: Markup
    ) -> Markup {
        guard !payments.isEmpty else { return "<p>Nobody has tried to pay yet.</p>" }
        let rows = payments.map { payment -> Markup in
            let canReturn = payment.status == .succeeded && engine.refundable(of: payment) > 0
            let refund: Markup? =
                canReturn
                ? button("refund", payment.id, "Refund", action)
                    + button("refund_fails", payment.id, "Refund that fails", action) : nil
            let dispute: Markup? =
                payment.status == .succeeded
                ? button("dispute", payment.id, "Dispute", action) : nil
            let refunds = payment.refunds.compactMap { engine.refunds[$0] }.map {
                line($0.id, "refund", $0.money, $0.status.rawValue)
            }
            let disputes = payment.disputes.compactMap { engine.disputes[$0] }.map { dispute in
                line(
                    dispute.id, "dispute", dispute.money, dispute.status.rawValue,
                    dispute.status.isFinal
                        ? nil
                        : Markup(
                            DisputeWord.allCases.filter { $0 != .opened && $0 != dispute.status }
                                .map { button($0.rawValue, dispute.id, $0.label, action) }))
            }
            return line(
                payment.id, "payment", payment.money,
                payment.status.rawValue + (payment.failureCode.map { ": \($0)" } ?? ""),
                (refund ?? .empty) + (dispute ?? .empty)) + Markup(refunds + disputes)
        }
        return table(["Id", "What", "Amount", "Status", ""], rows)
    }

    private static func line(
        _ id: String, _ what: Markup, _ money: Money, _ status: String, _ buttons: Markup? = nil
    ) -> Markup {
        """
        <tr><td><code>\(id)</code></td><td>\(what)</td><td>\(money.label)</td><td>\(status)</td>\
        <td>\(buttons)</td></tr>
        """
    }

    private static func mail(_ mail: [PretendDelivery], action: Markup) -> Markup {
        guard !mail.isEmpty else { return "<p>None yet.</p>" }
        let rows = mail.map { delivery -> Markup in
            let attempts = delivery.attempts.map { attempt -> Markup in
                let end: String =
                    attempt.isLostOnPurpose
                    ? "lost on purpose" : attempt.status.map { "\($0)" } ?? "no answer"
                return "<div>\(attempt.at.iso8601Seconds) \(end)</div>"
            }
            return """
                <tr><td><code>\(delivery.id)</code></td><td>\(delivery.type)</td>\
                <td>\(delivery.state.label)</td><td>\(attempts)</td>\
                <td>\(button("resend", delivery.id, "Send again", action))</td></tr>
                """
        }
        return table(["Id", "Type", "State", "Attempts", ""], rows)
    }

    private static func table(_ heads: [String], _ rows: [Markup]) -> Markup {
        let head = heads.map { head -> Markup in "<th>\(head)</th>" }
        return """
            <div class="scroll"><table><thead><tr>\(head)</tr></thead><tbody>\(rows)</tbody>\
            </table></div>
            """
    }

    private static func button(
        _ verb: String, _ id: String, _ label: String, _ action: Markup
    ) -> Markup {
        """
        <form method="post" \(action)><input type="hidden" name="of" value="\(id)">\
        <button name="do" value="\(verb)">\(label)</button></form>
        """
    }

    func act(on id: String, _ request: WebRequest) throws(SandboxRefusal) -> WebResponse {
        guard let form = Self.form(request), let verb = form["do"] else {
            throw SandboxRefusal(.malformedRequest)
        }
        let subject = form["of"] ?? ""
        try sandbox.perform { (engine, now) throws(SandboxRefusal) in
            switch verb {
            case "expire": try engine.expire(id, at: now)
            case "behave": try engine.setBehaviour(try DeliveryBehaviour(form: form), of: id)
            case "refund": _ = try engine.refund(subject, at: now)
            case "refund_fails": _ = try engine.refund(subject, isDoomed: true, at: now)
            case "dispute": _ = try engine.openDispute(subject, at: now)
            case "resend": try engine.resend(subject, at: now)
            default:
                guard let word = DisputeWord(rawValue: verb) else {
                    throw SandboxRefusal(.invalidField, field: "do")
                }
                _ = try engine.moveDispute(subject, to: word, at: now)
            }
        }
        return redirect("/sandbox/checkouts/\(id)")
    }
}

extension DeliveryBehaviour {
    /// Reads the fields of the control page's forms; throws `invalid_field`.
    init(form: FormFields) throws(SandboxRefusal) {
        self.init()
        func number(_ name: String, _ most: Int64) throws(SandboxRefusal) -> Int64 {
            guard let text = form[name], !text.isEmpty else { return 0 }
            guard let number = Int64(text), (0...most).contains(number) else {
                throw SandboxRefusal(.invalidField, field: name)
            }
            return number
        }
        delaySeconds = try number("delay", SandboxLimits.delaySeconds)
        duplicates = Int(try number("duplicates", Int64(SandboxLimits.duplicates)))
        isDisordered = form["disorder"] == "yes"
        guard let loss = DeliveryLoss(rawValue: form["loss"] ?? DeliveryLoss.none.rawValue) else {
            throw SandboxRefusal(.invalidField, field: "loss")
        }
        self.loss = loss
    }
}

extension DeliveryLoss {
    fileprivate var label: String {
        switch self {
        case .none: "nothing"
        case .first: "the first attempt"
        case .all: "everything"
        }
    }
}

extension DisputeWord {
    fileprivate var label: String {
        switch self {
        case .opened: "Open"
        case .underReview: "Answer it"
        case .won: "Shop wins"
        case .lost: "Shop loses"
        case .closed: "Withdraw"
        }
    }
}

extension PretendDelivery.State {
    fileprivate var label: String {
        switch self {
        case .waiting: "waiting"
        case .underWay: "under way"
        case .delivered: "delivered"
        case .givenUp: "given up"
        case .lost: "lost on purpose"
        case .unaddressed: "no endpoint"
        }
    }
}
