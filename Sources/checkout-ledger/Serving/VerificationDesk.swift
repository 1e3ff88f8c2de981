import CheckoutLedger
import CheckoutModel
import Cryptography
import Dashboard
import Dispatch
import EventLog
import HTTPServer
import LedgerServer
import Synchronization

/// Verifies the log while the server runs: one run at a time, on a thread of its own, held against
/// the seals that are kept outside.
///
/// A run that found the log sound is recorded, with who asked for it. One that found anything is
/// not: a further record would be one more change to what is evidence now.
final class VerificationDesk: Sendable {
    /// Runs that are remembered.
    private static let remembered = 20

    private struct State {
        /// The newest first.
        var runs: [VerificationRun] = []
        var isBusy = false
    }

    private let ledger: Ledger<LMDBStore>
    private let now: @Sendable () -> Instant
    private let tell: @Sendable (ServerEvent) -> Void
    private let state = Mutex(State())
    private let thread = DispatchQueue(label: "checkout-ledger.verify", qos: .utility)

    init(
        _ ledger: Ledger<LMDBStore>, now: @escaping @Sendable () -> Instant,
        tell: @escaping @Sendable (ServerEvent) -> Void
    ) {
        self.ledger = ledger
        self.now = now
        self.tell = tell
    }

    var runs: [VerificationRun] { state.withLock { $0.runs } }

    /// Begins one; false when one is running.
    func begin(by actor: String) -> Bool {
        let startedAt = now()
        let isBegun = state.withLock { state in
            guard !state.isBusy else { return false }
            state.isBusy = true
            state.runs.insert(
                VerificationRun(startedAt: startedAt, progress: LogProgress(done: 0, total: 1)),
                at: 0)
            state.runs = Array(state.runs.prefix(Self.remembered))
            return true
        }
        if isBegun { thread.async { self.run(actor) } }
        return isBegun
    }

    private func run(_ actor: String) {
        do {
            let anchors = try Anchors(ledger)
            let report = try ledger.log.verify(
                against: anchors.usable, sealedBy: anchors.verifiers
            ) { progress in
                self.state.withLock { $0.runs[0].progress = progress }
            }
            end(report, failure: anchors.unusable.first.map { "\($0.name): \($0.reason)" })
            guard report.isSound else { return }
            Task { await record(report, anchors.usable.count, actor) }
        } catch {
            let error = LedgerError(any: error)
            // Otherwise the server is being stopped.
            guard error.code.rawValue != LogError.Code.closed.rawValue else { return }
            end(nil, failure: error.message)
        }
    }

    private func end(_ report: VerificationReport?, failure: String?) {
        let end = now()
        let took = state.withLock { state in
            let took = max(0, end.microseconds - state.runs[0].startedAt.microseconds)
            state.runs[0].progress = nil
            state.runs[0].duration = took
            state.runs[0].report = report
            state.runs[0].failure = failure
            state.isBusy = false
            return took
        }
        let isSound = report?.isSound ?? false
        tell(
            ServerEvent(
                isSound ? .info : .error, "verified",
                [
                    WebField("result", report == nil ? "failed" : isSound ? "sound" : "not sound"),
                    WebField("events", "\(report?.end ?? 0)"),
                    WebField("findings", "\(report?.findingCount ?? 0)"),
                    WebField("duration.us", "\(took)"),
                ]))
    }

    private func record(_ report: VerificationReport, _ anchors: Int, _ actor: String) async {
        let note = AuditNote(
            subject: "verify", positions: 0..<report.end, count: report.end, result: "sound",
            hash: Hex.encode(report.root.bytes), anchors: UInt64(clamping: anchors))
        do throws(LedgerError) {
            try await ledger.record(.auditVerified, note, actor: actor, reason: nil, at: now())
        } catch {
            tell(
                ServerEvent(
                    .error, "verification not recorded",
                    [WebField("error", error.code.rawValue)]))
        }
    }
}
