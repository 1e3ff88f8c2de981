/// What the writer's thread does for a log.
final class LogWorker<Schema: LogSchema, Store: LogStore>: WriterThread.Worker {
    private let core: WriteCore<Schema, Store>
    private let commit: EventLog<Schema, Store>.Committing
    private let watch: CommitWatch
    private var seenCommits: UInt64 = 0
    /// Set when writing the rows failed; tried again after the next append, not in a loop.
    private var checkpointFailed = false

    init(
        _ core: WriteCore<Schema, Store>, _ commit: @escaping EventLog<Schema, Store>.Committing,
        _ watch: CommitWatch
    ) {
        self.core = core
        self.commit = commit
        self.watch = watch
    }

    var commitDuration: Duration { core.commitDuration }

    func append(_ tickets: [AppendTicket]) {
        let results = commit(core, tickets.map(\.requests))
        for (ticket, result) in zip(tickets, results) { ticket.finish(result) }
        checkpointFailed = false
        watch.wake()
        if core.uncheckpointed >= Limits.checkpointEvents { checkpoint() }
        core.keepSealed(.busy)
    }

    func idleMilliseconds() -> Int? {
        let seal = core.sealWait.map { $0.roundedUpMilliseconds }
        let own =
            watch.hasWaiters
            ? Limits.foreignCommitPollMilliseconds
            : wantsCheckpoint || core.hasUnpublishedSeal ? Limits.idleCheckpointMilliseconds : nil
        return [seal, own].compactMap { $0 }.min()
    }

    func idle() {
        if watch.hasWaiters {
            let commits = core.store.commitCounter
            if commits != seenCommits { watch.wake() }
            seenCommits = commits
        }
        if wantsCheckpoint { checkpoint() }
        core.keepSealed(.idle)
    }

    func finish() {
        if wantsCheckpoint { checkpoint() }
        core.keepSealed(.closing)
        watch.end()
    }

    private var wantsCheckpoint: Bool {
        core.needsCheckpoint && !checkpointFailed && core.stopped == nil
    }

    /// A failure loses nothing: readers fold what the rows lack, and the next one tries again.
    private func checkpoint() {
        do throws(LogError) { try core.checkpoint() } catch { checkpointFailed = true }
    }
}

extension Duration {
    /// Whole milliseconds, never less than asked for: a wait that ends early would begin again.
    fileprivate var roundedUpMilliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000
            + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
