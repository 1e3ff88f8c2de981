import CheckoutModel
import HTTPServer
import Markup
import ProviderKit

/// What the customer sees: the hosted page, the page of the bank, and the page behind both.
extension SandboxPages {
    /// The buttons of the hosted page.
    enum CustomerAction: String, CaseIterable {
        case pay, decline, secure, close, leave, expire
    }

    func payPage(of id: String) throws(SandboxRefusal) -> WebResponse {
        let (checkout, payment) = try sandbox.perform { (engine, _) throws(SandboxRefusal) in
            let checkout = try engine.checkout(id)
            return (checkout, engine.decidingPayment(of: checkout))
        }
        guard checkout.status == .open else { return try donePage(of: id) }
        let trouble: Markup? =
            switch payment?.status {
            case .failed:
                "<p class=\"notice\" role=\"status\">The card was declined. Nothing was paid.</p>"
            case .cancelled:
                "<p class=\"notice\" role=\"status\">It was called off. Nothing was paid.</p>"
            case .pending, .succeeded, nil: nil
            }
        return html(
            "Pay \(checkout.money.label)", formTargets: Self.targets(of: checkout),
            """
            \(Self.summary(of: checkout))
            \(trouble)
            <form method="post" action="/sandbox/pay/\(segment: id)">
            <button class="main" name="action" value="pay">Pay \(checkout.money.label)</button>
            <button name="action" value="secure">Pay with 3-D Secure</button>
            <button name="action" value="decline">Pay with a card that is declined</button>
            <button name="action" value="close">Pay, then close the window</button>
            <button name="action" value="leave">Leave without paying</button>
            <button name="action" value="expire">Let the checkout run out</button>
            </form>
            <p class="quiet">Every button is make-believe: no card is asked for, no money moves.</p>
            """)
    }

    func pay(_ id: String, _ request: WebRequest) throws(SandboxRefusal) -> WebResponse {
        guard let action = Self.form(request)?["action"].flatMap(CustomerAction.init) else {
            throw SandboxRefusal(.invalidField, field: "action")
        }
        let target = try sandbox.perform { (engine, now) throws(SandboxRefusal) in
            let here = "/sandbox/pay/\(id)"
            switch action {
            case .pay:
                try engine.pay(id, with: .approve, at: now)
                return try engine.wayBack(from: id)
            case .decline:
                try engine.pay(id, with: .decline, at: now)
                return here
            case .secure: return "/sandbox/bank/\(try engine.beginSecure(id, at: now).id)"
            case .close:
                try engine.pay(id, with: .approve, at: now)
                return here + "/done"
            case .leave: return try engine.wayBack(from: id, saying: "cancelled")
            case .expire:
                try engine.expire(id, at: now)
                return here + "/done"
            }
        }
        return redirect(target)
    }

    /// The page behind a checkout that is over; the browser has not gone back to the shop.
    func donePage(of id: String) throws(SandboxRefusal) -> WebResponse {
        let (checkout, back) = try sandbox.perform { (engine, _) throws(SandboxRefusal) in
            (try engine.checkout(id), try engine.wayBack(from: id))
        }
        let (title, text): (String, String) =
            switch checkout.status {
            case .paid:
                (
                    "Paid, in pretend money",
                    "Close this window now, and the shop hears of it by webhook alone."
                )
            case .expired: ("The checkout has run out", "It cannot be paid any more.")
            case .open: ("The checkout is still open", "Nothing was paid.")
            }
        return html(
            title,
            """
            <h1>\(title)</h1>
            <p>\(text)</p>
            \(Self.summary(of: checkout))
            <p><a class="button" href="\(back)">Back to the shop</a></p>
            """)
    }

    // MARK: - The bank

    func bankPage(of id: String) throws(SandboxRefusal) -> WebResponse {
        let (payment, checkout) = try sandbox.perform { (engine, _) throws(SandboxRefusal) in
            let payment = try engine.payment(id)
            return (payment, try engine.checkout(payment.checkout))
        }
        guard payment.status == .pending else {
            return redirect("/sandbox/pay/\(payment.checkout)")
        }
        return html(
            "Your made-up bank", formTargets: Self.targets(of: checkout),
            """
            <h1>Your made-up bank asks</h1>
            <p>Do you want to pay \(payment.money.label) for \(checkout.title)?</p>
            <form method="post" action="/sandbox/bank/\(segment: id)">
            <button class="main" name="answer" value="approve">Yes, it is me</button>
            <button name="answer" value="refuse">Fail the check</button>
            <button name="answer" value="abandon">Go back to the checkout</button>
            </form>
            """)
    }

    func bank(_ id: String, _ request: WebRequest) throws(SandboxRefusal) -> WebResponse {
        guard let answer = Self.form(request)?["answer"].flatMap(BankAnswer.init) else {
            throw SandboxRefusal(.invalidField, field: "answer")
        }
        return redirect(
            try sandbox.perform { (engine, now) throws(SandboxRefusal) in
                let payment = try engine.answer(id, answer, at: now)
                return answer == .approve
                    ? try engine.wayBack(from: payment.checkout)
                    : "/sandbox/pay/\(payment.checkout)"
            })
    }

    /// Stands for a shop's return page, and shows what came with the browser.
    func shopPage(_ request: WebRequest) -> WebResponse {
        let told = request.query.map { field -> Markup in
            "<dt>\(field.name)</dt><dd><code>\(field.value)</code></dd>"
        }
        let checkout = request.parameter("checkout_id") ?? ""
        return html(
            "Back in the pretend shop",
            """
            <h1>Back in the pretend shop</h1>
            <p>The browser brought this. It is a hint: anyone can type such an address. What is true
            comes by webhook.</p>
            <dl class="summary">\(told)</dl>
            <p><a class="button" href="/sandbox/checkouts/\(segment: checkout)">The checkout in \
            the sandbox</a></p>
            """)
    }

    // MARK: - Parts

    /// The pairs of a form; nil when it cannot be read.
    static func form(_ request: WebRequest) -> FormFields? { FormFields(request.body) }

    /// Where the forms of a checkout may lead: back to its shop.
    private static func targets(of checkout: PretendCheckout) -> [String] {
        [checkout.returnURL, checkout.cancelURL].compactMap { $0 }
            .compactMap(ReturnLink.formAction)
    }

    private static func summary(of checkout: PretendCheckout) -> Markup {
        let reference: Markup? = checkout.reference.map { "<dt>Order</dt><dd>\($0)</dd>" }
        let email: Markup? = checkout.customerEmail.map { "<dt>Customer</dt><dd>\($0)</dd>" }
        return """
            <dl class="summary"><dt>\(checkout.title)</dt>\
            <dd class="amount">\(checkout.money.label)</dd>\(reference)\(email)</dl>
            """
    }
}

extension Money {
    /// `EUR 5.00`, with the currency's own decimals.
    var label: String { "\(currency.code) \(amountText)" }
}
