import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Adds up what several threads have done and passes it on.
@usableFromInline final class ProgressCounter: Sendable {
    private let done = Mutex<UInt64>(0)
    private let total: UInt64
    private let progress: (@Sendable (LogProgress) -> Void)?

    @usableFromInline
    init(total: UInt64, _ progress: (@Sendable (LogProgress) -> Void)?) {
        self.total = total
        self.progress = progress
    }

    @usableFromInline
    func sliceEnd(from first: UInt64, before end: UInt64) -> UInt64 {
        min(first + Limits.eventsPerScanSlice, end)
    }

    @usableFromInline
    func add(_ count: UInt64) {
        done.withLock { done in
            done += count
            progress?(LogProgress(done: done, total: total))
        }
    }
}

/// One result for each worker, set by its thread.
@usableFromInline final class WorkerResults<Value: Sendable>: Sendable {
    private let results: Mutex<[Result<Value, LogError>?]>

    @usableFromInline
    init(count: Int) { results = Mutex(Array(repeating: nil, count: count)) }

    @usableFromInline
    func set(_ result: Result<Value, LogError>, at index: Int) {
        results.withLock { $0[index] = result }
    }

    @usableFromInline
    func take(_ index: Int) throws(LogError) -> Value {
        guard let result = results.withLock({ $0[index].take() }) else {
            preconditionFailure("a worker ended without a result")
        }
        return try result.get()
    }
}

/// Gives out numbers from 0, each once.
private final class JobQueue: Sendable {
    private let next = Atomic<Int>(0)

    func take(below end: Int) -> Int? {
        let job = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return job < end ? job : nil
    }
}

/// Runs `body` for each number below `jobs`, in order but on several threads, and waits for all.
///
/// A lone worker is the caller's own thread.
@usableFromInline
func runWorkers(_ workers: Int, on jobs: Int, _ body: @escaping @Sendable (Int) -> Void) {
    if workers < 2 {
        for job in 0..<jobs { body(job) }
        return
    }
    let queue = JobQueue()
    runThreads(workers) { _ in
        while let job = queue.take(below: jobs) { body(job) }
    }
}

/// Runs `body` for each number below `count`, one thread each, and waits for all of them.
///
/// Threads of their own, not tasks: each holds its thread for seconds.
@usableFromInline
func runThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    final class Start {
        let index: Int
        let body: @Sendable (Int) -> Void
        init(_ index: Int, _ body: @escaping @Sendable (Int) -> Void) {
            self.index = index
            self.body = body
        }
    }
    var threads: [pthread_t] = []
    for index in 0..<count {
        let start = Unmanaged.passRetained(Start(index, body)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = pthread_create(
                &thread, nil,
                { context in
                    let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                    start.body(start.index)
                    return nil
                }, start)
            precondition(status == 0, "the system has no room for one more thread")
            if let thread { threads.append(thread) }
        #else
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                    start.body(start.index)
                    return nil
                }, start)
            precondition(status == 0, "the system has no room for one more thread")
            threads.append(thread)
        #endif
    }
    for thread in threads { pthread_join(thread, nil) }
}
