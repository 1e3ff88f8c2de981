/// The pairs of an `application/x-www-form-urlencoded` text, in their order, decoded once.
///
/// Source: WHATWG URL Standard §5.1. Stricter than that: a broken escape or a value that is no
/// UTF-8 makes the whole text unreadable, because signatures cover the decoded values.
public struct FormFields: Sendable, Hashable {
    /// Names and values in their order; a name may be repeated.
    public let pairs: [HeaderList.Field]

    /// Decodes a text; nil when it cannot be read or has more than ``Limits/formPairs`` pairs.
    public init?(_ bytes: some Collection<UInt8>) {
        var pairs: [HeaderList.Field] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            guard pairs.count < Limits.formPairs else { return nil }
            let sides = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(sides[0]),
                let value = sides.count == 2 ? Self.decode(sides[1]) : ""
            else { return nil }
            pairs.append(HeaderList.Field(verbatim: name, value))
        }
        self.pairs = pairs
    }

    /// The one value of this name; nil when absent and when it is repeated.
    public subscript(_ name: String) -> String? {
        let found = pairs.filter { $0.name.utf8.elementsEqual(name.utf8) }
        return found.count == 1 ? found[0].value : nil
    }

    private static func decode(_ bytes: some Collection<UInt8>) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit)
                else { return nil }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
