import CheckoutLedger
import CheckoutModel
import Dispatch
import EventLog
import ProviderKit

/// Puts a script into a ledger through the calls that a shop's server would make.
///
/// What happens within some seconds is recorded concurrently, so that appends share disk flushes;
/// still the order of the log follows from the script alone, see `DemoThread`.
struct DemoRunner: Sendable {
    /// What the ledger answered.
    struct Tally: Sendable {
        var answers: [DemoStep.Answer: Int] = [:]
        /// Of them those to a webhook.
        var deliveries: [DemoStep.Answer: Int] = [:]
        var asExpected = 0
        var steps = 0
    }

    let ledger: Ledger<LMDBStore>
    let clock: DemoClock
    private let thread = DemoThread()
    private let verifiers: [DemoProvider: DeliveryVerifier]
    private let adapters: [DemoProvider: any WebhookReceiving & ReturnURLParsing]

    init(ledger: Ledger<LMDBStore>, clock: DemoClock) throws {
        self.ledger = ledger
        self.clock = clock
        var verifiers: [DemoProvider: DeliveryVerifier] = [:]
        var adapters: [DemoProvider: any WebhookReceiving & ReturnURLParsing] = [:]
        for provider in DemoProvider.allCases {
            verifiers[provider] = try provider.verifier()
            adapters[provider] = try provider.adapter()
        }
        self.verifiers = verifiers
        self.adapters = adapters
    }

    /// Records all steps in their order; `progress` hears how many are done.
    func run(_ steps: [DemoStep], progress: (Int) throws -> Void) async throws -> Tally {
        var tally = Tally()
        for wave in Self.waves(steps) {
            // The last of the wave has happened by then; recorded time never goes back.
            let last = wave.map(\.at.microseconds).max() ?? 0
            clock.set(Instant(microseconds: max(last, clock.now() + 1_000)))
            for (step, answer) in zip(wave, try await record(wave)) {
                tally.answers[answer, default: 0] += 1
                if case .delivery = step.action { tally.deliveries[answer, default: 0] += 1 }
                if answer == step.expected { tally.asExpected += 1 }
                tally.steps += 1
            }
            try progress(tally.steps)
        }
        return tally
    }

    /// What happens within some seconds, in rounds of at most one step a lane.
    static func waves(_ steps: [DemoStep]) -> [[DemoStep]] {
        var waves: [[DemoStep]] = []
        var rounds: [[DemoStep]] = []
        var turns: [Int: Int] = [:]
        var window: Int64?
        for step in steps {
            if step.isAlone || window != step.at.seconds / secondsOfWave {
                waves += rounds
                rounds = []
                turns = [:]
            }
            window = step.isAlone ? nil : step.at.seconds / secondsOfWave
            if step.isAlone {
                waves.append([step])
                continue
            }
            let turn = turns[step.lane, default: 0]
            if turn == rounds.count { rounds.append([]) }
            rounds[turn].append(step)
            turns[step.lane] = turn + 1
        }
        return waves + rounds
    }

    static let secondsOfWave: Int64 = 2

    private func record(_ wave: [DemoStep]) async throws -> [DemoStep.Answer] {
        try await withThrowingTaskGroup(of: (Int, DemoStep.Answer).self) { group in
            for (index, step) in wave.enumerated() {
                group.addTask(executorPreference: thread) { (index, try await record(step)) }
            }
            var answers = wave.map(\.expected)
            for try await (index, answer) in group { answers[index] = answer }
            return answers
        }
    }

    private func record(_ step: DemoStep) async throws -> DemoStep.Answer {
        switch step.action {
        case .event(let event):
            let recorded = try await ledger.record(event, mode: .test)
            return recorded.wasThere ? .duplicate : .recorded
        case .returned(let url, let checkout, let landing):
            guard let adapter = adapters[checkout.provider] else { throw Self.missing }
            let receipt = try await ledger.record(
                returnURL: url, readBy: adapter, scope: checkout.provider.scope,
                session: checkout.session, landing: landing, occurredAt: step.at)
            return receipt.recorded.wasThere ? .duplicate : .recorded
        case .delivery(let delivery, let provider):
            guard let verifier = verifiers[provider] else { throw Self.missing }
            let receipt = try await ledger.record(
                delivery, verifiedBy: verifier, scope: provider.scope, at: step.at)
            return Self.answer(receipt.verdict)
        case .resolution(let session, let status, let reason):
            try await ledger.resolve(
                session, as: status, reason: reason, actor: "support", at: step.at)
            return .recorded
        }
    }

    private static let missing = LedgerError(.missing, "A provider has no adapter.")

    private static func answer(_ verdict: DeliveryReceipt.Verdict) -> DemoStep.Answer {
        switch verdict {
        case .recorded: .recorded
        case .unhandled: .unhandled
        case .duplicate: .duplicate
        case .conflicting: .conflicting
        case .quarantined: .quarantined
        case .refused: .refused
        }
    }
}

/// Runs the tasks of a wave on one thread, in the order in which they were added, up to the point
/// where each hands its event to the log's queue and waits.
///
/// So many appends are under way at once and their order is always the same; on the shared pool
/// the order would be chance.
private final class DemoThread: TaskExecutor {
    private let queue = DispatchQueue(label: "checkout-ledger.demo")

    init() { queue.setSpecific(key: DemoIDs.askedByTask, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
