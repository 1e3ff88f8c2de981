import CCurl
import ProviderKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One request under way: what libcurl was told, and what came so far.
///
/// Belongs to the worker's thread.
final class CurlTransfer {
    let job: CurlJob
    private let handle: UnsafeMutableRawPointer
    private let options: CurlTransportOptions
    private var requestHeaders: UnsafeMutablePointer<curl_slist>?
    private var detour: UnsafeMutablePointer<curl_slist>?
    private var fields: [HeaderList.Field] = []
    private var headerBytes = 0
    private var isInBody = false
    private var body: [UInt8] = []
    /// Why reading was given up on this side.
    private var excess: TransportError.Reason?

    init(
        _ job: CurlJob, on handle: UnsafeMutableRawPointer, options: CurlTransportOptions
    ) {
        self.job = job
        self.handle = handle
        self.options = options
        setAddress()
        setRequest()
        setRules()
        setSinks()
    }

    /// Gives back what libcurl does not own; after the handle was taken out of the line.
    func free() {
        curl_slist_free_all(requestHeaders)
        curl_slist_free_all(detour)
        requestHeaders = nil
        detour = nil
    }

    /// What became of the request.
    func answer(_ code: CURLcode) -> CurlJob.Answer {
        if let excess { return .failure(TransportError(excess, host: job.host)) }
        guard code == CURLE_OK else {
            return .failure(TransportError(reason(code), host: job.host))
        }
        var status = 0
        ledger_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        return .success(HTTPReply(status: status, headers: HeaderList(fields), body: body))
    }

    // MARK: What libcurl is told

    private func setAddress() {
        let target = job.target
        let scheme = target.isEncrypted ? "https" : "http"
        guard let route = job.route else {
            set(CURLOPT_URL, "\(scheme)://\(target.authority)\(target.path)")
            return
        }
        guard route.isEncrypted else {
            set(CURLOPT_URL, "http://127.0.0.1:\(route.port)\(target.path)")
            add(header: "Host: \(target.authority)")
            return
        }
        set(CURLOPT_URL, "\(scheme)://\(target.authority)\(target.path)")
        detour = curl_slist_append(nil, "::127.0.0.1:\(route.port)")
        ledger_curl_set_list(handle, CURLOPT_CONNECT_TO, detour)
    }

    private func setRequest() {
        let plan = job.plan
        for field in plan.headers.fields {
            // A name alone would have libcurl leave the header out.
            add(header: field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if plan.method == "POST" {
            set(CURLOPT_POST, 1)
            ledger_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(plan.body.count))
            plan.body.withUnsafeBytes { bytes in
                // Copied by libcurl; never nil, which would mean that the body comes by callback.
                let code =
                    bytes.isEmpty
                    ? ledger_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, "")
                    : ledger_curl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
                precondition(code == CURLE_OK, "libcurl has no memory for a body")
            }
            // No pause before the body, and no type that the adapter did not say.
            add(header: "Expect:")
            if plan.headers.first("Content-Type") == nil { add(header: "Content-Type:") }
        } else {
            set(CURLOPT_HTTPGET, 1)
        }
        if plan.headers.first("User-Agent") == nil { set(CURLOPT_USERAGENT, options.userAgent) }
        ledger_curl_set_list(handle, CURLOPT_HTTPHEADER, requestHeaders)
    }

    private func setRules() {
        set(CURLOPT_NOSIGNAL, 1)
        let isPlain = !job.target.isEncrypted || job.route.map { !$0.isEncrypted } == true
        set(CURLOPT_PROTOCOLS_STR, isPlain ? "http" : "https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Plain loopback goes through no proxy either way.
        if !options.usesProxyEnvironment || job.route != nil { set(CURLOPT_PROXY, "") }
        let total = max(job.remainingMilliseconds, 1)
        set(CURLOPT_TIMEOUT_MS, total)
        set(
            CURLOPT_CONNECTTIMEOUT_MS, min(total, max(Self.milliseconds(options.connectTimeout), 1))
        )
        set(CURLOPT_MAXAGE_CONN, Int(options.connectionReuseTime.components.seconds))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = options.rootsFile {
            set(CURLOPT_CAINFO, file)
            ledger_curl_set_text(handle, CURLOPT_CAPATH, nil)
        }
        if !job.plan.isRepeatable { set(CURLOPT_FRESH_CONNECT, 1) }
    }

    private func setSinks() {
        // The line holds this transfer until the handle is out of libcurl's hands.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let onHeader: ledger_curl_sink = { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                .take(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        let onBody: ledger_curl_sink = { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                .take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        ledger_curl_set_header_sink(handle, onHeader, context)
        ledger_curl_set_body_sink(handle, onBody, context)
    }

    private func set(_ option: CURLoption, _ value: Int) {
        let code = ledger_curl_set_number(handle, option, value)
        precondition(code == CURLE_OK, "libcurl knows the option")
    }

    private func set(_ option: CURLoption, _ value: String) {
        let code = ledger_curl_set_text(handle, option, value)
        precondition(code == CURLE_OK, "libcurl knows the option and has memory for its text")
    }

    private func add(header line: String) {
        guard let longer = curl_slist_append(requestHeaders, line) else {
            preconditionFailure("libcurl has no memory for a header")
        }
        requestHeaders = longer
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(min(max(seconds, 0), 86_400)) * 1_000
            + Int(attoseconds / 1_000_000_000_000_000)
    }

    // MARK: What comes

    private func take(header bytes: UnsafeRawBufferPointer) -> Int {
        headerBytes += bytes.count
        guard headerBytes <= options.replyHeaderBytes else {
            excess = .headersTooLarge
            return 0
        }
        // Trailers behind the body are nobody's business.
        if isInBody { return bytes.count }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // The reply proper, after an interim one.
            fields = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].prefix { !$0.isNewline }
            fields.append(.init(name: String(line[..<colon]), value: String(value)))
        }
        return bytes.count
    }

    private func take(body bytes: UnsafeRawBufferPointer) -> Int {
        isInBody = true
        guard body.count + bytes.count <= options.replyBodyBytes else {
            excess = .tooLarge
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    // MARK: What went wrong

    private func reason(_ code: CURLcode) -> TransportError.Reason {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .dns
        case CURLE_COULDNT_CONNECT: connectReason
        case CURLE_OPERATION_TIMEDOUT: isConnected ? .timeout : .connectTimeout
        case CURLE_PEER_FAILED_VERIFICATION: certificateReason
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED: .tls
        case CURLE_SSL_CACERT_BADFILE: .rootsUnusable
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
            CURLE_HTTP2_STREAM:
            .closedEarly
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP2:
            .malformedReply
        case CURLE_URL_MALFORMAT: .malformedRequest
        default: .network
        }
    }

    private var connectReason: TransportError.Reason {
        var number = 0
        ledger_curl_get_number(handle, CURLINFO_OS_ERRNO, &number)
        switch Int32(truncatingIfNeeded: number) {
        case ECONNREFUSED, 0: return .refused
        case ETIMEDOUT: return .connectTimeout
        default: return .unreachable
        }
    }

    /// False while names are looked up, sockets connected and keys exchanged.
    private var isConnected: Bool {
        var microseconds: curl_off_t = 0
        ledger_curl_get_size(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds)
        return microseconds > 0
    }

    /// OpenSSL's own number says why; 0 when the chain is good and the name is not, or 1 where
    /// libcurl looked at the name first.
    private var certificateReason: TransportError.Reason {
        var number = 0
        ledger_curl_get_number(handle, CURLINFO_SSL_VERIFYRESULT, &number)
        switch number {
        case 0, 1, 62, 64: return .wrongHost
        case 9: return .notYetValid
        case 10: return .expired
        default: return .untrusted
        }
    }
}
