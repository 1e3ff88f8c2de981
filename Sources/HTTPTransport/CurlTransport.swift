import CCurl
public import ProviderKit
import Synchronization

/// Carries requests out over libcurl, on one thread of its own.
///
/// Certificates are verified, always; redirects are never followed; proxies in the environment,
/// cookies and `.netrc` are not looked at. Connections are kept and used again. A request that must
/// not be repeated gets a connection of its own, because libcurl repeats by itself what fails on
/// one that was kept. Not URLSession, which on Linux ignores the total deadline, cannot be given
/// roots and does not tell why a certificate was refused.
public final class CurlTransport: HTTPTransport {
    private let options: CurlTransportOptions
    private let worker: CurlWorker

    /// Starts the thread; it ends when the transport is closed or gone.
    public init(options: CurlTransportOptions = CurlTransportOptions()) {
        self.options = options
        worker = CurlWorker(options: options)
        worker.start()
    }

    deinit { worker.close() }

    /// Ends what is under way with `cancelled`, and whatever is sent from now on.
    public func close() { worker.close() }

    /// The reply, or why there is none; see `HTTPTransport.send(_:deadline:)`.
    public func send(
        _ plan: HTTPRequestPlan, deadline: Duration
    ) async throws(TransportError) -> HTTPReply {
        let job = try CurlJob(plan, deadline: deadline, options: options)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                job.begin(continuation)
                if !worker.submit(job) {
                    job.finish(.failure(TransportError(.cancelled, host: job.host)))
                }
            }
        } onCancel: {
            job.cancel()
            worker.wake()
        }
        return try result.get()
    }
}

/// One request on its way through the transport, answered exactly once.
final class CurlJob: Sendable {
    typealias Answer = Result<HTTPReply, TransportError>

    let plan: HTTPRequestPlan
    let target: RequestTarget
    let route: LoopbackRoute?
    let expiry: ContinuousClock.Instant
    private let continuation = Mutex<CheckedContinuation<Answer, Never>?>(nil)
    private let cancelled = Atomic<Bool>(false)

    /// Throws `insecure_url` and `malformed_request`.
    init(
        _ plan: HTTPRequestPlan, deadline: Duration, options: CurlTransportOptions
    ) throws(TransportError) {
        let target = try RequestTarget(url: plan.url)
        route = options.loopbackRoutes[target.host]
        let isAllowed = target.isEncrypted || (options.allowsLoopbackHTTP && target.isLoopback)
        guard isAllowed else { throw TransportError(.insecure, host: target.host) }
        let isSendable =
            ["GET", "POST"].contains(plan.method) && (plan.method == "POST" || plan.body.isEmpty)
            && plan.headers.fields.allSatisfy { Self.isName($0.name) && Self.isValue($0.value) }
        guard isSendable else { throw TransportError(.malformedRequest, host: target.host) }
        self.plan = plan
        self.target = target
        expiry = ContinuousClock.now + deadline
    }

    var host: String { target.host }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    func begin(_ continuation: CheckedContinuation<Answer, Never>) {
        self.continuation.withLock { $0 = continuation }
    }

    func finish(_ answer: Answer) {
        continuation.withLock { $0.take() }?.resume(returning: answer)
    }

    /// Milliseconds that are left, at least 0.
    var remainingMilliseconds: Int {
        let (seconds, attoseconds) = (expiry - .now).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        // A day: longer deadlines would leave the range of libcurl's own clock.
        return Int(min(seconds, 86_400)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !#""(),/:;<=>?@[\]{}"#.utf8.contains(byte)
            }
    }

    /// A line end in a value would begin another header.
    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
