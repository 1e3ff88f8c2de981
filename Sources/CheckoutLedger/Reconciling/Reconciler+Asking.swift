import CheckoutModel
import Cryptography
import EventLog
import ProviderKit
import Synchronization

/// Which orders several sessions share; looked up once in a run, and only if an order is asked for.
final class SharedOrders: Sendable {
    private let streams = Mutex<Set<UInt64>?>(nil)

    func contains<Store: LogStore>(
        anyOf session: Session, in ledger: Ledger<Store>
    ) throws(LedgerError) -> Bool {
        if let held = streams.withLock({ $0 }) {
            return session.streams.contains(where: held.contains)
        }
        let found = try ledger.streamsOfSharedOrders()
        streams.withLock { $0 = found }
        return session.streams.contains(where: found.contains)
    }
}

extension Ledger {
    fileprivate func streamsOfSharedOrders() throws(LedgerError) -> Set<UInt64> {
        try read { (snapshot) throws(LedgerError) in
            do throws(LogError) {
                return Set(try snapshot.streamsSharingOrders().joined())
            } catch {
                throw LedgerError(error)
            }
        }
    }
}

extension Reconciler {
    /// A question with the provider's reading of the answer.
    struct Heard {
        let target: StatusQueryTarget
        let url: String
        let report: StatusReport
    }

    /// How one question ended.
    enum Asked {
        case heard(Heard)
        /// The adapter has no question for this kind of id.
        case unaskable
        case wouldAsk(StatusQueryTarget, url: String)
        case obstacle(ReconcileObstacle)
    }

    /// What is needed to ask one account.
    struct Questioner {
        let adapter: any StatusQuerying
        let account: LedgerConfiguration.Account
        let lane: ReconcileLane
    }

    /// Asks about one session and records the answer.
    func result(
        for session: Session, _ lane: ReconcileLane, _ orders: SharedOrders
    ) async throws(LedgerError) -> ReconcileResult {
        func end(
            _ ending: ReconcileResult.Ending, _ target: StatusQueryTarget? = nil,
            url: String? = nil
        ) -> ReconcileResult {
            ReconcileResult(session: session, ending: ending, target: target, url: url)
        }
        if let outcome = session.outcome, outcome.status == .succeeded {
            return end(.resolved(outcome))
        }
        if isStopped() { return end(.notAsked(.stopped)) }
        if let obstacle = lane.obstacle { return end(.notAsked(obstacle)) }
        guard let account = configuration.account(for: session.scope) else {
            return end(.notAsked(.noAccount(session.scope)))
        }
        guard let adapter = account.statusQueries else {
            return end(.notAsked(.unsupported(session.scope.provider)))
        }
        let questioner = Questioner(adapter: adapter, account: account, lane: lane)
        var unknown: Heard?
        for target in try targets(of: session, orders) {
            switch await ask(target, questioner) {
            case .unaskable: continue
            case .wouldAsk(let target, let url): return end(.wouldAsk, target, url: url)
            case .obstacle(let obstacle): return end(.notAsked(obstacle), target)
            case .heard(let heard):
                // Another id may be one that the provider knows.
                if case .indeterminate(.notFound, _) = heard.report {
                    unknown = unknown ?? heard
                    continue
                }
                return try await record(heard, about: session, questioner)
            }
        }
        if let unknown { return try await record(unknown, about: session, questioner) }
        return end(.notAsked(.noUsableID))
    }

    /// What to ask about, the surest first.
    ///
    /// Payment ids that only a return URL named are not among them: anyone can write somebody
    /// else's payment into one.
    private func targets(
        of session: Session, _ orders: SharedOrders
    ) throws(LedgerError) -> [StatusQueryTarget] {
        let verified = session.state.evidence.payments.filter { !$0.verified.isEmpty }
        let payments = session.ids.payments.filter { id in
            verified.contains { $0.reference == EventReference(of: id) }
                || (session.ids.sessions.isEmpty && id == session.ids.payments.first)
        }
        var targets = session.ids.sessions.map { StatusQueryTarget.session($0) }
        targets += payments.map { .payment($0) }
        if !session.ids.orders.isEmpty, try !orders.contains(anyOf: session, in: ledger) {
            targets += session.ids.orders.flatMap { [.order($0), .merchantReference($0)] }
        }
        return targets
    }

    private func ask(_ target: StatusQueryTarget, _ questioner: Questioner) async -> Asked {
        let plan: HTTPRequestPlan
        do throws(RequestPlanError) {
            plan = try questioner.adapter.statusRequest(
                for: target, secrets: questioner.account.secrets, now: now(),
                nonce: Nonce(bytes: SecureRandom.bytes(Limits.nonceBytes)))
        } catch {
            if error == .unsupportedTarget { return .unaskable }
            let obstacle = ReconcileObstacle(error)
            if obstacle.isAboutCredentials { questioner.lane.note(obstacle) }
            return .obstacle(obstacle)
        }
        if options.isDryRun { return .wouldAsk(target, url: plan.url) }
        return await send(plan, about: target, questioner) { (reply) throws(ProviderReplyError) in
            try questioner.adapter.interpret(reply, for: target)
        }
    }

    func send(
        _ plan: HTTPRequestPlan, about target: StatusQueryTarget, _ questioner: Questioner,
        _ interpret: (HTTPReply) throws(ProviderReplyError) -> StatusReport
    ) async -> Asked {
        let reply: HTTPReply
        do throws(TransportError) {
            reply = try await transport.send(plan, deadline: options.deadline)
        } catch {
            let obstacle = ReconcileObstacle(error)
            questioner.lane.note(obstacle)
            return .obstacle(obstacle)
        }
        do throws(ProviderReplyError) {
            let report = try interpret(reply)
            questioner.lane.note(report)
            return .heard(Heard(target: target, url: plan.url, report: report))
        } catch {
            if error == .unreadable {
                return .heard(Heard(target: target, url: plan.url, report: .unreadable))
            }
            let obstacle = ReconcileObstacle(error, questioner.lane.scope)
            questioner.lane.note(obstacle)
            return .obstacle(obstacle)
        }
    }

    /// Records what was heard, unless it is about something else, and tells how the session stands.
    private func record(
        _ heard: Heard, about session: Session, _ questioner: Questioner
    ) async throws(LedgerError) -> ReconcileResult {
        var heard = heard
        if case .known(let facts) = heard.report {
            let report = believed(facts, session, questioner.account)
            heard = Heard(target: heard.target, url: heard.url, report: report)
        }
        if case .known(let facts) = heard.report, let payment = facts.ids.payment,
            heard.target != .payment(payment)
        {
            if facts.status == .succeeded, facts.amount == nil {
                heard = await confirmed(facts, heard, by: payment, session, questioner)
            } else if facts.status == .pending {
                heard = await followed(facts, heard, to: payment, session, questioner)
            }
        }
        var obstacle: ReconcileObstacle?
        if case .known(let facts) = heard.report, facts.awaitsCompletion,
            options.completesApproved
        {
            switch await complete(facts, session, questioner) {
            case .heard(let after): heard = after
            case .obstacle(let found): obstacle = found
            case .unaskable, .wouldAsk: break
            }
        }
        // Under the session's own name, so that an answer in doubt stands in its own story.
        let target = session.ids.sessions.first.map { .session($0) } ?? heard.target
        try await ledger.record(
            answer: heard.report, about: target, scope: session.scope, at: now())
        let after = try ledger.sessions(ofStreams: session.streams.prefix(1)).first ?? session
        var result = ReconcileResult(
            session: after,
            ending: obstacle.map { .notAsked($0) } ?? ending(after, heard.report),
            target: heard.target, url: heard.url)
        if case .known(let facts) = heard.report {
            result.awaitsCompletion = facts.awaitsCompletion
        }
        return result
    }

    /// The facts, unless they are about another session or another world than was asked about.
    func believed(
        _ facts: PaymentFacts, _ session: Session, _ account: LedgerConfiguration.Account
    ) -> StatusReport {
        let isOurs =
            facts.ids.session.map { named in
                session.ids.sessions.isEmpty || session.ids.sessions.contains(named)
            } ?? true
        let modes = Set([facts.mode, account.scope.mode, session.scope.mode])
        guard isOurs, modes.subtracting([.unknown]).count <= 1 else {
            return .otherObject
        }
        return .known(facts)
    }

    /// An open session may name a payment that is through already; only its success counts.
    ///
    /// A payment that failed leaves the session open, since the customer may try another way.
    private func followed(
        _ facts: PaymentFacts, _ first: Heard, to payment: String, _ session: Session,
        _ questioner: Questioner
    ) async -> Heard {
        guard case .heard(let second) = await ask(.payment(payment), questioner),
            case .known(let known) = second.report,
            case .known(let more) = believed(known, session, questioner.account),
            more.status == .succeeded
        else { return first }
        return Heard(
            target: second.target, url: second.url,
            report: .known(joined(facts, more, payment: payment, status: .succeeded)))
    }

    private func joined(
        _ facts: PaymentFacts, _ more: PaymentFacts, payment: String, status: CheckoutStatus
    ) -> PaymentFacts {
        var ids = more.ids
        ids.session = ids.session ?? facts.ids.session
        ids.payment = payment
        return PaymentFacts(
            status: status, amount: more.amount, ids: ids, mode: more.mode,
            rawStatus: more.rawStatus)
    }

    /// A success without an amount is worth nothing to compare, so the payment that it names is
    /// asked about too; only both together are a success.
    private func confirmed(
        _ facts: PaymentFacts, _ first: Heard, by payment: String, _ session: Session,
        _ questioner: Questioner
    ) async -> Heard {
        switch await ask(.payment(payment), questioner) {
        case .unaskable, .wouldAsk: return first
        case .obstacle:
            return Heard(
                target: .payment(payment), url: first.url,
                report: .indeterminate(.providerTrouble, retryAfterSeconds: nil))
        case .heard(let second):
            guard case .known(let known) = second.report,
                case .known(let more) = believed(known, session, questioner.account)
            else {
                let report: StatusReport =
                    if case .known = second.report { .otherObject } else { second.report }
                return Heard(target: second.target, url: second.url, report: report)
            }
            let status = more.status == facts.status ? facts.status : .pending
            return Heard(
                target: second.target, url: second.url,
                report: .known(joined(facts, more, payment: payment, status: status)))
        }
    }

    private func ending(_ session: Session, _ report: StatusReport) -> ReconcileResult.Ending {
        if let outcome = session.outcome { return .resolved(outcome) }
        if case .indeterminate(let reason, _) = report { return .unclear(reason) }
        if session.state.evidence.verifiedPaymentOutcome == .needsReview {
            let codes = session.state.evidence.discrepancies.map(\.code)
            return .needsReview(codes.filter(\.needsReview))
        }
        return .pending
    }
}
