// The library's header brings the system's addresses along: which of the two a member belongs to
// depends on how the modules are built.
import CMicroHTTPD

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An address of IPv4 or IPv6, with a port.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address in its usual form, such as `127.0.0.1` or `::1`.
    package let host: String
    /// The port; 0 where the system is to choose.
    package let port: UInt16
    package let isIPv6: Bool

    /// Reads an address; `localhost` is 127.0.0.1, brackets around IPv6 may be left out.
    ///
    /// Names are not looked up. Throws `INVALID_ADDRESS`.
    package init(_ text: String, port: UInt16) throws(ServerError) {
        let plain =
            text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        var four = in_addr()
        var six = in6_addr()
        if plain == "localhost" || inet_pton(AF_INET, plain, &four) == 1 {
            (host, isIPv6) = (plain == "localhost" ? "127.0.0.1" : plain, false)
        } else if inet_pton(AF_INET6, plain, &six) == 1 {
            (host, isIPv6) = (plain, true)
        } else {
            throw ServerError(
                .invalidAddress, "'\(text)' is no address.",
                hint: "Give an IPv4 or IPv6 address, such as 127.0.0.1 or ::1.")
        }
        self.port = port
    }

    private init(host: String, port: UInt16, isIPv6: Bool) {
        self.host = host
        self.port = port
        self.isIPv6 = isIPv6
    }

    /// As it stands in a URL.
    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// True when only programs of this machine can reach it.
    package var isLoopback: Bool { isIPv6 ? host == "::1" : host.hasPrefix("127.") }

    func with(port: UInt16) -> SocketAddress {
        SocketAddress(host: host, port: port, isIPv6: isIPv6)
    }

    /// Lends the form that system calls take.
    func withSystemAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            return Self.lend(&address, body)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return Self.lend(&address, body)
    }

    private static func lend<Address, R>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) -> R {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// Reads the system's form; nil for other families.
    ///
    /// IPv4 inside IPv6 reads as IPv4.
    init?(_ address: UnsafePointer<sockaddr>) {
        let family = Int32(address.pointee.sa_family)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let raw = UnsafeRawPointer(address)
        let port: UInt16
        switch family {
        case AF_INET:
            var value = raw.loadUnaligned(as: sockaddr_in.self)
            inet_ntop(AF_INET, &value.sin_addr, &text, socklen_t(text.count))
            port = UInt16(bigEndian: value.sin_port)
        case AF_INET6:
            var value = raw.loadUnaligned(as: sockaddr_in6.self)
            inet_ntop(AF_INET6, &value.sin6_addr, &text, socklen_t(text.count))
            port = UInt16(bigEndian: value.sin6_port)
        default: return nil
        }
        let host = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let mapped = "::ffff:"
        let isMapped = host.hasPrefix(mapped) && host.contains(".")
        self.init(
            host: isMapped ? String(host.dropFirst(mapped.count)) : host, port: port,
            isIPv6: family == AF_INET6 && !isMapped)
    }

    /// The address that a socket is bound to.
    static func bound(to descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &size) == 0 ? SocketAddress(address) : nil
            }
        }
    }
}
