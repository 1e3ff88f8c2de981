public import CheckoutModel
import Cryptography
public import EventLog
public import ProviderKit

/// Asks providers how sessions stand that have no outcome, and records what they say.
///
/// Has no network of its own: a transport carries its requests out, and repeats, waits and
/// authorises as it was put together to. Accounts are asked side by side, each with a few requests
/// at once; one that refuses its key, asks for fewer requests or fails several times in a row is
/// left alone for the rest of the run. An answer in doubt decides nothing.
public struct Reconciler<Store: LogStore>: Sendable {
    /// What bounds a run.
    public struct Options: Sendable, Hashable {
        /// Requests at once to one account.
        public var concurrency = 4
        /// How long the answer to one question may take, repetitions and pauses included.
        public var deadline: Duration = .seconds(30)
        /// Failures in a row after which an account is left alone.
        public var patience = 3
        /// True where nothing is sent and nothing recorded.
        public var isDryRun = false
        /// True where the money of approved sessions is taken, for providers that leave that to the
        /// merchant; see `PaymentCompleting`.
        ///
        /// Moves money, so nothing but the caller's wish sets it.
        public var completesApproved = false

        /// The defaults.
        public init() {}
    }

    let ledger: Ledger<Store>
    let configuration: LedgerConfiguration
    let transport: any HTTPTransport
    let options: Options
    let now: @Sendable () -> Instant
    let isStopped: @Sendable () -> Bool

    /// `now` is the time that is recorded; once `isStopped` says so, nothing more is begun.
    public init(
        ledger: Ledger<Store>, configuration: LedgerConfiguration, transport: any HTTPTransport,
        options: Options = Options(), now: @escaping @Sendable () -> Instant,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.ledger = ledger
        self.configuration = configuration
        self.transport = transport
        self.options = options
        self.now = now
        self.isStopped = isStopped
    }

    /// Asks about every session that was shown, has no outcome, and was opened at or before
    /// `instant` less `patience`; see ``Ledger/forEachAbandonedSession(asOf:olderThan:known:_:)``.
    ///
    /// `isWanted` may leave sessions out. Results come in the order of the sessions, some at a
    /// time. Throws what the ledger throws; what was recorded before stays.
    public func reconcileAll(
        asOf instant: Instant, olderThan patience: Int64 = 0,
        where isWanted: (Session) -> Bool = { _ in true }, limit: Int = .max,
        _ each: (ReconcileResult) -> Void
    ) async throws(LedgerError) {
        // Numbers and not sessions: there may be many, and each is read again when its turn comes.
        var streams: [UInt64] = []
        try ledger.forEachAbandonedSession(asOf: instant, olderThan: patience) {
            (abandoned) throws(LedgerError) in
            guard streams.count < limit else { return .stop }
            if isWanted(abandoned.session), let stream = abandoned.session.streams.first {
                streams.append(stream)
            }
            return .more
        }
        try await reconcile(streams: streams, each)
    }

    /// Asks about these sessions, but for those that are known to be paid.
    public func reconcile(
        _ sessions: [Session], _ each: (ReconcileResult) -> Void
    ) async throws(LedgerError) {
        try await reconcile(streams: sessions.compactMap(\.streams.first), each)
    }

    /// Asks about the session of a stream.
    package func reconcile(
        stream: UInt64, _ each: (ReconcileResult) -> Void
    ) async throws(LedgerError) {
        try await reconcile(streams: [stream], each)
    }

    private func reconcile(
        streams: [UInt64], _ each: (ReconcileResult) -> Void
    ) async throws(LedgerError) {
        let orders = SharedOrders()
        var lanes: [AccountScope: ReconcileLane] = [:]
        var rest = streams[...]
        while !rest.isEmpty {
            let sessions = try ledger.sessions(ofStreams: rest.prefix(Limits.sessionsPerPage))
            rest = rest.dropFirst(Limits.sessionsPerPage)
            var queues: [AccountScope: [(index: Int, session: Session)]] = [:]
            for (index, session) in sessions.enumerated() {
                let key = AccountScope(session.scope.provider, account: session.scope.account)
                queues[key, default: []].append((index, session))
                if lanes[key] == nil {
                    lanes[key] = ReconcileLane(key, patience: options.patience)
                }
            }
            for result in try await ask(sessions.count, queues, lanes, orders) { each(result) }
        }
    }

    /// One page: every account's queue side by side; results in the order of the sessions.
    private func ask(
        _ count: Int, _ queues: [AccountScope: [(index: Int, session: Session)]],
        _ lanes: [AccountScope: ReconcileLane], _ orders: SharedOrders
    ) async throws(LedgerError) -> [ReconcileResult] {
        typealias Answer = Result<(index: Int, result: ReconcileResult), LedgerError>
        let answers = await withTaskGroup(of: [Answer].self) { group in
            for (key, queue) in queues {
                guard let lane = lanes[key] else { continue }
                group.addTask {
                    await withTaskGroup(of: Answer.self) { group in
                        var answers: [Answer] = []
                        for (number, item) in queue.enumerated() {
                            if number >= max(options.concurrency, 1),
                                let answer = await group.next()
                            {
                                answers.append(answer)
                            }
                            group.addTask { await answer(item.index, item.session, lane, orders) }
                        }
                        for await answer in group { answers.append(answer) }
                        return answers
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        var results = [ReconcileResult?](repeating: nil, count: count)
        for answer in answers {
            let (index, result) = try answer.get()
            results[index] = result
        }
        return results.compactMap { $0 }
    }

    private func answer(
        _ index: Int, _ session: Session, _ lane: ReconcileLane, _ orders: SharedOrders
    ) async -> Result<(index: Int, result: ReconcileResult), LedgerError> {
        do throws(LedgerError) {
            return .success((index, try await result(for: session, lane, orders)))
        } catch {
            return .failure(error)
        }
    }
}

extension Ledger {
    /// The sessions of these streams as they stand now, each under the mode that its ids are kept
    /// under.
    func sessions(ofStreams streams: some Sequence<UInt64>) throws(LedgerError) -> [Session] {
        try read { (snapshot) throws(LedgerError) in
            var found: [Session] = []
            for stream in streams {
                guard
                    let plain = try snapshot.session(
                        at: stream, before: snapshot.end, scope: nil)
                else { continue }
                let scope = try snapshot.scope(of: plain)
                found.append(
                    Session(
                        streams: plain.streams, scope: scope, ids: plain.ids, state: plain.state))
            }
            return found
        }
    }
}

extension Snapshot where Schema == CheckoutSchema {
    /// The scope under which a session's own id leads to it.
    fileprivate func scope(of session: Session) throws(LedgerError) -> AccountScope {
        let routing = session.routingIDs
        let (kind, id): (IdentityKey.Kind, String?) =
            if routing.session != nil {
                (.session, routing.session)
            } else if routing.payment != nil {
                (.payment, routing.payment)
            } else {
                (.subscription, routing.subscription)
            }
        guard let id else { return session.scope }
        for mode in ProviderMode.allCases {
            let scope = AccountScope(
                session.scope.provider, account: session.scope.account, mode: mode)
            if let stream = try resolve(kind, id, scope), session.streams.contains(stream) {
                return scope
            }
        }
        return session.scope
    }
}
