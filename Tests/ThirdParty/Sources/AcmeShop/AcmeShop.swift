import AcmePay
import CheckoutLedger
import CheckoutModel
import Cryptography
import ProviderConformance
import ProviderKit

/// Checks the adapter, then takes one webhook as a shop would: registers, verifies, records.
@main
struct AcmeShop {
    static func main() async throws {
        let report = try ConformanceReport(
            checking: AcmeFixtures(), vectors: PackageResources.acme_json)
        for finding in report.findings { print(finding) }
        let held = report.results.count { $0.verdict == .held }
        print("\(report.provider): \(held) checks held, \(report.findings.count) findings")

        let options = LedgerOptions(providers: try ProviderRegistry([AcmePay()]))
        let ledger = try Ledger.inMemory(options: options)
        defer { ledger.close() }
        let secrets = try SecretSet(
            [.webhook: ["acme_secret_of_today"]], rules: AcmePay.descriptor.secretRules)
        let receipt = try await ledger.record(
            delivery(), verifiedBy: DeliveryVerifier(provider: AcmePay(), secrets: secrets),
            scope: AccountScope("com.acme.pay"), at: now)
        print("answered \(receipt.acknowledgement.status)")
        let session = try ledger.session(named: "chk_7")
        let outcome = session.outcome
        let paid = session.state.evidence.payments.first?.lowest
        print(
            "\(session.qualifiedName):",
            outcome.map { "\($0.status.name), \($0.evidence.name)," } ?? "open,",
            paid.map { "\($0.amountText) \($0.currency)" } ?? "nothing")
        guard report.isSound, outcome?.status == .succeeded, outcome?.evidence == .verified else {
            throw Failure()
        }
    }

    struct Failure: Error {}

    static let now = Instant(seconds: 1_767_225_600)

    /// A webhook as Acme sends it.
    static func delivery() -> WebhookDelivery {
        let body = Array(
            """
            {"id":"evt_7","type":"payment.paid","live":true,"checkout":"chk_7",\
            "payment":"pay_7","amount":1999,"currency":"EUR"}
            """.utf8)
        let code = HMACKey(sha256: Array("acme_secret_of_today".utf8))
            .authenticate(Array("\(now.seconds).".utf8), body)
        return WebhookDelivery(
            headers: ["Acme-Signature": "t=\(now.seconds),v1=\(Hex.encode(code))"], body: body)
    }
}
