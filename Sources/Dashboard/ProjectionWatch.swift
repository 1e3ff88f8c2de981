import CheckoutModel
import Synchronization

/// Remembers since when the projections' checkpoint has stood where it stands.
final class ProjectionWatch: Sendable {
    private let movement = Mutex<ProjectionMovement?>(nil)

    func look(_ checkpoint: UInt64, at now: Instant) -> ProjectionMovement {
        movement.withLock { held in
            var movement = held ?? ProjectionMovement(checkpoint: checkpoint, since: now)
            movement.look(checkpoint, at: now)
            held = movement
            return movement
        }
    }
}
