import CheckoutCom
import CheckoutLedger
import CheckoutModel
import DodoPayments
import EventLog
import HTTPTransport
import PayPal
import ProviderKit
import Stripe
import Synchronization

/// A ledger in memory, two test accounts, and a script that plays both providers.
struct ReconcileShop {
    typealias Answers = [String: RecordedTransport.Answer]

    let ledger: Ledger<InMemoryStore>
    let configuration: LedgerConfiguration

    init(_ providers: String = Self.both, types: [any PaymentProvider.Type] = Self.types) throws {
        let texts = [
            "k": "dodo_key_0123456789abcdef", "k2": "dodo_key_of_another_account",
            "s": "sk_test_0123456789abcdef", "p": "paypal_client_secret_0123",
            "c": "sk_sbox_0123456789abcdefghijklmno",
        ]
        configuration = try LedgerConfiguration.read(
            Array(#"{"providers":\#(providers)}"#.utf8), providers: types,
            from: ConfigurationSources(
                file: { (name) throws(LedgerError) in Array((texts[name] ?? "").utf8) },
                permissions: { _ in nil }, variable: { _ in nil }))
        var options = LedgerOptions(providers: try configuration.registry(of: types))
        options.clock = ManualClock(Fixture.now)
        ledger = try .inMemory(options: options)
    }

    static let types: [any PaymentProvider.Type] = [
        DodoPaymentsProvider.self, StripeProvider.self, PayPalProvider.self,
        CheckoutComProvider.self,
    ]
    static let both = #"{"dodo":{"mode":"test","apiKeyFile":"k"},"stripe":{"apiKeyFile":"s"}}"#

    /// A session that was shown, with the total that was asked for.
    func open(
        _ id: String, _ provider: ProviderID = "dodo", asks minorUnits: Int64? = 2500,
        order: String? = nil, account: String = "", mode: ProviderMode = .unknown
    ) async throws {
        let ids = ProviderIDs(session: id, order: order)
        var created = CheckoutEvent(
            .sessionCreated, source: .host, evidence: .hint, occurredAt: Fixture.now,
            provider: provider, account: account, ids: ids)
        created.amount = try minorUnits.map { try Money(minorUnits: $0, currency: eur()) }
        try await ledger.record(created, mode: mode)
        try await ledger.record(
            CheckoutEvent(
                .sessionOpened, source: .app, evidence: .hint, occurredAt: Fixture.now,
                provider: provider, account: account, ids: ids), mode: mode)
    }

    func eur() throws -> Currency { try Money(parsing: "1.00", currencyCode: "EUR").currency }

    /// Asks about all, with answers by the last part of the URL's path; 404 for what has none.
    func reconcile(
        _ answers: Answers, change: (inout Reconciler<InMemoryStore>.Options) -> Void = { _ in }
    ) async throws -> (results: [ReconcileResult], asked: [String]) {
        let script = RecordedTransport { plan, _ in
            answers[Self.last(plan.url)] ?? .success(HTTPReply(status: 404))
        }
        let results = try await reconcile(over: script, change: change)
        return (results, script.requests.map { Self.last($0.url) })
    }

    func reconcile(
        over transport: some HTTPTransport,
        change: (inout Reconciler<InMemoryStore>.Options) -> Void = { _ in }
    ) async throws -> [ReconcileResult] {
        var options = Reconciler<InMemoryStore>.Options()
        options.concurrency = 1
        change(&options)
        let reconciler = Reconciler(
            ledger: ledger, configuration: configuration, transport: transport, options: options,
            now: { Fixture.now })
        var results: [ReconcileResult] = []
        try await reconciler.reconcileAll(asOf: Fixture.now) { results.append($0) }
        return results
    }

    static func last(_ url: String) -> String {
        String(url.split(separator: "/").last ?? "")
    }

    static func json(_ text: String, status: Int = 200) -> RecordedTransport.Answer {
        .success(HTTPReply(status: status, body: Array(text.utf8)))
    }

    /// Dodo's word on a session.
    static func session(
        _ id: String, _ status: String?, payment: String? = nil
    ) -> RecordedTransport.Answer {
        let status = status.map { "\"\($0)\"" } ?? "null"
        let payment = payment.map { "\"\($0)\"" } ?? "null"
        return json(#"{"id":"\#(id)","payment_status":\#(status),"payment_id":\#(payment)}"#)
    }

    /// Dodo's word on a payment.
    static func payment(
        _ id: String, _ status: String = "succeeded", session: String? = "cks_1",
        amount: Int = 2500, currency: String = "EUR"
    ) -> RecordedTransport.Answer {
        let session = session.map { "\"\($0)\"" } ?? "null"
        return json(
            """
            {"payment_id":"\(id)","checkout_session_id":\(session),"status":"\(status)",\
            "total_amount":\(amount),"currency":"\(currency)"}
            """)
    }
}

extension ReconcileResult {
    /// The ending in one word or two, for tables.
    var word: String {
        switch ending {
        case .resolved(let outcome): "resolved \(outcome.status.name)"
        case .pending: "pending"
        case .needsReview(let codes): "review \(codes.map(\.rawValue).joined(separator: ","))"
        case .unclear(let reason): "unclear \(reason.rawValue)"
        case .notAsked(let obstacle): "not asked \(obstacle.code)"
        case .wouldAsk: "would ask"
        }
    }
}
