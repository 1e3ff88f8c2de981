/// Why there is no reply at all.
///
/// Says nothing about the payment: it may have been made. Names the host and nothing else of the
/// request, so it can be shown and logged.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong; the raw values are stable names for programs.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The host's name has no address, or nobody could be asked for it.
        case dns = "dns_failed"
        /// The host is there and takes no connection.
        case refused = "connect_refused"
        /// There is no way to the host.
        case unreachable
        /// No connection in time.
        case connectTimeout = "connect_timeout"
        /// Connected, and not done in time.
        case timeout
        /// The certificate does not lead to a trusted root.
        case untrusted = "tls_untrusted"
        /// The certificate is another host's.
        case wrongHost = "tls_wrong_host"
        /// The certificate is no longer valid.
        case expired = "tls_expired"
        /// The certificate is not valid yet.
        case notYetValid = "tls_not_yet_valid"
        /// No encrypted connection for another reason.
        case tls = "tls_failed"
        /// The file of trusted roots cannot be used.
        case rootsUnusable = "tls_roots_unusable"
        /// The reply's body is longer than may be.
        case tooLarge = "too_large"
        /// The reply's headers are longer than may be.
        case headersTooLarge = "headers_too_large"
        /// The connection ended before the reply did.
        case closedEarly = "closed_early"
        /// What came is not HTTP.
        case malformedReply = "malformed_reply"
        /// The task was cancelled, or the transport closed.
        case cancelled
        /// Neither https nor a loopback address that was allowed.
        case insecure = "insecure_url"
        /// The URL or a header cannot be sent as it stands.
        case malformedRequest = "malformed_request"
        /// More requests wait than may.
        case overloaded
        /// The host asked to be left alone for longer than the deadline; it was not asked again.
        case paused
        /// Anything else between here and the host.
        case network = "network_failed"
    }

    /// What went wrong.
    public let reason: Reason
    /// The host that was to be asked; empty when the URL names none.
    public let host: String

    /// States what went wrong.
    public init(_ reason: Reason, host: String) {
        self.reason = reason
        self.host = host
    }

    /// The stable name for programs.
    public var code: String { reason.rawValue }

    /// True when the host cannot have seen the request.
    public var isSurelyUnsent: Bool {
        switch reason {
        case .timeout, .tooLarge, .headersTooLarge, .closedEarly, .malformedReply, .cancelled,
            .network:
            false
        case .dns, .refused, .unreachable, .connectTimeout, .untrusted, .wrongHost, .expired,
            .notYetValid, .tls, .rootsUnusable, .insecure, .malformedRequest, .overloaded, .paused:
            true
        }
    }

    /// True when the same request may well go through a little later.
    public var isPassing: Bool {
        switch reason {
        case .dns, .refused, .unreachable, .connectTimeout, .timeout, .closedEarly, .network: true
        default: false
        }
    }

    /// One sentence for a person.
    public var message: String {
        switch reason {
        case .dns: "The name \(host) cannot be looked up."
        case .refused: "\(host) takes no connection."
        case .unreachable: "There is no way to \(host) from here."
        case .connectTimeout: "No connection to \(host) came about in time."
        case .timeout: "\(host) did not answer in time."
        case .untrusted: "The certificate of \(host) does not lead to a trusted root."
        case .wrongHost: "The certificate that \(host) shows is another host's."
        case .expired: "The certificate of \(host) has expired."
        case .notYetValid: "The certificate of \(host) is not valid yet."
        case .tls: "No encrypted connection to \(host) came about."
        case .rootsUnusable: "The file of trusted roots cannot be used."
        case .tooLarge: "The reply of \(host) is longer than is read."
        case .headersTooLarge: "The headers of \(host) are longer than is read."
        case .closedEarly: "\(host) closed the connection before its reply was whole."
        case .malformedReply: "What \(host) sent is not HTTP."
        case .cancelled: "The request to \(host) was cancelled."
        case .insecure: "The request to \(host) would go unencrypted."
        case .malformedRequest: "The request cannot be sent as it stands."
        case .overloaded: "Too many requests wait already."
        case .paused: "\(host) asked to be left alone for a while."
        case .network: "The connection to \(host) failed."
        }
    }

    /// What to do about it.
    public var hint: String {
        switch reason {
        case .dns, .refused, .unreachable, .connectTimeout:
            "Check this machine's network and the provider's status page."
        case .timeout, .closedEarly, .network, .overloaded, .paused, .cancelled: "Ask again later."
        case .untrusted: "Something between may be reading along; or name your own roots."
        case .wrongHost: "Check the name's address, and what stands between."
        case .expired, .notYetValid: "Check this machine's clock; else tell the provider."
        case .tls: "Check what stands between; TLS 1.2 or later is needed."
        case .rootsUnusable: "Give a readable PEM file."
        case .tooLarge, .headersTooLarge, .malformedReply:
            "Check that the address is the provider's."
        case .insecure: "Use https; http is for loopback addresses that were allowed."
        case .malformedRequest: "This is a fault of the adapter; please report it."
        }
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}
