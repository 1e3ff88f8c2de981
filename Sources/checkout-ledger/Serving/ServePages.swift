import CheckoutLedger
import CheckoutModel
import CommandKit
import Dashboard
import EventLog
import HTTPServer
import LedgerServer
import ProviderKit

extension ServeRunner {
    /// What stands at `/` and below, behind the gate: the one place where pages are put in.
    func pages(_ host: DashboardWindow) -> any WebHandler {
        DashboardSite(dashboard: Dashboard(ledger, host: host))
    }
}

/// The dashboard, with the policy that lets its own style through.
private struct DashboardSite: WebHandler {
    let dashboard: Dashboard<LMDBStore>

    func admission(of request: WebRequest) -> WebAdmission { dashboard.admission(of: request) }

    func respond(to request: WebRequest) async -> WebResponse {
        var response = await dashboard.respond(to: request)
        response.headers.append(
            WebField(
                "Content-Security-Policy",
                "default-src 'none'; style-src \(StyleSheet.policySource); script-src 'self'; "
                    + "connect-src 'self'; form-action 'self'; base-uri 'none'; "
                    + "frame-ancestors 'none'"))
        return response
    }
}

/// What the dashboard needs of the server: it reads, and offers no action.
struct DashboardWindow: DashboardHost {
    private let context: Context
    private let configuration: LedgerConfiguration
    let ledgerPath: String?

    init(_ context: Context, _ configuration: LedgerConfiguration) {
        self.context = context
        self.configuration = configuration
        // Quoted in no shell: a path with other letters is left for the reader to fill in.
        ledgerPath = context.command.value("ledger").flatMap { path in
            path.utf8.allSatisfy { Self.plain.contains($0) } ? path : nil
        }
    }

    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./".utf8)

    var now: Instant { context.now }
    var program: String { Program.name }

    var providers: [ProviderCard] {
        Adapters.all.map { type in
            let id = type.descriptor.id
            let row = ProviderRow(type, configuration.accounts.filter { $0.scope.provider == id })
            return ProviderCard(
                id: id, name: row.descriptor.name, adapterVersion: row.descriptor.adapterVersion,
                capabilities: row.capabilities.compactMap { ProviderCapability(rawValue: $0) },
                scheme: row.scheme, statusMap: row.statusMap,
                accounts: row.accounts.map { account in
                    .init(
                        scope: account.scope, receivesWebhooks: account.receivesWebhooks,
                        canBeAsked: account.canBeAsked)
                })
        }
    }

    func verifier(for scope: AccountScope) -> DeliveryVerifier? {
        guard let account = configuration.account(for: scope),
            let receiver = account.provider as? any WebhookReceiving
        else { return nil }
        return try? DeliveryVerifier(provider: receiver, secrets: account.secrets)
    }
}
