import CheckoutLedger
import CheckoutModel
import DodoPayments
import EventLog
import ProviderKit

/// A shop's end of a webhook, as README.md shows it: verify, record, answer.
struct WebhookEndpoint {
    let ledger: Ledger<LMDBStore>
    let verifier: DeliveryVerifier

    init(ledger directory: String, rootKey: String, secret: String) throws {
        let dodo = try DodoPaymentsProvider()
        let rules = DodoPaymentsProvider.descriptor.secretRules
        verifier = try DeliveryVerifier(
            provider: dodo, secrets: SecretSet([.webhook: [secret]], rules: rules))
        var options = LedgerOptions(providers: try ProviderRegistry([dodo]))
        options.rootKeyPath = rootKey
        ledger = try Ledger.open(at: directory, options: options)
    }

    /// The HTTP status to answer with; by then the webhook is on disk.
    func receive(
        _ headers: [(name: String, value: String)], _ body: [UInt8], at now: Instant
    ) async throws -> Int {
        let delivery = WebhookDelivery(headers: HeaderList(headers), body: body)
        let receipt = try await ledger.record(
            delivery, verifiedBy: verifier, scope: AccountScope("dodo"), at: now)
        return receipt.acknowledgement.status
    }
}
