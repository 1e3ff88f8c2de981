import Synchronization

/// The redactor of a ledger, to which secrets are added while events are recorded.
///
/// Read once or twice for an event: a lock that is held for one retain. Nothing is ever taken out
/// of it, since a secret that was replaced still opens something for a while, and still turns up.
final class SharedRedactor: Sendable {
    private let held: Mutex<Redactor>

    init(_ redactor: Redactor) { held = Mutex(redactor) }

    var current: Redactor { held.withLock { $0 } }

    func add(_ redactor: Redactor) { held.withLock { $0 = $0.adding(redactor) } }
}
