import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The one thread of a log that writes.
///
/// Callers put work into a queue and wait; whatever waits is taken at once, without a timer. Not a
/// task of the cooperative pool: a write transaction must begin and end on one thread.
final class WriterThread: Sendable {
    /// What the thread does; all calls come from it.
    protocol Worker: AnyObject {
        /// Appends the batches of all tickets in one transaction and answers each ticket.
        func append(_ tickets: [AppendTicket])
        /// How long the last transaction took to commit.
        var commitDuration: Duration { get }
        /// Called when nothing waits: how long to wait before ``idle()`` is called; nil = for ever.
        func idleMilliseconds() -> Int?
        /// Nothing came for as long as ``idleMilliseconds()`` said.
        func idle()
        /// The last call.
        func finish()
    }

    fileprivate enum Item {
        case append(AppendTicket)
        case job(@Sendable () -> Void)
    }

    fileprivate struct Queue: ~Copyable {
        var items: [Item] = []
        var events = 0
        var bytes = 0
        var heldBack: [AppendTicket] = []
        var isClosing = false
        var thread: pthread_t?
    }

    private let queue = Mutex(Queue())
    private let gate = ThreadGate()

    /// Starts the thread; the worker belongs to it from here on.
    func start(_ worker: sending any Worker) {
        let start = StartBox(thread: self, worker: worker)
        let context = Unmanaged.passRetained(start).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = pthread_create(&thread, nil, startWriterThread, context)
        precondition(status == 0, "the system has no room for one more thread")
        let started = thread
        queue.withLock { $0.thread = started }
    }

    /// What became of a batch that wants into the queue.
    enum Reception {
        /// It will be written.
        case isAdmitted
        /// It stands in the line before the full queue, and can be withdrawn.
        case isHeldBack
        /// The thread is ending.
        case isClosing
    }

    /// Puts a batch in the queue, or in the line before it when the queue is full.
    func enqueue(_ ticket: AppendTicket) -> Reception {
        let (reception, isFirst) = queue.withLock { queue -> (Reception, Bool) in
            guard !queue.isClosing else { return (.isClosing, false) }
            if queue.heldBack.isEmpty && queue.hasRoom {
                queue.admit(ticket)
                return (.isAdmitted, queue.items.count == 1)
            }
            queue.heldBack.append(ticket)
            return (.isHeldBack, false)
        }
        // The thread takes all that waits at once: the first to wait wakes it for the others.
        if isFirst { gate.open() }
        return reception
    }

    /// Takes a ticket out of the line again; false when it was admitted before.
    func withdraw(_ ticket: AppendTicket) -> Bool {
        queue.withLock { queue in
            guard let index = queue.heldBack.firstIndex(where: { $0 === ticket }) else {
                return false
            }
            queue.heldBack.remove(at: index)
            return true
        }
    }

    /// Has the thread run a job between two transactions; false when it is ending.
    func enqueue(_ job: @escaping @Sendable () -> Void) -> Bool {
        let accepted = queue.withLock { queue in
            guard !queue.isClosing else { return false }
            queue.items.append(.job(job))
            return true
        }
        if accepted { gate.open() }
        return accepted
    }

    /// Has an idle thread ask again how long it may sleep.
    func nudge() { gate.open() }

    /// Takes no more work, waits until all that was accepted is done and the thread has ended.
    func close() {
        let thread = queue.withLock { queue -> pthread_t? in
            queue.isClosing = true
            defer { queue.thread = nil }
            return queue.thread
        }
        gate.open()
        guard let thread, pthread_equal(thread, pthread_self()) == 0 else { return }
        pthread_join(thread, nil)
    }

    fileprivate func run(_ worker: any Worker) {
        var pending: [Item] = []
        var answered = 0
        while true {
            if pending.isEmpty { letReturn(answered, within: worker.commitDuration) }
            let isClosing = queue.withLock { queue in
                queue.admitHeldBack()
                pending.append(contentsOf: queue.items)
                queue.items.removeAll(keepingCapacity: true)
                return queue.isClosing
            }
            if pending.isEmpty {
                if isClosing { break }
                let patience = worker.idleMilliseconds()
                if !gate.pass(milliseconds: patience) { worker.idle() }
                continue
            }
            answered = take(pending, worker)
            pending.removeFirst(answered)
        }
        worker.finish()
    }

    /// Lets callers that were answered together come back together, while they keep coming.
    ///
    /// Without it the first ones to return get a transaction of their own, and twice as many are
    /// written; and a lone caller that comes right back has to wake the thread, which takes longer
    /// than it stays awake for here. No timer: it ends when all are back, when nobody came while
    /// others had their turn, or when they come so slowly that a commit takes less time than all
    /// of them: then the others' events are better written while these prepare theirs.
    private func letReturn(_ answered: Int, within commit: Duration) {
        guard answered > 0 else { return }
        let start = ContinuousClock.now
        var seen = queue.withLock { $0.items.count }
        // Those that came meanwhile wait already: all are back when they and the answered are here.
        let all = seen + answered
        var quiet = 0
        while seen < all, quiet < Limits.yieldsForReturningCallers {
            sched_yield()
            let waiting = queue.withLock { $0.isClosing ? all : $0.items.count }
            quiet = waiting > seen ? 0 : quiet + 1
            seen = waiting
            let time = ContinuousClock.now - start
            let returned = answered - (all - seen)
            if time > commit / 8, time * answered > commit * returned { break }
        }
    }

    /// Does one job or one transaction; gives how many items that took.
    private func take(_ pending: [Item], _ worker: any Worker) -> Int {
        if case .job(let job) = pending[0] {
            job()
            return 1
        }
        var tickets: [AppendTicket] = []
        var events = 0
        var bytes = 0
        for item in pending {
            guard case .append(let ticket) = item,
                tickets.isEmpty
                    || events + ticket.events <= Limits.eventsPerTransaction
                        && bytes + ticket.bytes <= Limits.bytesPerTransaction
            else { break }
            tickets.append(ticket)
            events += ticket.events
            bytes += ticket.bytes
        }
        queue.withLock { queue in
            queue.events -= events
            queue.bytes -= bytes
        }
        worker.append(tickets)
        return tickets.count
    }
}

extension WriterThread.Queue {
    fileprivate var hasRoom: Bool {
        events < Limits.queuedEvents && bytes < Limits.queuedBytes
    }

    fileprivate mutating func admit(_ ticket: AppendTicket) {
        items.append(.append(ticket))
        events += ticket.events
        bytes += ticket.bytes
    }

    fileprivate mutating func admitHeldBack() {
        var count = 0
        while count < heldBack.count, hasRoom {
            admit(heldBack[count])
            count += 1
        }
        heldBack.removeFirst(count)
    }
}

private final class StartBox {
    let thread: WriterThread
    let worker: any WriterThread.Worker

    init(thread: WriterThread, worker: any WriterThread.Worker) {
        self.thread = thread
        self.worker = worker
    }
}

#if canImport(Darwin)
    private func startWriterThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        runWriterThread(context)
        return nil
    }
#else
    private func startWriterThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    {
        if let context { runWriterThread(context) }
        return nil
    }
#endif

private func runWriterThread(_ context: UnsafeMutableRawPointer) {
    let start = Unmanaged<StartBox>.fromOpaque(context).takeRetainedValue()
    start.thread.run(start.worker)
}
