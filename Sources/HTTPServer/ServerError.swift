#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why a server does not listen.
package struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name of what went wrong, fit for programs.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// Another program listens there.
        case portInUse = "PORT_IN_USE"
        /// The system does not allow it.
        case permissionDenied = "PERMISSION_DENIED"
        /// The text is no address of IPv4 or IPv6.
        case invalidAddress = "INVALID_ADDRESS"
        /// The address is not this machine's.
        case addressUnavailable = "ADDRESS_UNAVAILABLE"
        /// What was handed over is no listening socket.
        case notASocket = "NOT_A_SOCKET"
        /// Threads or memory are lacking.
        case startFailed = "START_FAILED"
    }

    package let code: Code
    /// One sentence for a person.
    package let message: String
    /// What to do about it.
    package let hint: String

    init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// Code, sentence and hint on one line.
    package var description: String { "\(code.rawValue): \(message) \(hint)" }

    /// What a failed call at `address` says by its number.
    static func listening(at address: SocketAddress, number: Int32) -> ServerError {
        let place = "Cannot listen on \(address)"
        switch number {
        case EADDRINUSE:
            return ServerError(
                .portInUse, "\(place): another program does.",
                hint: "End that program, or take another port with --port.")
        case EACCES, EPERM:
            return ServerError(
                .permissionDenied, "\(place): permission denied.",
                hint: "Ports below 1024 need privileges. "
                    + "Try --port 8787 behind a reverse proxy.")
        case EADDRNOTAVAIL, EAFNOSUPPORT:
            return ServerError(
                .addressUnavailable, "\(place): this machine does not have that address.",
                hint: "Use 127.0.0.1, or an address that 'ip address' lists.")
        default:
            return ServerError(
                .startFailed, "\(place): \(String(cString: strerror(number))).",
                hint: "See the system's log.")
        }
    }

    static let noThreads = ServerError(
        .startFailed, "The server could not be started.",
        hint: "The system may be out of threads or memory.")
}
