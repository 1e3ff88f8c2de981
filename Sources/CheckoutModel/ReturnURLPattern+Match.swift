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
    public func match(_ text: some StringProtocol) -> ReturnURLMatch {
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
        guard Self.isEqualFolded(bytes, parts.scheme, scheme) else { return .scheme }
        guard parts.hasUserInfo == (userInfo != nil) else { return .userInfo }
        if let mine = userInfo, let theirs = parts.userInfo {
            guard Self.slice(bytes, theirs).elementsEqual(mine) else { return .userInfo }
        }
        guard parts.hasAuthority else { return .host }
        if !Self.isEqualFolded(bytes, parts.host, host) {
            let theirs = Self.slice(bytes, parts.host)
            guard !isHostASCII || theirs.contains(where: { $0 >= 0x80 }),
                HostName.areEqual(theirs, host)
            else { return .host }
        }
        guard Self.effectivePort(parts.port, scheme: scheme) == port else { return .port }
        return isSamePath(bytes, parts.path) ? nil : .path
    }

    @inline(__always)
    private func isSamePath(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> Bool {
        var end = range.upperBound
        while end > range.lowerBound &+ 1, bytes[end &- 1] == UInt8(ascii: "/") { end &-= 1 }
        if end == range.lowerBound { return path.count == 1 && path[0] == UInt8(ascii: "/") }
        let raw = range.lowerBound..<end
        // `path` is a normal form, so bytes equal to it are in normal form too.
        if Self.isEqual(bytes, raw, path) { return true }
        return URLNormal.path(Self.slice(bytes, raw)) == path
    }

    private static func slice(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>
    ) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }

    @inline(__always)
    private static func isEqual(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ other: [UInt8]
    ) -> Bool {
        guard range.count == other.count else { return false }
        return other.withUnsafeBufferPointer { other in
            var index = 0
            while index < other.count {
                guard bytes[range.lowerBound &+ index] == other[index] else { return false }
                index &+= 1
            }
            return true
        }
    }

    /// `other` is in lower case already.
    @inline(__always)
    private static func isEqualFolded(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ other: [UInt8]
    ) -> Bool {
        guard range.count == other.count else { return false }
        return other.withUnsafeBufferPointer { other in
            var index = 0
            while index < other.count {
                let byte = URLNormal.fold(bytes[range.lowerBound &+ index])
                guard byte == other[index] else { return false }
                index &+= 1
            }
            return true
        }
    }
}
