#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Counts the live transactions of one environment, so that its map is moved only while there are
/// none, and that closing waits for them.
///
/// LMDB itself moves the map under a reader without a word.
final class TransactionGate: @unchecked Sendable {
    /// What the calling thread has open.
    ///
    /// A thread that is inside passes the doors that wait for it: it would wait for itself.
    private struct Held {
        var bits: Int
        var isWriting: Bool { bits & 1 == 1 }
        var reads: Int { bits >> 1 }
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let key: pthread_key_t
    private let readerBound: Int

    // All below is guarded by `mutex`.
    private var readers = 0
    private var hasWriter = false
    private var waitingForExclusive = 0
    private var isExclusive = false
    private var isClosed = false
    private var failure: LMDBError?

    init(readerBound: Int) {
        self.readerBound = readerBound
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "no thread-local storage left")
        self.key = key
    }

    deinit {
        pthread_key_delete(key)
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    private var held: Held {
        get { Held(bits: Int(bitPattern: pthread_getspecific(key))) }
        set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue.bits)) }
    }

    /// True when this thread has another transaction open than the one reader it counts itself.
    var isNested: Bool { held.isWriting || held.reads > 1 }

    private func locked<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    private func wait(while condition: () -> Bool) {
        while condition() { pthread_cond_wait(changed, mutex) }
    }

    /// Waits for a place among the readers.
    func enterRead() throws(LMDBError) {
        let isInside = held.bits != 0
        try locked { () throws(LMDBError) in
            wait {
                isExclusive
                    || !isInside && !isClosed
                        && (waitingForExclusive > 0 || readers >= readerBound)
            }
            if !isInside { try checkOpen() }
            readers += 1
        }
        held.bits += 2
    }

    func leaveRead() {
        held.bits -= 2
        pthread_mutex_lock(mutex)
        readers -= 1
        // Waiters other than for the bound need all readers gone.
        let mustWake = readers == 0 || readers == readerBound - 1
        pthread_mutex_unlock(mutex)
        if mustWake { pthread_cond_broadcast(changed) }
    }

    /// Waits until no other thread of this process writes.
    func enterWrite() throws(LMDBError) {
        precondition(held.bits == 0, "a write must not begin inside another transaction's closure")
        try locked { () throws(LMDBError) in
            wait { isExclusive || hasWriter || waitingForExclusive > 0 && !isClosed }
            try checkOpen()
            hasWriter = true
        }
        held.bits |= 1
    }

    func leaveWrite() {
        held.bits &= ~1
        pthread_mutex_lock(mutex)
        hasWriter = false
        pthread_mutex_unlock(mutex)
        pthread_cond_broadcast(changed)
    }

    /// Runs `body` while no transaction is live but the writer's own place, if this thread has it.
    func exclusively<R>(_ body: () -> R) -> R {
        let isWriting = held.isWriting
        precondition(held.reads == 0, "a reader cannot wait for itself")
        pthread_mutex_lock(mutex)
        waitingForExclusive += 1
        wait { isExclusive || readers > 0 || hasWriter && !isWriting }
        waitingForExclusive -= 1
        isExclusive = true
        pthread_mutex_unlock(mutex)
        defer {
            pthread_mutex_lock(mutex)
            isExclusive = false
            pthread_mutex_unlock(mutex)
            pthread_cond_broadcast(changed)
        }
        return body()
    }

    /// Lets nobody in any more and waits for those inside; false when it was closed before.
    func close() -> Bool {
        precondition(held.bits == 0, "an environment cannot be closed inside its transaction")
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isClosed { return false }
        isClosed = true
        pthread_cond_broadcast(changed)
        wait { readers > 0 || hasWriter || isExclusive || waitingForExclusive > 0 }
        return true
    }

    /// Has everyone who wants in from now on get the error.
    func fail(_ error: LMDBError) {
        pthread_mutex_lock(mutex)
        failure = error
        pthread_mutex_unlock(mutex)
    }

    private func checkOpen() throws(LMDBError) {
        if let failure { throw failure }
        if isClosed {
            throw LMDBError(
                .closed, "The store was closed.",
                hint: "Open it again; end its users before closing.")
        }
    }
}
