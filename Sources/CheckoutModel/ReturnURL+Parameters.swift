/// One `name=value` of a URL.
///
/// `+` stays `+`: the space of HTML forms has no place in a URL, and reading it would break tagged
/// e-mail addresses. Escapes are decoded once.
public struct Parameter: Sendable {
    let storage: ReturnURLStorage
    let spans: ParameterSpans

    /// The decoded name; as written when its escapes are malformed or not UTF-8.
    public var name: String {
        guard spans.hasForeignName else { return storage.text(spans.name) }
        return storage.validText(spans.name) ?? storage.text(spans.rawName)
    }

    /// The decoded value; as written when its escapes are malformed or not UTF-8, since the text
    /// `%FF` tells a reader more than a replacement character.
    ///
    /// Empty when there is no `=`.
    public var value: String {
        guard spans.hasForeignValue else { return storage.text(spans.value) }
        return storage.validText(spans.value) ?? storage.text(spans.rawValue)
    }

    /// The decoded name, byte for byte.
    public var nameBytes: [UInt8] { storage.bytes(spans.name) }

    /// The decoded value, byte for byte, UTF-8 or not.
    public var valueBytes: [UInt8] { storage.bytes(spans.value) }

    /// The name as it stands in the URL.
    public var rawName: [UInt8] { storage.bytes(spans.rawName) }

    /// The value as it stands in the URL.
    public var rawValue: [UInt8] { storage.bytes(spans.rawValue) }

    /// Tells `name=` (true) from `name` (false).
    public var hasEqualsSign: Bool { spans.hasEqualsSign }
}

/// The parameters of a URL in their order, none dropped but the empty ones between two `&`.
public struct ParameterList: RandomAccessCollection, Sendable {
    let storage: ReturnURLStorage

    /// Always 0.
    public var startIndex: Int { 0 }

    /// How many there are.
    public var endIndex: Int { storage.header.parameterCount }

    /// The parameter at a place below `count`.
    public subscript(position: Int) -> Parameter {
        Parameter(storage: storage, spans: storage.spans(at: position))
    }

    /// The first parameter of that decoded name; case counts.
    public func first(named name: some StringProtocol) -> Parameter? {
        indices(named: name).first.map { self[$0] }
    }

    /// Every value of that name, in order, empty ones too.
    public func values(named name: some StringProtocol) -> [String] {
        indices(named: name).map { self[$0].value }
    }

    /// What the parameters of that name agree on.
    public func uniqueValue(named name: some StringProtocol) -> UniqueValue {
        var found: Parameter?
        for index in indices(named: name) {
            let next = self[index]
            guard !next.spans.value.isEmpty else { continue }
            guard let earlier = found else {
                found = next
                continue
            }
            guard earlier.valueBytes == next.valueBytes else { return .conflict }
        }
        return found.map { .one($0.value) } ?? .absent
    }

    /// Hands every name and value to `body` as text, in order: faster than asking each parameter.
    public func forEachText(_ body: (_ name: String, _ value: String) -> Void) {
        storage.withContents { text, spans in
            for span in spans {
                body(
                    Self.text(span.name, or: span.rawName, span.hasForeignName, in: text),
                    Self.text(span.value, or: span.rawValue, span.hasForeignValue, in: text))
            }
        }
    }

    @inline(__always)
    private static func text(
        _ range: Range<Int>, or raw: Range<Int>, _ isForeign: Bool, in text: URLScanner
    ) -> String {
        if isForeign, String(validating: text.slice(range), as: UTF8.self) == nil {
            return text.string(raw)
        }
        return text.string(range)
    }

    private func indices(named name: some StringProtocol) -> [Int] {
        let wanted = Array(name.utf8)
        return storage.withContents { text, spans in
            spans.indices.filter { text.slice(spans[$0].name).elementsEqual(wanted) }
        }
    }
}

/// What all parameters of one name say together.
///
/// Empty ones say nothing and never erase another.
public enum UniqueValue: Sendable, Hashable {
    /// None, or only empty ones.
    case absent
    /// One value, once or repeated.
    case one(String)
    /// Two different values: which of them counts is not ours to guess.
    case conflict

    /// The value where there is exactly one.
    public var text: String? {
        guard case .one(let text) = self else { return nil }
        return text
    }
}
