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
    public var isMatch: Bool {
        // Not by `==`, which is a call that compares what the other cases hold.
        if case .matches = self { true } else { false }
    }

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
        let storage = url.storage
        let isSame = storage.withText { isAsRegistered($0, pathEnd: storage.pathEnd) }
        return isSame ? .matches : matchSlowly(storage)
    }

    @inline(never)
    private func matchSlowly(_ storage: ReturnURLStorage) -> ReturnURLMatch {
        let difference = storage.withText { firstDifference(from: storage.header.parts, in: $0) }
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

    /// Whether a text up to there is what was registered, byte for byte.
    ///
    /// Then it has the same parts and matches. Most texts that come back are.
    @inline(__always)
    func isAsRegistered(_ theirs: URLScanner, pathEnd: Int) -> Bool {
        text.withUnsafeBufferPointer { text in
            guard let base = text.baseAddress else { return false }
            let count = text.count &- URLScanner.padding
            return pathEnd == count
                && theirs.isEqual(0..<count, to: URLScanner(bytes: base, count: count), 0..<count)
        }
    }

    func firstDifference(
        from parts: URLParts, in theirs: URLScanner
    ) -> ReturnURLMatch.Difference? {
        text.withUnsafeBufferPointer { text in
            guard let base = text.baseAddress else { return .scheme }
            let mine = URLScanner(bytes: base, count: text.count &- URLScanner.padding)
            return firstDifference(from: parts, in: theirs, mine)
        }
    }

    private func firstDifference(
        from parts: URLParts, in theirs: URLScanner, _ mine: URLScanner
    ) -> ReturnURLMatch.Difference? {
        guard theirs.isEqual(parts.scheme, to: mine, scheme, folded: true) else { return .scheme }
        guard parts.hasUserInfo == (userInfo != nil) else { return .userInfo }
        if let ours = userInfo, let userInfo = parts.userInfo {
            guard theirs.isEqual(userInfo, to: mine, ours) else {
                return .userInfo
            }
        }
        guard parts.hasAuthority else { return .host }
        if !theirs.isEqual(parts.host, to: mine, host, folded: true) {
            let other = theirs.slice(parts.host)
            guard !isHostASCII || other.contains(where: { $0 >= 0x80 }),
                HostName.areEqual(other, mine.slice(host))
            else { return .host }
        }
        guard (parts.port ?? defaultPort) == port else { return .port }
        return isSamePath(theirs, parts.path, mine) ? nil : .path
    }

    @inline(__always)
    private func isSamePath(
        _ theirs: URLScanner, _ range: Range<Int>, _ mine: URLScanner
    ) -> Bool {
        let slash = UInt8(ascii: "/")
        var end = range.upperBound
        while end > range.lowerBound &+ 1, theirs.bytes[end &- 1] == slash { end &-= 1 }
        let kept = range.lowerBound..<end
        if kept.isEmpty { return path.count == 1 && mine.bytes[path.lowerBound] == slash }
        // Our path is a normal form, so bytes equal to it are in normal form too.
        if theirs.isEqual(kept, to: mine, path) { return true }
        return URLNormal.path(theirs.slice(kept)).elementsEqual(mine.slice(path))
    }
}
