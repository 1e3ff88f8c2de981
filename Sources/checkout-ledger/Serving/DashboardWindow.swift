import AdapterChecks
import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import Dashboard
import EventLog
import HTTPServer
import HTTPTransport
import LedgerServer
import ProviderConformance
import ProviderKit
import Synchronization

/// What the dashboard sees of the server, and does through it.
final class DashboardWindow: DashboardHost {
    private let context: Context
    let ledger: Ledger<LMDBStore>
    let loop: ReconcileLoop<LMDBStore>
    let desk: VerificationDesk
    let tell: @Sendable (ServerEvent) -> Void
    let ledgerPath: String?
    let resendTarget: String?
    private let allowsActions: Bool
    private let publicURL: String?
    /// Carries webhooks that are sent again.
    let worker: CurlTransport
    private let held: Mutex<LedgerConfiguration>
    /// Questions to providers that go on after their form was answered; nil when none do.
    let asking = Mutex<Task<Void, Never>?>(nil)

    init(
        _ context: Context, _ configuration: LedgerConfiguration, _ settings: ServeSettings,
        _ ledger: Ledger<LMDBStore>, _ loop: ReconcileLoop<LMDBStore>,
        tell: @escaping @Sendable (ServerEvent) -> Void
    ) {
        self.context = context
        self.ledger = ledger
        self.loop = loop
        self.tell = tell
        held = Mutex(configuration)
        desk = VerificationDesk(ledger, now: { context.now }, tell: tell)
        resendTarget = settings.resendTarget
        allowsActions = settings.rules.allowsActions
        publicURL = settings.publicURL
        worker = context.sender(configuration.network)
        // Quoted in no shell: a path with other letters is left for the reader to fill in.
        ledgerPath = context.command.value("ledger").flatMap { path in
            path.utf8.allSatisfy { Self.plain.contains($0) } ? path : nil
        }
    }

    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./".utf8)

    var now: Instant { context.now }
    var program: String { Program.name }
    var configuration: LedgerConfiguration { held.withLock { $0 } }

    /// Shows and checks with another configuration from the next page on.
    func replace(_ configuration: LedgerConfiguration) { held.withLock { $0 = configuration } }

    /// Ends what goes on after its form was answered.
    func stop() async {
        let task = asking.withLock { $0 }
        task?.cancel()
        worker.close()
        await task?.value
    }

    func formToken(for request: WebRequest) -> String? {
        allowsActions ? request.formToken : nil
    }

    var verifications: [VerificationRun] { desk.runs }

    /// The last seals that are kept outside the ledger; none where they cannot be read, which
    /// `verify` says.
    var seals: [SealCard] {
        let kept = (try? ledger.outsideSeals()) ?? []
        return kept.map { kept in
            let head = kept.seal.head
            let root = try? ledger.log.read { snapshot in
                head.size <= snapshot.end ? try snapshot.root(ofSize: head.size) : nil
            }
            // Some kinds of signatures state a time.
            let signed = try? kept.seal.note.check(with: ledger.sealVerifiers)
            let seconds = signed?.compactMap(\.time).max().flatMap { Int64(exactly: $0) }
            return SealCard(
                size: head.size, root: Hex.encode(head.root.bytes),
                signedAt: seconds.map { Instant(seconds: $0) }, place: kept.path,
                matches: root == head.root)
        }
    }

    var providers: [ProviderCard] {
        let accounts = configuration.accounts
        return Adapters.all.map { type in
            let id = type.descriptor.id
            let row = ProviderRow(type, accounts.filter { $0.scope.provider == id })
            return ProviderCard(
                id: id, name: row.descriptor.name, adapterVersion: row.descriptor.adapterVersion,
                capabilities: row.capabilities.compactMap { ProviderCapability(rawValue: $0) },
                scheme: row.scheme, statusMap: row.statusMap, words: Self.words[id] ?? [],
                accounts: row.accounts.map { account in
                    .init(
                        scope: account.scope, receivesWebhooks: account.receivesWebhooks,
                        canBeAsked: account.canBeAsked)
                })
        }
    }

    /// Adapters answer the same for as long as the program runs.
    private static let words: [ProviderID: [ProviderCard.Word]] = {
        var words: [ProviderID: [ProviderCard.Word]] = [:]
        for type in Adapters.all {
            let id = type.descriptor.id
            words[id] = AdapterChecks.sender(of: id)?.words.map {
                .init(
                    place: $0.place.rawValue, about: $0.about, word: $0.word, meaning: $0.meaning)
            }
        }
        return words
    }()

    func webhookURL(of scope: AccountScope) -> String {
        publicURL.map { WebhookEndpoints.url(of: scope, below: $0) } ?? ""
    }

    func verifier(for scope: AccountScope) -> DeliveryVerifier? {
        guard let account = configuration.account(for: scope),
            let receiver = account.provider as? any WebhookReceiving
        else { return nil }
        return try? DeliveryVerifier(provider: receiver, secrets: account.secrets)
    }
}
