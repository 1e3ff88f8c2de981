/// Whether an incoming URL is the registered return URL, and if not, what differs first.
public enum ReturnURLMatch: Sendable, Hashable {
    /// It is.
    case matches
    /// It is some other URL.
    case differs(Difference)
    /// The text is no URL.
    case unreadable(URLTextError)

    /// The component that differs; the first in this order.
    public enum Difference: String, Sendable, Hashable, CaseIterable {
        /// The scheme.
        case scheme
        /// User info stands in one of them, or differs.
        case userInfo = "user_info"
        /// The host.
        case host
        /// The effective port.
        case port
        /// The path.
        case path
    }

    /// True for `matches`.
    public var isMatch: Bool { self == .matches }

    /// The stable word for programs; nil when it matches.
    public var code: String? {
        switch self {
        case .matches: nil
        case .differs(let difference): difference.rawValue
        case .unreadable(let error): error.code
        }
    }
}

extension ReturnURLPattern {
    /// Compares a URL that was read already.
    public func match(_ url: ReturnURL) -> ReturnURLMatch {
        let parts = url.storage.header.parts
        let difference = url.storage.withContents { bytes, _ in
            firstDifference(from: parts, in: bytes)
        }
        return difference.map { .differs($0) } ?? .matches
    }

    /// Reads and compares a text.
    public func match(_ text: String) -> ReturnURLMatch {
        do throws(URLTextError) {
            return match(try ReturnURL(parsing: text))
        } catch {
            return .unreadable(error)
        }
    }

    @inline(__always)
    func firstDifference(
        from parts: URLParts, in bytes: UnsafePointer<UInt8>
    ) -> ReturnURLMatch.Difference? {
        text.withUnsafeBufferPointer { mine in
            guard let mine = mine.baseAddress else { return .scheme }
            return firstDifference(from: parts, in: bytes, mine)
        }
    }

    @inline(__always)
    private func firstDifference(
        from parts: URLParts, in bytes: UnsafePointer<UInt8>, _ mine: UnsafePointer<UInt8>
    ) -> ReturnURLMatch.Difference? {
        guard Self.isEqualFolded(bytes, parts.scheme, mine, scheme) else { return .scheme }
        guard parts.hasUserInfo == (userInfo != nil) else { return .userInfo }
        if let ours = userInfo, let theirs = parts.userInfo {
            guard Self.isEqual(bytes, theirs, mine, ours) else { return .userInfo }
        }
        guard parts.hasAuthority else { return .host }
        if !Self.isEqualFolded(bytes, parts.host, mine, host) {
            let theirs = Self.slice(bytes, parts.host)
            guard !isHostASCII || theirs.contains(where: { $0 >= 0x80 }),
                HostName.areEqual(theirs, Self.slice(mine, host))
            else { return .host }
        }
        guard (parts.port ?? defaultPort) == port else { return .port }
        return isSamePath(bytes, parts.path, mine) ? nil : .path
    }

    @inline(__always)
    private func isSamePath(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ mine: UnsafePointer<UInt8>
    ) -> Bool {
        let slash = UInt8(ascii: "/")
        var end = range.upperBound
        while end > range.lowerBound &+ 1, bytes[end &- 1] == slash { end &-= 1 }
        if end == range.lowerBound { return path.count == 1 && mine[path.lowerBound] == slash }
        // Our path is a normal form, so bytes equal to it are in normal form too.
        if Self.isEqual(bytes, range.lowerBound..<end, mine, path) { return true }
        return URLNormal.path(Self.slice(bytes, range.lowerBound..<end))
            .elementsEqual(Self.slice(mine, path))
    }

    private static func slice(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>
    ) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }

    @inline(__always)
    private static func isEqual(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ mine: UnsafePointer<UInt8>,
        _ other: Range<Int>
    ) -> Bool {
        guard range.count == other.count else { return false }
        var index = 0
        while index < other.count {
            guard bytes[range.lowerBound &+ index] == mine[other.lowerBound &+ index] else {
                return false
            }
            index &+= 1
        }
        return true
    }

    /// Ours is in lower case already.
    @inline(__always)
    private static func isEqualFolded(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ mine: UnsafePointer<UInt8>,
        _ other: Range<Int>
    ) -> Bool {
        guard range.count == other.count else { return false }
        var index = 0
        while index < other.count {
            let byte = URLNormal.fold(bytes[range.lowerBound &+ index])
            guard byte == mine[other.lowerBound &+ index] else { return false }
            index &+= 1
        }
        return true
    }
}
