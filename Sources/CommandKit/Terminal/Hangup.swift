import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// SIGHUP as a request to read the configuration again, as servers have it.
///
/// A command that does not watch ends by it, as when its terminal is closed.
package enum Hangup {
    private static let seen = Atomic<Bool>(false)

    /// Catches SIGHUP from now on.
    package static func watch() {
        // The first access initialises the flag; a signal handler must never be the one to do it.
        _ = seen.load(ordering: .relaxed)
        var action = sigaction()
        let handler: @convention(c) (Int32) -> Void = { _ in
            Hangup.seen.store(true, ordering: .relaxed)
        }
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        _ = sigaction(SIGHUP, &action, nil)
    }

    /// True once for all signals that came since it was asked last.
    package static func take() -> Bool { seen.exchange(false, ordering: .relaxed) }
}
