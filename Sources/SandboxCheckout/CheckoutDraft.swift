package import CheckoutModel
package import ProviderKit

/// What a checkout is made from, checked.
package struct CheckoutDraft: Sendable, Hashable {
    package var money: Money
    package var title: String
    package var reference: String?
    package var returnURL: String
    package var cancelURL: String?
    package var customerEmail: String?
    package var seconds: Int64 = SandboxLimits.checkoutSeconds
    package var behaviour = DeliveryBehaviour()

    /// Takes what a page or a program gave; throws `invalid_field` with its name.
    package init(
        money: Money, title: String = "", reference: String? = nil, returnURL: String,
        cancelURL: String? = nil, customerEmail: String? = nil
    ) throws(SandboxRefusal) {
        guard money.currency.exponent != nil else {
            throw SandboxRefusal(.invalidField, field: "currency")
        }
        guard money.minorUnits >= 0 else { throw SandboxRefusal(.invalidField, field: "amount") }
        guard ReturnLink.isUsable(returnURL) else {
            throw SandboxRefusal(.invalidField, field: "return_url")
        }
        if let cancelURL, !ReturnLink.isUsable(cancelURL) {
            throw SandboxRefusal(.invalidField, field: "cancel_url")
        }
        let texts = [
            ("title", title), ("reference", reference ?? ""),
            ("customer_email", customerEmail ?? ""),
        ]
        for (name, text) in texts where text.utf8.count > SandboxLimits.textBytes {
            throw SandboxRefusal(.invalidField, field: name)
        }
        self.money = money
        self.title = title.isEmpty ? reference ?? "A pretend purchase" : title
        self.reference = reference
        self.returnURL = returnURL
        self.cancelURL = cancelURL
        self.customerEmail = customerEmail
    }

    /// Reads the body of `POST /sandbox/api/checkouts`; throws `malformed_request`,
    /// `invalid_field`.
    package init(json body: [UInt8]) throws(SandboxRefusal) {
        guard let fields = try? JSONFields(body: body, limit: SandboxLimits.bodyBytes) else {
            throw SandboxRefusal(.malformedRequest)
        }
        let money: Money
        do throws(WebhookDecodingError) {
            guard
                let read = try fields.money("amount", currency: "currency", profile: .iso4217)
            else { throw WebhookDecodingError(.missingField, field: "amount") }
            money = read
        } catch {
            throw SandboxRefusal(.invalidField, field: error.field.isEmpty ? "amount" : error.field)
        }
        try self.init(
            money: money, title: Self.text(fields, "title") ?? "",
            reference: Self.text(fields, "reference"),
            returnURL: Self.text(fields, "return_url") ?? "",
            cancelURL: Self.text(fields, "cancel_url"),
            customerEmail: Self.text(fields, "customer_email"))
        if let seconds = try Self.integer(
            fields, "expires_in", 1...SandboxLimits.longestCheckoutSeconds)
        {
            self.seconds = seconds
        }
        if fields["sandbox"] != nil {
            guard let wishes = try? fields.object("sandbox") else {
                throw SandboxRefusal(.invalidField, field: "sandbox")
            }
            behaviour = try DeliveryBehaviour(json: wishes)
        }
    }

    private static func text(
        _ fields: JSONFields, _ name: String
    ) throws(SandboxRefusal) -> String? {
        do throws(WebhookDecodingError) {
            return try fields.text(name)
        } catch {
            throw SandboxRefusal(.invalidField, field: name)
        }
    }

    static func integer(
        _ fields: JSONFields, _ name: String, _ range: ClosedRange<Int64>
    ) throws(SandboxRefusal) -> Int64? {
        guard let value = fields[name] else { return nil }
        guard let number = value.integer, range.contains(number) else {
            throw SandboxRefusal(.invalidField, field: name)
        }
        return number
    }
}

extension DeliveryBehaviour {
    /// Reads `delay_seconds`, `duplicates`, `disorder` and `loss`; throws `invalid_field`.
    package init(json fields: JSONFields) throws(SandboxRefusal) {
        self.init()
        delaySeconds =
            try CheckoutDraft.integer(fields, "delay_seconds", 0...SandboxLimits.delaySeconds) ?? 0
        duplicates = Int(
            try CheckoutDraft.integer(
                fields, "duplicates", 0...Int64(SandboxLimits.duplicates)) ?? 0)
        if let value = fields["disorder"] {
            guard case .bool(let flag) = value else {
                throw SandboxRefusal(.invalidField, field: "disorder")
            }
            isDisordered = flag
        }
        if let value = fields["loss"] {
            guard let loss = value.text.flatMap(DeliveryLoss.init(rawValue:)) else {
                throw SandboxRefusal(.invalidField, field: "loss")
            }
            self.loss = loss
        }
    }
}
