import CheckoutModel
import Cryptography
import EventLog
import ProviderKit

extension Reconciler {
    /// Takes the money that the customer approved, unless it is not what was asked for.
    ///
    /// The key is made of the session's name alone: however often and wherever this runs, the
    /// provider sees one wish.
    func complete(
        _ facts: PaymentFacts, _ session: Session, _ questioner: Questioner
    ) async -> Asked {
        guard let adapter = questioner.account.provider as? any PaymentCompleting,
            let id = facts.ids.session
        else { return .unaskable }
        if isStopped() { return .obstacle(.stopped) }
        guard session.state.evidence.expectedTotals.allSatisfy({ $0 == facts.amount }) else {
            return .obstacle(.approvedOtherAmount)
        }
        let plan: HTTPRequestPlan
        do throws(RequestPlanError) {
            guard let key = Self.completionKey(of: id, session.scope) else { return .unaskable }
            plan = try adapter.completionRequest(
                for: id, idempotencyKey: key, secrets: questioner.account.secrets, now: now(),
                nonce: Nonce(bytes: SecureRandom.bytes(Limits.nonceBytes)))
        } catch {
            return error == .unsupportedTarget ? .unaskable : .obstacle(ReconcileObstacle(error))
        }
        let answer = await send(plan, about: .session(id), questioner) {
            (reply) throws(ProviderReplyError) in
            try adapter.interpretCompletion(reply, for: id)
        }
        guard case .heard(let heard) = answer, case .known(let taken) = heard.report else {
            return answer
        }
        let report = believed(taken, session, questioner.account)
        return .heard(Heard(target: heard.target, url: heard.url, report: report))
    }

    private static func completionKey(of session: String, _ scope: AccountScope) -> IdempotencyKey?
    {
        let parts = [scope.provider.rawValue, scope.account, session]
        let digest = SHA256.hash(Array(parts.joined(separator: "\u{0}").utf8))
        return IdempotencyKey(rawValue: "complete-" + digest.hex)
    }
}

extension ReconcileObstacle {
    fileprivate static let approvedOtherAmount = ReconcileObstacle(
        "approved_other_amount", "The amount approved is not the one asked for; nothing was taken.",
        hint: "Look at the order in the provider's dashboard.")
}
