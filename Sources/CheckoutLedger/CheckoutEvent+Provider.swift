package import CheckoutModel
package import ProviderKit

extension CheckoutEvent {
    /// A provider's event in the ledger's words; nil when it says nothing about a checkout.
    package init?(
        _ event: ProviderEvent, source: EventSource, scope: AccountScope, deliveryID: String?
    ) {
        guard let meaning = event.kind.meaning else { return nil }
        self.init(
            meaning.type, source: source, evidence: .verified, occurredAt: event.occurredAt,
            provider: scope.provider, account: scope.account,
            mode: event.mode == .unknown ? scope.mode : event.mode, ids: event.ids,
            amount: meaning.amount, reason: meaning.reason, rawType: event.rawType,
            deliveryID: deliveryID,
            privateFields: event.privateFields)
    }
}
