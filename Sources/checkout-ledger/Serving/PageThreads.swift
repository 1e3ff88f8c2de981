import CheckoutLedger
import Dashboard
import Dispatch
import EventLog
import HTTPServer
import LedgerServer
import Synchronization

/// The dashboard on threads of its own, with the policy that lets its own style through.
///
/// A page may read for a while, the first one of all the whole log. On the shared threads, of which
/// there are as many as cores, two such pages would keep webhooks from being acknowledged.
struct DashboardSite: WebHandler {
    let dashboard: Dashboard<LMDBStore>
    private let threads = PageThreads()

    init(_ dashboard: Dashboard<LMDBStore>) { self.dashboard = dashboard }

    func admission(of request: WebRequest) -> WebAdmission { dashboard.admission(of: request) }

    func respond(to request: WebRequest) async -> WebResponse {
        var response = await withTaskExecutorPreference(threads.next) {
            await dashboard.respond(to: request)
        }
        response.headers.append(
            WebField(
                "Content-Security-Policy",
                "default-src 'none'; style-src \(StyleSheet.policySource); script-src 'self'; "
                    + "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
                    + "frame-ancestors 'none'"))
        return response
    }

    /// Reads the log once, so that no visitor waits for it.
    func prepare(_ tell: @escaping @Sendable (ServerEvent) -> Void) {
        let dashboard = dashboard
        Task(executorPreference: threads.next) {
            do throws(LedgerError) {
                try dashboard.prepare()
            } catch  where error.code.rawValue != LogError.Code.closed.rawValue {
                tell(
                    ServerEvent(
                        .error, "pages not prepared", [WebField("error", error.code.rawValue)]))
            } catch {
                // The server ended before it was done.
            }
        }
    }
}

/// Two threads that take turns.
private final class PageThreads: Sendable {
    private let threads = (PageThread(0), PageThread(1))
    private let turn = Atomic<UInt>(0)

    var next: PageThread {
        turn.add(1, ordering: .relaxed).oldValue.isMultiple(of: 2) ? threads.0 : threads.1
    }
}

private final class PageThread: TaskExecutor {
    private let queue: DispatchQueue

    init(_ number: Int) {
        queue = DispatchQueue(label: "checkout-ledger.pages.\(number)", qos: .utility)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
