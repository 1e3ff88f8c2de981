#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A socket that listens; whoever starts a server with it gives it away.
package struct ListeningSocket: Sendable {
    /// The system's number of it.
    package let descriptor: Int32
    /// Where it listens, with the port that the system chose where 0 was asked for.
    package let address: SocketAddress

    /// Listens at an address.
    ///
    /// Throws `PORT_IN_USE`, `PERMISSION_DENIED`, `ADDRESS_UNAVAILABLE`, `START_FAILED`.
    package init(at address: SocketAddress) throws(ServerError) {
        #if canImport(Darwin)
            let handle = socket(address.isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0)
        #else
            let handle = socket(
                address.isIPv6 ? AF_INET6 : AF_INET,
                Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard handle >= 0 else { throw .listening(at: address, number: errno) }
        Self.prepare(handle)
        // The port must be there again right after a restart. This never shares it with a socket
        // that listens.
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if address.isIPv6 {
            setsockopt(handle, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size)
        }
        let isBound = address.withSystemAddress { bind(handle, $0, $1) == 0 }
        guard isBound, listen(handle, ServerLimits.backlog) == 0 else {
            let number = errno
            closeSocket(handle)
            throw .listening(at: address, number: number)
        }
        descriptor = handle
        self.address = SocketAddress.bound(to: handle) ?? address
    }

    private init(inherited handle: Int32, _ address: SocketAddress) {
        descriptor = handle
        self.address = address
    }

    private static func prepare(_ handle: Int32) {
        _ = fcntl(handle, F_SETFD, FD_CLOEXEC)
        _ = fcntl(handle, F_SETFL, fcntl(handle, F_GETFL) | O_NONBLOCK)
    }

    /// The sockets that a service manager opened for this process; none where there are none.
    ///
    /// `variable` reads the environment (`LISTEN_PID`, `LISTEN_FDS`), `firstDescriptor` is 3 by
    /// that convention. Throws `NOT_A_SOCKET`. Source: sd_listen_fds(3).
    package static func inherited(
        variable: (String) -> String?, processID: Int32 = getpid(), firstDescriptor: Int32 = 3
    ) throws(ServerError) -> [ListeningSocket] {
        guard variable("LISTEN_PID").flatMap({ Int32($0) }) == processID,
            let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), count > 0
        else { return [] }
        var sockets: [ListeningSocket] = []
        for offset in 0..<min(count, 64) {
            let handle = firstDescriptor + offset
            var listens: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(handle, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0,
                let address = SocketAddress.bound(to: handle)
            else {
                throw ServerError(
                    .notASocket, "Descriptor \(handle) is no listening TCP socket.",
                    hint: "Use ListenStream= with a port in the socket unit.")
            }
            prepare(handle)
            sockets.append(ListeningSocket(inherited: handle, address))
        }
        return sockets
    }

    /// Lets go of it, where no server was started with it.
    package func close() { closeSocket(descriptor) }
}

func closeSocket(_ descriptor: Int32) { close(descriptor) }
