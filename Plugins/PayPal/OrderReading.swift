import CheckoutModel
import ProviderKit

/// What an order says, wherever it stands: in an event or in an answer.
struct OrderReading {
    let id: String
    /// Nil for a status word that we do not know.
    let status: CheckoutStatus?
    /// What was captured where something was, else what is asked for.
    let amount: Money?
    /// The capture, where there is exactly one that counts.
    let payment: String?
    let order: String?
    let payee: String?
    let customer: String?
    let privateFields: PrivateFields
    /// True when the payer approved and nothing was captured yet.
    let awaitsCapture: Bool

    init(_ object: JSONFields) throws(WebhookDecodingError) {
        id = try object.requiredText("id")
        let units = object.objects("purchase_units")
        var captures: [Capture] = []
        for unit in units {
            for capture in try unit.object("payments")?.objects("captures") ?? [] {
                captures.append(try Capture(capture))
            }
        }
        let paid = captures.filter { $0.status == .succeeded }
        let counting = paid.isEmpty ? captures : paid
        payment = counting.count == 1 ? counting[0].id : nil
        if paid.isEmpty {
            var asked: [Money?] = []
            for unit in units {
                asked.append(try unit.object("amount")?.amount())
            }
            amount = Self.sum(asked)
        } else {
            amount = Self.sum(paid.map(\.amount))
        }
        let word = try object.requiredText("status")
        status = Self.status(word, captures)
        awaitsCapture =
            word == StatusMapping.approvedOrder && captures.isEmpty
            && object.note("intent") == StatusMapping.captureIntent
        order = units.lazy.compactMap { $0.note("custom_id") ?? $0.note("invoice_id") }.first
        payee =
            units.lazy.compactMap { unit in
                ((try? unit.object("payee")) ?? nil)?.note("merchant_id")
            }.first
        let payer = try object.object("payer")
        customer = payer?.note("payer_id")
        privateFields = PrivateFields(customerEmail: payer?.note("email_address"))
    }

    var ids: ProviderIDs {
        ProviderIDs(session: id, payment: payment, order: order, customer: customer)
    }

    /// A completed order is paid when something was captured and nothing is still on its way.
    ///
    /// One whose captures were all refused has failed, one without captures was only authorized.
    private static func status(_ word: String, _ captures: [Capture]) -> CheckoutStatus? {
        switch StatusMapping.order(word) {
        case .known(let status): status
        case nil: nil
        case .captured:
            if captures.isEmpty || captures.contains(where: { $0.status == .pending }) {
                .pending
            } else if captures.contains(where: { $0.status == nil }) {
                nil
            } else {
                captures.contains { $0.status == .succeeded } ? .succeeded : .failed
            }
        }
    }

    /// Nil where one is not told, currencies differ, or the sum does not fit.
    private static func sum(_ amounts: [Money?]) -> Money? {
        var total: Money?
        for amount in amounts {
            guard let amount else { return nil }
            guard let sum = total else {
                total = amount
                continue
            }
            guard let next = try? sum.adding(amount) else { return nil }
            total = next
        }
        return total
    }

    private struct Capture {
        let id: String
        let status: CheckoutStatus?
        let amount: Money?

        init(_ object: JSONFields) throws(WebhookDecodingError) {
            id = try object.requiredText("id")
            status = StatusMapping.capture(try object.requiredText("status"))
            amount = try object.object("amount")?.amount()
        }
    }
}

extension JSONFields {
    /// PayPal's amount: decimal text and a currency code.
    func amount() throws(WebhookDecodingError) -> Money? {
        try decimalMoney("value", currency: "currency_code")
    }

    /// The id behind `marker` in one of the resource's own links to what it belongs to.
    ///
    /// PayPal names a refund's capture in no field, only in its link `up`.
    func linked(_ marker: String) -> String? {
        for link in objects("links") where link.note("rel") == "up" {
            guard let href = link.note("href"), let range = href.firstRange(of: marker) else {
                continue
            }
            let id = href[range.upperBound...]
            guard !id.isEmpty, id.utf8.count <= Limits.identifierBytes,
                id.utf8.allSatisfy({
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                        || $0 == UInt8(ascii: "-")
                })
            else { continue }
            return String(id)
        }
        return nil
    }
}
