public import ProviderKit

/// The classic webhook: a form with an id and nothing else, unsigned on purpose.
///
/// Anyone can send it, so it says only what to ask about. Answer 200 whatever it names, as Mollie
/// wants it: an error for unknown ids would tell which exist. Source: docs.mollie.com, Webhooks.
extension MollieProvider: HintReceiving {
    private static let idLimit = 64

    /// The payment to ask about; nil for orders, refunds and everything else that is no payment.
    public func hint(in delivery: WebhookDelivery) -> StatusQueryTarget? {
        guard let id = FormFields(delivery.body)?["id"], id.hasPrefix(Self.idPrefix),
            (Self.idPrefix.utf8.count + 1...Self.idLimit).contains(id.utf8.count),
            id.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_")
            })
        else { return nil }
        return .payment(id)
    }
}
