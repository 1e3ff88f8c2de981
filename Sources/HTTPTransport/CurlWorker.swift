import CCurl
import ProviderKit
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The thread that talks to libcurl: takes jobs, moves all transfers, answers.
///
/// One thread for all of them: libcurl waits for many sockets at once, and connections are shared.
final class CurlWorker: Sendable {
    /// libcurl's handle of many transfers.
    ///
    /// Used by the thread alone, but for waking it, which libcurl allows from anywhere.
    private struct Multi: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    private struct Inbox: ~Copyable {
        var jobs: [CurlJob] = []
        var isClosing = false
        /// Nil once the thread has freed it.
        var multi: Multi?
    }

    private let options: CurlTransportOptions
    private let inbox = Mutex(Inbox())

    /// Once in a process, before anything else of libcurl's.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(options: CurlTransportOptions) { self.options = options }

    func start() {
        guard Self.isReady, let pointer = curl_multi_init() else {
            preconditionFailure("libcurl has no memory to start")
        }
        let multi = Multi(pointer: pointer)
        inbox.withLock { $0.multi = multi }
        startThread { self.run(multi.pointer) }
    }

    /// Puts a job in line; false when the thread is ending.
    func submit(_ job: CurlJob) -> Bool {
        inbox.withLock { inbox in
            guard !inbox.isClosing, let multi = inbox.multi else { return false }
            inbox.jobs.append(job)
            curl_multi_wakeup(multi.pointer)
            return true
        }
    }

    /// Has the thread look at its jobs again.
    func wake() {
        inbox.withLock { inbox in
            if let multi = inbox.multi { curl_multi_wakeup(multi.pointer) }
        }
    }

    func close() {
        inbox.withLock { inbox in
            inbox.isClosing = true
            if let multi = inbox.multi { curl_multi_wakeup(multi.pointer) }
        }
    }

    private func run(_ multi: UnsafeMutableRawPointer) {
        var line = CurlLine(multi: multi, options: options)
        while true {
            let (jobs, isClosing) = inbox.withLock { inbox in
                defer { inbox.jobs = [] }
                return (inbox.jobs, inbox.isClosing)
            }
            line.take(jobs)
            if isClosing {
                line.cancelAll()
                break
            }
            line.move()
            curl_multi_poll(multi, nil, 0, Int32(line.patience), nil)
        }
        line.freeHandles()
        let left = inbox.withLock { inbox in
            inbox.multi = nil
            defer { inbox.jobs = [] }
            return inbox.jobs
        }
        for job in left { job.finish(.failure(TransportError(.cancelled, host: job.host))) }
        curl_multi_cleanup(multi)
    }

    /// A thread without signals: they are the program's, and a broken pipe is no reason to die.
    private func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Start {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let start = Unmanaged.passRetained(Start(body)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // Inherited by the new thread.
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = pthread_create(
                &thread, nil,
                { context in
                    Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, start)
            precondition(status == 0, "the system has no room for one more thread")
            if let thread { pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, start)
            precondition(status == 0, "the system has no room for one more thread")
            pthread_detach(thread)
        #endif
    }
}

/// The jobs that wait and the transfers under way; the worker's thread owns it.
private struct CurlLine {
    let multi: UnsafeMutableRawPointer
    let options: CurlTransportOptions
    private var waiting: [CurlJob] = []
    private var underWay: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var idleHandles: [UnsafeMutableRawPointer] = []

    init(multi: UnsafeMutableRawPointer, options: CurlTransportOptions) {
        self.multi = multi
        self.options = options
    }

    /// Puts jobs in line, as far as there is room.
    mutating func take(_ jobs: [CurlJob]) {
        for job in jobs {
            if waiting.count < Limits.waitingTransfers {
                waiting.append(job)
            } else {
                job.finish(.failure(TransportError(.overloaded, host: job.host)))
            }
        }
    }

    /// Drops what was cancelled, begins what there is room for, and moves bytes.
    mutating func move() {
        for (handle, transfer) in underWay where transfer.job.isCancelled {
            end(handle, transfer, .failure(TransportError(.cancelled, host: transfer.job.host)))
        }
        waiting.removeAll { job in
            let isLate = job.remainingMilliseconds == 0
            guard job.isCancelled || isLate else { return false }
            let reason: TransportError.Reason = job.isCancelled ? .cancelled : .timeout
            job.finish(.failure(TransportError(reason, host: job.host)))
            return true
        }
        let room = max(options.concurrentTransfers, 1) - underWay.count
        for job in waiting.prefix(max(room, 0)) { begin(job) }
        waiting.removeFirst(min(waiting.count, max(room, 0)))
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        let isAnyDone = finishTransfers()
        if isAnyDone, !waiting.isEmpty { move() }
    }

    /// How long the thread may sleep unless something happens, in milliseconds.
    var patience: Int {
        waiting.reduce(Limits.idleMilliseconds) { min($0, $1.remainingMilliseconds) }
    }

    mutating func cancelAll() {
        for (handle, transfer) in underWay {
            end(handle, transfer, .failure(TransportError(.cancelled, host: transfer.job.host)))
        }
        for job in waiting { job.finish(.failure(TransportError(.cancelled, host: job.host))) }
        waiting = []
    }

    mutating func freeHandles() {
        for handle in idleHandles { curl_easy_cleanup(handle) }
        idleHandles = []
    }

    private mutating func begin(_ job: CurlJob) {
        guard let handle = idleHandles.popLast() ?? curl_easy_init() else {
            preconditionFailure("libcurl has no memory for a request")
        }
        let transfer = CurlTransfer(job, on: handle, options: options)
        underWay[handle] = transfer
        let code = curl_multi_add_handle(multi, handle)
        precondition(code == CURLM_OK, "libcurl takes a fresh handle")
    }

    private mutating func finishTransfers() -> Bool {
        var isAnyDone = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = underWay[handle]
            else { continue }
            // The message is libcurl's and ends with the handle's removal.
            let code = message.pointee.data.result
            end(handle, transfer, transfer.answer(code))
            isAnyDone = true
        }
        return isAnyDone
    }

    private mutating func end(
        _ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer, _ answer: CurlJob.Answer
    ) {
        curl_multi_remove_handle(multi, handle)
        transfer.free()
        underWay[handle] = nil
        if idleHandles.count < Limits.idleHandles {
            // Forgets all options, and with them the request's headers and body.
            curl_easy_reset(handle)
            idleHandles.append(handle)
        } else {
            curl_easy_cleanup(handle)
        }
        transfer.job.finish(answer)
    }
}
