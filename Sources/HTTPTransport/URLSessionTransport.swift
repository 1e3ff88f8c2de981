// The second word is for a test on Linux, which runs this against Foundation's client there; no
// product is built with it.
#if canImport(Darwin) || TESTS_URLSESSION
    import Foundation
    public import ProviderKit
    import Synchronization

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Carries requests out over Apple's own client, for apps that want no library beside it.
    ///
    /// Certificates are verified, redirects are not followed, nothing is stored. Only https.
    public final class URLSessionTransport: HTTPTransport {
        private let session: URLSession
        private let exchanges: URLSessionExchanges
        private let allowsLoopbackHTTP: Bool

        /// `connectTimeout` bounds any silence, for this client knows no other bound on connecting;
        /// `allowsLoopbackHTTP` is for tests against a server on this machine.
        public init(
            connectTimeout: Duration = .seconds(5), replyBodyBytes: Int = Limits.replyBodyBytes,
            allowsLoopbackHTTP: Bool = false
        ) {
            self.allowsLoopbackHTTP = allowsLoopbackHTTP
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.connectionProxyDictionary = [:]
            configuration.timeoutIntervalForRequest =
                TimeInterval(max(connectTimeout.components.seconds, 1))
            exchanges = URLSessionExchanges(limit: replyBodyBytes)
            session = URLSession(
                configuration: configuration, delegate: exchanges, delegateQueue: nil)
        }

        deinit { session.invalidateAndCancel() }

        /// The reply, or why there is none; see `HTTPTransport.send(_:deadline:)`.
        public func send(
            _ plan: HTTPRequestPlan, deadline: Duration
        ) async throws(TransportError) -> HTTPReply {
            let target = try RequestTarget(url: plan.url)
            guard target.isEncrypted || (allowsLoopbackHTTP && target.isLoopback) else {
                throw TransportError(.insecure, host: target.host)
            }
            guard let url = URL(string: plan.url) else {
                throw TransportError(.malformedRequest, host: target.host)
            }
            var request = URLRequest(url: url)
            request.httpMethod = plan.method
            request.httpBody = plan.body.isEmpty ? nil : Data(plan.body)
            request.httpShouldHandleCookies = false
            for field in plan.headers.fields {
                request.addValue(field.value, forHTTPHeaderField: field.name)
            }
            let task = session.dataTask(with: request)
            let timer = Task {
                try await Task.sleep(for: deadline)
                exchanges.giveUp(task, .timeout)
            }
            defer { timer.cancel() }
            let answer = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    exchanges.begin(task, host: target.host, continuation)
                }
            } onCancel: {
                exchanges.giveUp(task, .cancelled)
            }
            return try answer.get()
        }
    }

    /// What came so far of every request under way.
    private final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
        typealias Answer = Result<HTTPReply, TransportError>

        struct Exchange {
            let host: String
            let continuation: CheckedContinuation<Answer, Never>
            var status = 0
            var headers: [HeaderList.Field] = []
            var body: [UInt8] = []
            var reason: TransportError.Reason?
        }

        private let limit: Int
        private let underWay = Mutex<[Int: Exchange]>([:])

        init(limit: Int) { self.limit = limit }

        func begin(
            _ task: URLSessionTask, host: String,
            _ continuation: CheckedContinuation<Answer, Never>
        ) {
            underWay.withLock {
                $0[task.taskIdentifier] = Exchange(host: host, continuation: continuation)
            }
            if Task.isCancelled { giveUp(task, .cancelled) }
            task.resume()
        }

        func giveUp(_ task: URLSessionTask, _ reason: TransportError.Reason) {
            underWay.withLock { $0[task.taskIdentifier]?.reason = reason }
            task.cancel()
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) { completionHandler(nil) }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            guard let response = response as? HTTPURLResponse else {
                giveUp(dataTask, .malformedReply)
                return completionHandler(.cancel)
            }
            let fields = response.allHeaderFields.compactMap { name, value in
                (name as? String).map { HeaderList.Field(name: $0, value: "\(value)") }
            }
            underWay.withLock { underWay in
                underWay[dataTask.taskIdentifier]?.status = response.statusCode
                underWay[dataTask.taskIdentifier]?.headers = fields
            }
            completionHandler(.allow)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
        ) {
            let isTooLarge = underWay.withLock { underWay in
                guard let held = underWay[dataTask.taskIdentifier] else { return false }
                guard held.body.count + data.count <= limit else { return true }
                underWay[dataTask.taskIdentifier]?.body.append(contentsOf: data)
                return false
            }
            if isTooLarge { giveUp(dataTask, .tooLarge) }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            let held = underWay.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            guard let held else { return }
            if let reason = held.reason ?? error.map(Self.reason) {
                held.continuation.resume(
                    returning: .failure(TransportError(reason, host: held.host)))
                return
            }
            held.continuation.resume(
                returning: .success(
                    HTTPReply(
                        status: held.status, headers: HeaderList(held.headers), body: held.body)))
        }

        private static func reason(_ error: any Error) -> TransportError.Reason {
            switch (error as? URLError)?.code {
            case .cannotFindHost, .dnsLookupFailed: .dns
            case .cannotConnectToHost: .refused
            case .notConnectedToInternet: .unreachable
            case .timedOut: .timeout
            case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: .untrusted
            case .serverCertificateHasBadDate: .expired
            case .serverCertificateNotYetValid: .notYetValid
            case .secureConnectionFailed: .tls
            case .networkConnectionLost: .closedEarly
            case .badServerResponse, .cannotParseResponse: .malformedReply
            case .cancelled: .cancelled
            default: .network
            }
        }
    }
#endif
