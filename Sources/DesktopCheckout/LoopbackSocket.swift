import CheckoutFlow

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Sockets that listen on one port of this machine alone.
enum LoopbackSocket {
    /// Binds 127.0.0.1 and, where the machine has it, [::1]; 0 looks for a port free on both.
    ///
    /// Throws `PORT_IN_USE`, `PLATFORM_ERROR`.
    static func pair(port: UInt16) throws(CheckoutError) -> (port: UInt16, sockets: [Int32]) {
        for _ in 0..<DesktopLimits.portTries {
            let first = bound(AF_INET, port)
            guard case .listening(let socket, let chosen) = first else {
                throw error(first, port)
            }
            switch bound(AF_INET6, chosen) {
            case .listening(let second, _): return (chosen, [socket, second])
            case .unsupported: return (chosen, [socket])
            case .taken where port == 0: close(socket)
            case let failed:
                close(socket)
                throw error(failed, port)
            }
        }
        throw error(.taken, port)
    }

    private enum Outcome {
        case listening(Int32, port: UInt16)
        case taken
        /// The machine does not speak this family of addresses.
        case unsupported
        case failed(Int32)

        /// What the last failed call says.
        static var ofLastCall: Outcome {
            switch errno {
            case EADDRINUSE: .taken
            case EAFNOSUPPORT, EADDRNOTAVAIL: .unsupported
            default: .failed(errno)
            }
        }
    }

    private static func error(_ outcome: Outcome, _ port: UInt16) -> CheckoutError {
        switch outcome {
        case .taken:
            let which = port == 0 ? "No port is free" : "Port \(port) is in use"
            return CheckoutError(
                .portInUse, "\(which) on this machine.",
                hint: "Let the system choose a port, or end the program that listens there.")
        case .failed(let number):
            return CheckoutError(
                .platform, "Cannot listen on port \(port): \(String(cString: strerror(number))).",
                hint: "Ports below 1024 are for the administrator.")
        case .unsupported, .listening:
            return CheckoutError(
                .platform, "This machine has no loopback address.",
                hint: "Bring its loopback network interface up.")
        }
    }

    private static func bound(_ family: Int32, _ port: UInt16) -> Outcome {
        #if canImport(Darwin)
            let handle = socket(family, SOCK_STREAM, 0)
        #else
            let handle = socket(
                family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard handle >= 0 else { return .ofLastCall }
        _ = fcntl(handle, F_SETFD, FD_CLOEXEC)
        _ = fcntl(handle, F_SETFL, O_NONBLOCK)
        // A given port must be there again right after an earlier checkout used it. This never
        // shares a port with a socket that listens.
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if family == AF_INET6 {
            setsockopt(handle, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size)
        }
        guard bind(handle, family, port) == 0, listen(handle, SOMAXCONN) == 0 else {
            let outcome = Outcome.ofLastCall
            close(handle)
            return outcome
        }
        return .listening(handle, port: port == 0 ? self.port(of: handle) : port)
    }

    private static func bind(_ handle: Int32, _ family: Int32, _ port: UInt16) -> Int32 {
        if family == AF_INET6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return withSocketAddress(&address) { systemBind(handle, $0, $1) }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withSocketAddress(&address) { systemBind(handle, $0, $1) }
    }

    private static func port(of handle: Int32) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(handle, $0, &size)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// Lends an address in the form that system calls take.
func withSocketAddress<Address, Result>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<Address>.size))
        }
    }
}

private func systemBind(
    _ handle: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
    bind(handle, address, size)
}
