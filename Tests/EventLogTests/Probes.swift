import EventLog
import Synchronization

/// A clock that stands still, so that two logs record the same times.
struct SameClock: LogClock {
    func now() -> Int64 { 1_700_000_000_000_000 }
}

/// Remembers the steps of a long run.
final class Steps: Sendable {
    private let steps = Mutex<[LogProgress]>([])

    var all: [LogProgress] { steps.withLock { $0 } }
    var count: Int { all.count }

    func add(_ step: LogProgress) { steps.withLock { $0.append(step) } }
}
