import Synchronization

/// How a log seals itself: with which keys, and where the seals go.
///
/// The log chooses and stores a seal in one write transaction, for every process that writes to it;
/// after that it is published. It never seals a smaller size than before, nor another root for a
/// size.
public struct Sealing: Sendable {
    /// What the seals name the log.
    public var origin: String
    /// Who signs, in the order of the lines; at least one.
    public var signers: [NoteSigner]
    /// Tells the time that signatures of the timed kind state.
    public var clock: any LogClock
    /// Takes a stored seal to where it outlives the log, such as a file elsewhere.
    ///
    /// Called on the writer's thread, again for the same seal after a failure or in another
    /// process; must not replace a greater one.
    public var publish: @Sendable (Seal) throws(LogError) -> Void

    /// How long a record waits for a seal, at most, while the log is open.
    public var interval = Limits.sealInterval

    /// Publishes nowhere unless told where.
    public init(
        origin: String, signers: [NoteSigner], clock: any LogClock = SystemLogClock(),
        publish: @escaping @Sendable (Seal) throws(LogError) -> Void = { _ in }
    ) {
        self.origin = origin
        self.signers = signers
        self.clock = clock
        self.publish = publish
    }
}

/// When a log is to be sealed; knows sizes and times, nothing of seals.
struct SealSchedule {
    /// The greatest size that is sealed.
    private(set) var sealedSize: UInt64
    private var end: UInt64
    /// Since when there are records that no seal covers.
    private var newsSince: ContinuousClock.Instant?
    private var restsUntil: ContinuousClock.Instant?
    private let interval: Duration

    init(
        sealedSize: UInt64, end: UInt64, every interval: Duration, now: ContinuousClock.Instant
    ) {
        self.interval = interval
        self.sealedSize = sealedSize
        self.end = sealedSize
        note(end: end, now: now)
    }

    /// True while there are records that no seal covers.
    var hasNews: Bool { end > sealedSize }

    mutating func note(end: UInt64, now: ContinuousClock.Instant) {
        if end > self.end, newsSince == nil { newsSince = now }
        self.end = max(end, self.end)
    }

    /// `took` is how long the seal kept the writer: the next one waits until that was little.
    mutating func note(sealed size: UInt64, took: Duration, now: ContinuousClock.Instant) {
        sealedSize = max(sealedSize, size)
        end = max(end, size)
        restsUntil = now + took * Limits.appendTimePerSealTime
        newsSince = nil
    }

    mutating func noteFailure(now: ContinuousClock.Instant) {
        restsUntil = now + Limits.sealRetryInterval
    }

    /// How long until a seal is due; zero for now, nil for never while nothing is appended.
    func wait(now: ContinuousClock.Instant) -> Duration? {
        guard hasNews, let newsSince else { return nil }
        let due =
            end - sealedSize >= Limits.eventsPerSeal ? newsSince : newsSince + interval
        return max(.zero, max(due, restsUntil ?? due) - now)
    }
}

/// What the writer remembers about sealing; on its thread only.
final class SealKeeper {
    let sealing: Sealing
    var schedule: SealSchedule
    /// Size of the last seal that the records are known to agree with.
    var agreedSize: UInt64?
    /// Stored, and not published yet.
    var unpublished: Seal?
    private let trouble: SealTrouble
    private var published: ContinuousClock.Instant?

    init(_ sealing: Sealing, _ schedule: SealSchedule, _ trouble: SealTrouble) {
        self.sealing = sealing
        self.schedule = schedule
        self.trouble = trouble
    }

    /// Publishes what is stored: each one when `isLast`, else not more often than anyone reads.
    func publish(isLast: Bool, now: ContinuousClock.Instant) throws(LogError) {
        guard let seal = unpublished else { return }
        if !isLast, let published, now - published < Limits.publicationInterval { return }
        published = now
        try sealing.publish(seal)
        unpublished = nil
        trouble.error = nil
    }
}

/// Why the last attempt to seal failed; nil after one that did not.
final class SealTrouble: Sendable {
    private let held = Mutex<LogError?>(nil)

    var error: LogError? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
