#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A gate that one thread waits at and others open; an opening is remembered until it is passed.
final class ThreadGate: @unchecked Sendable {  // every access to `isOpen` is under `mutex`
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isOpen = false

    init() {
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func open() {
        pthread_mutex_lock(mutex)
        let wasOpen = isOpen
        isOpen = true
        pthread_mutex_unlock(mutex)
        if !wasOpen { pthread_cond_signal(condition) }
    }

    /// Waits until the gate is open and shuts it behind; false when the time ran out first.
    @discardableResult
    func pass(milliseconds: Int? = nil) -> Bool {
        var deadline = timespec()
        if let milliseconds { deadline = Self.time(in: milliseconds) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isOpen {
            if milliseconds == nil {
                pthread_cond_wait(condition, mutex)
            } else if wait(until: &deadline) == ETIMEDOUT {
                break
            }
        }
        defer { isOpen = false }
        return isOpen
    }

    #if canImport(Darwin)
        private static func time(in milliseconds: Int) -> timespec {
            timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
        }

        private func wait(until deadline: inout timespec) -> Int32 {
            pthread_cond_timedwait_relative_np(condition, mutex, &deadline)
        }
    #else
        private static func time(in milliseconds: Int) -> timespec {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            time.tv_sec += milliseconds / 1_000
            time.tv_nsec += milliseconds % 1_000 * 1_000_000
            if time.tv_nsec >= 1_000_000_000 {
                time.tv_sec += 1
                time.tv_nsec -= 1_000_000_000
            }
            return time
        }

        private func wait(until deadline: inout timespec) -> Int32 {
            pthread_cond_timedwait(condition, mutex, &deadline)
        }
    #endif
}
