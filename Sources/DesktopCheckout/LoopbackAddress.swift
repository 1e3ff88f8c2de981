import CheckoutFlow
import Cryptography

/// Where a loopback listener is reached: `http`, an address of this machine, a port, one path for
/// customers who may have paid and one for those who gave up.
struct LoopbackAddress: Sendable, Hashable {
    let host: String
    let port: UInt16
    let returnPath: String
    let cancelPath: String?

    private var base: String { "http://\(host):\(port)" }

    var returnURL: String { base + returnPath }
    var cancelURL: String? { cancelPath.map { base + $0 } }

    /// Paths that nobody can guess.
    static func random(host: LoopbackListener.Host, port: UInt16) -> LoopbackAddress {
        func token() -> String { Hex.encode(SecureRandom.bytes(DesktopLimits.tokenBytes)) }
        return LoopbackAddress(
            host: host.rawValue, port: port, returnPath: "/return/\(token())",
            cancelPath: "/cancel/\(token())")
    }

    /// Reads URLs that the host chose; throws `INVALID_RETURN_URL`.
    init(returnURL: String, cancelURL: String?) throws(CheckoutError) {
        let (host, port, path) = try Self.parts(returnURL)
        var cancelPath: String?
        if let cancelURL {
            let other = try Self.parts(cancelURL)
            guard other.host == host, other.port == port, other.path != path else {
                throw Self.refusal("The cancel URL is not beside the return URL.")
            }
            cancelPath = other.path
        }
        self.init(host: host, port: port, returnPath: path, cancelPath: cancelPath)
    }

    private init(host: String, port: UInt16, returnPath: String, cancelPath: String?) {
        self.host = host
        self.port = port
        self.returnPath = returnPath
        self.cancelPath = cancelPath
    }

    /// True when the text begins as a loopback URL does.
    static func isLoopback(_ url: String) -> Bool {
        let text = url.lowercased()
        return LoopbackListener.Host.allCases.contains { text.hasPrefix("http://\($0.rawValue):") }
    }

    private static func parts(
        _ url: String
    ) throws(CheckoutError) -> (host: String, port: UInt16, path: String) {
        for host in LoopbackListener.Host.allCases {
            let start = "http://\(host.rawValue):"
            guard url.lowercased().hasPrefix(start) else { continue }
            let rest = url.dropFirst(start.count)
            guard let slash = rest.firstIndex(of: "/"),
                rest[..<slash].allSatisfy({ $0.isASCII && $0.isNumber }),
                let port = UInt16(rest[..<slash]), port > 0
            else { throw refusal("The loopback URL has no port and path.") }
            let path = withoutLastSlash(rest[slash...])
            let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#".utf8.contains($0) }
            guard isPlain, path.utf8.count <= DesktopLimits.forwardedBytes else {
                throw refusal("The loopback URL's path is not plain.")
            }
            return (host.rawValue, port, path)
        }
        throw refusal("The URL does not lead to this machine.")
    }

    private static func refusal(_ message: String) -> CheckoutError {
        CheckoutError(
            .invalidReturnURL, message,
            hint: "Write it as http://127.0.0.1:PORT/PATH, without a query.")
    }

    /// The path as it is compared: one slash at its end makes no difference.
    private static func withoutLastSlash(_ path: Substring) -> String {
        path.count > 1 && path.last == "/" ? String(path.dropLast()) : String(path)
    }

    /// The URL that a browser asked for, when its path is one of ours; nil for any other.
    ///
    /// What no URL may hold is escaped, so that the text is one whatever a browser sent.
    func url(target: [UInt8], host: String) -> String? {
        let hosts = LoopbackListener.Host.allCases.map { "\($0.rawValue):\(port)" }
        let isHere =
            hosts.contains(host.lowercased())
            || (port == 80 && LoopbackListener.Host.allCases.contains { $0.rawValue == host })
        guard isHere else { return nil }
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        var compared = Array(path)
        if compared.count > 1, compared.last == UInt8(ascii: "/") { compared.removeLast() }
        let isReturn = ConstantTime.equal(compared, Array(returnPath.utf8))
        let isCancel = cancelPath.map { ConstantTime.equal(compared, Array($0.utf8)) } ?? false
        guard isReturn || isCancel else { return nil }
        var text = base
        for byte in target {
            if byte > 0x20, byte < 0x7F {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + Hex.encode([byte], letters: .upper)
            }
        }
        return text
    }
}
