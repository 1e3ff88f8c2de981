package import CheckoutLedger
package import CheckoutModel
package import EventLog
package import HTTPServer
package import ProviderKit

/// What the dashboard needs of the program that it runs in.
///
/// Everything has a default but the clock: without more the dashboard reads and offers nothing.
package protocol DashboardHost: Sendable {
    /// This moment.
    var now: Instant { get }
    /// How the program is called, for the commands that pages show.
    var program: String { get }
    /// What to put behind `--ledger` in those commands; nil where the program finds it by itself.
    var ledgerPath: String? { get }
    /// The token that forms carry; nil where the request may act on nothing.
    ///
    /// The host refuses a POST without it before the dashboard sees the request.
    func formToken(for request: WebRequest) -> String?
    /// Does what a form of this request asked for; called only with a token that held.
    func perform(_ action: DashboardAction, for request: WebRequest) async -> DashboardReply
    /// Where stored webhooks are sent again; nil where nowhere.
    var resendTarget: String? { get }
    /// Verifications since the program started, the newest first.
    var verifications: [VerificationRun] { get }
    /// Signed heads of the log that the host keeps, the newest first.
    var seals: [SealCard] { get }
    /// Every adapter, with the accounts of this installation.
    var providers: [ProviderCard] { get }
    /// What checks an account's webhooks, to explain a refusal; nil without a secret.
    func verifier(for scope: AccountScope) -> DeliveryVerifier?
    /// The URL of an account's webhooks as its provider knows it, which some signatures cover;
    /// empty where it is not known.
    func webhookURL(of scope: AccountScope) -> String
}

extension DashboardHost {
    package var program: String { "checkout-ledger" }
    package var ledgerPath: String? { nil }
    package func formToken(for request: WebRequest) -> String? { nil }
    package func perform(
        _ action: DashboardAction, for request: WebRequest
    ) async -> DashboardReply {
        DashboardReply(isDone: false, message: "Actions are not allowed here.")
    }
    package var resendTarget: String? { nil }
    package var verifications: [VerificationRun] { [] }
    package var seals: [SealCard] { [] }
    package var providers: [ProviderCard] { [] }
    package func verifier(for scope: AccountScope) -> DeliveryVerifier? { nil }
    package func webhookURL(of scope: AccountScope) -> String { "" }
}

/// Something that a form asks for.
package enum DashboardAction: Sendable, Hashable {
    /// Re-read and re-hash the whole log.
    case verify
    /// Ask the provider about one session, by its qualified name; nil for all without an outcome.
    case reconcile(session: String?)
    /// Send a stored delivery again, signed anew, to the host's ``DashboardHost/resendTarget``.
    case resend(position: UInt64)
}

/// What became of an action.
package struct DashboardReply: Sendable, Hashable {
    package var isDone: Bool
    /// True when it was only begun: what becomes of it is seen later.
    package var isUnderWay: Bool
    /// One sentence for a person, without private data.
    package var message: String

    package init(isDone: Bool, isUnderWay: Bool = false, message: String) {
        self.isDone = isDone
        self.isUnderWay = isUnderWay
        self.message = message
    }
}

/// One verification of the log.
package struct VerificationRun: Sendable, Hashable {
    package var startedAt: Instant
    /// How long it took, µs; nil while it runs.
    package var duration: Int64?
    /// How far it has come; nil when it is over.
    package var progress: LogProgress?
    /// What it found; nil while it runs or when it could not be carried out.
    package var report: VerificationReport?
    /// Why it could not be carried out.
    package var failure: String?

    package init(
        startedAt: Instant, duration: Int64? = nil, progress: LogProgress? = nil,
        report: VerificationReport? = nil, failure: String? = nil
    ) {
        self.startedAt = startedAt
        self.duration = duration
        self.progress = progress
        self.report = report
        self.failure = failure
    }
}

/// A signed head of the log.
package struct SealCard: Sendable, Hashable {
    /// How many events it covers.
    package var size: UInt64
    /// The root hash that it states, in hexadecimal.
    package var root: String
    package var signedAt: Instant?
    /// Where it is kept, in words.
    package var place: String
    /// Whether the log still has that root; nil where it was not compared.
    package var matches: Bool?

    package init(
        size: UInt64, root: String, signedAt: Instant?, place: String, matches: Bool?
    ) {
        self.size = size
        self.root = root
        self.signedAt = signedAt
        self.place = place
        self.matches = matches
    }
}

/// What a page tells of an adapter.
package struct ProviderCard: Sendable, Hashable {
    package var id: ProviderID
    package var name: String
    package var adapterVersion: String
    package var capabilities: [ProviderCapability]
    /// How its webhooks are signed; nil when it receives none.
    package var scheme: String?
    /// The source file with its words and their meaning here.
    package var statusMap: String
    /// Those words, in the order in which they are shown.
    package var words: [Word]
    package var accounts: [Account]
    package var conformance: Conformance?

    /// One of this installation's accounts.
    package struct Account: Sendable, Hashable {
        package var scope: AccountScope
        /// True when its webhooks can be checked: the secret is there.
        package var receivesWebhooks: Bool
        /// True when it can be asked: the key is there.
        package var canBeAsked: Bool

        package init(scope: AccountScope, receivesWebhooks: Bool, canBeAsked: Bool) {
            self.scope = scope
            self.receivesWebhooks = receivesWebhooks
            self.canBeAsked = canBeAsked
        }
    }

    /// A word of the provider's, and what the adapter makes of it.
    package struct Word: Sendable, Hashable {
        /// Where it is used: `return`, `answer` or `webhook`.
        package var place: String
        /// What it is about.
        package var about: String
        package var word: String
        package var meaning: String

        package init(place: String, about: String, word: String, meaning: String) {
            self.place = place
            self.about = about
            self.word = word
            self.meaning = meaning
        }
    }

    /// How many checks of the contract the adapter kept.
    package struct Conformance: Sendable, Hashable {
        package var held: Int
        package var failed: Int

        package init(held: Int, failed: Int) {
            self.held = held
            self.failed = failed
        }
    }

    package init(
        id: ProviderID, name: String, adapterVersion: String,
        capabilities: [ProviderCapability], scheme: String?, statusMap: String,
        words: [Word] = [], accounts: [Account] = [], conformance: Conformance? = nil
    ) {
        self.id = id
        self.name = name
        self.adapterVersion = adapterVersion
        self.capabilities = capabilities
        self.scheme = scheme
        self.statusMap = statusMap
        self.words = words
        self.accounts = accounts
        self.conformance = conformance
    }
}

/// A host of a dashboard that only reads: for previews and tests.
package struct ReadOnlyHost: DashboardHost {
    package var now: Instant
    package var verifications: [VerificationRun] = []
    package var seals: [SealCard] = []
    package var providers: [ProviderCard] = []

    package init(now: Instant) { self.now = now }
}
