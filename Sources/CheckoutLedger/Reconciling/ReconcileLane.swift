import CheckoutModel
import ProviderKit
import Synchronization

/// How asking one account goes, so that an account in trouble is left alone and others are not
/// held up.
final class ReconcileLane: Sendable {
    private struct State {
        var failures = 0
        var obstacle: ReconcileObstacle?
    }

    let scope: AccountScope
    private let patience: Int
    private let state = Mutex(State())

    /// Gives up after `patience` failures in a row.
    init(_ scope: AccountScope, patience: Int) {
        self.scope = scope
        self.patience = max(patience, 1)
    }

    /// Why the account is not asked any more; nil while it is.
    var obstacle: ReconcileObstacle? { state.withLock { $0.obstacle } }

    /// Notes that there was no answer.
    func note(_ obstacle: ReconcileObstacle) {
        state.withLock { state in
            state.failures += 1
            if obstacle.isAboutCredentials {
                state.obstacle = state.obstacle ?? obstacle
            } else if state.failures >= patience {
                state.obstacle = state.obstacle ?? .trouble(scope)
            }
        }
    }

    /// Notes an answer.
    func note(_ report: StatusReport) {
        state.withLock { state in
            switch report {
            case .known: state.failures = 0
            case .indeterminate(.rateLimited, let seconds):
                state.obstacle = state.obstacle ?? .rateLimited(scope, seconds: seconds)
            case .indeterminate(.providerTrouble, _):
                state.failures += 1
                if state.failures >= patience { state.obstacle = state.obstacle ?? .trouble(scope) }
            case .indeterminate: state.failures = 0
            }
        }
    }
}
