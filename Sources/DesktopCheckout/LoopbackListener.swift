public import CheckoutFlow
import Synchronization

/// Waits on this machine's own addresses for the browser to come back (RFC 8252, section 7.3).
///
/// Listens from its making on, at 127.0.0.1 and [::1], and answers one random path, once,
/// with a page that says the window may be closed. Takes GET alone; a second load of the path is
/// answered 410 and handed to nobody, any other path 404. Needs nothing to be registered, and is
/// over when it is closed or released.
///
/// What comes by it is a hint like every return: any program of this machine could send it, if it
/// knew the path.
public final class LoopbackListener: ReturnChannel {
    /// How the machine is named in the URL; it listens at both addresses all the same.
    public enum Host: String, Sendable, Hashable, CaseIterable {
        /// `127.0.0.1`, what RFC 8252 recommends.
        case ipv4 = "127.0.0.1"
        /// `[::1]`.
        case ipv6 = "[::1]"
        /// `localhost`, for providers that refuse addresses.
        case localhost
    }

    /// Where the customer is sent after the page; give it to the server that makes the session.
    public let returnURL: String
    /// Where customers who give up may be sent, if the session is to have such a URL; nil when a
    /// listener was made without.
    public let cancelURL: String?
    private let gate: ReturnGate
    private let servers: [LoopbackServer]

    /// Listens at a random path, and at a free port unless one is given.
    ///
    /// Throws `PORT_IN_USE`, `PLATFORM_ERROR`.
    public convenience init(
        host: Host = .ipv4, port: UInt16 = 0, page: ReturnPage = ReturnPage()
    ) throws(CheckoutError) {
        let (chosen, sockets) = try LoopbackSocket.pair(port: port)
        try self.init(.random(host: host, port: chosen), sockets, page)
    }

    /// Listens at URLs that the host chose: `http`, one of the three hosts, a port, a path.
    ///
    /// The path should be one that nobody guesses, and another one for each checkout. Throws
    /// `INVALID_RETURN_URL`, `PORT_IN_USE`, `PLATFORM_ERROR`.
    public convenience init(
        returnURL: String, cancelURL: String? = nil, page: ReturnPage = ReturnPage()
    ) throws(CheckoutError) {
        let address = try LoopbackAddress(returnURL: returnURL, cancelURL: cancelURL)
        let (_, sockets) = try LoopbackSocket.pair(port: address.port)
        try self.init(address, sockets, page)
    }

    private init(
        _ address: LoopbackAddress, _ sockets: [Int32], _ page: ReturnPage
    ) throws(CheckoutError) {
        returnURL = address.returnURL
        cancelURL = address.cancelURL
        gate = ReturnGate(room: 1)
        let answers = LoopbackAnswers(address: address, page: page, gate: gate)
        servers = try LoopbackServer.start(on: sockets, answers)
    }

    deinit { close() }

    /// True for a URL that `init(returnURL:)` listens at: `http`, this machine and a port.
    public static func canListen(at url: String) -> Bool { LoopbackAddress.isLoopback(url) }

    /// Throws `PLATFORM_ERROR` once it is closed.
    public func check() throws(CheckoutError) {
        guard gate.isClosed else { return }
        throw CheckoutError(
            .platform, "The loopback listener is closed.",
            hint: "Make a new listener for each checkout.")
    }

    /// Hands over the one return, also when it came before.
    public func listen(_ take: @escaping @Sendable (String) -> Void) { gate.listen(take) }

    /// Closes the port.
    ///
    /// The answer to the return has been sent when it is handed over, so nothing is cut off.
    public func close() {
        guard gate.close() else { return }
        for server in servers { server.stop() }
    }
}
