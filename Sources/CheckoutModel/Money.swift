/// An ISO 4217 currency code: three upper-case ASCII letters.
@frozen public struct Currency: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The three letters as bytes, the first in the highest used place.
    public let packed: UInt32

    /// Reads exactly three ASCII letters of either case; nil for anything else.
    ///
    /// Does not check that ISO 4217 lists the code.
    public init?(_ code: some StringProtocol) {
        var packed: UInt32 = 0
        var count = 0
        for byte in code.utf8 {
            let upper = byte & 0xDF
            guard count < 3, (0x41...0x5A).contains(upper) else { return nil }
            packed = packed << 8 | UInt32(upper)
            count += 1
        }
        guard count == 3 else { return nil }
        self.packed = packed
    }

    /// Takes the packed form back; nil unless it holds three upper-case letters.
    @inlinable
    @inline(__always)
    public init?(packed: UInt32) {
        // Without a loop: the fold reads one of these for each record that has an amount.
        func isLetter(_ byte: UInt32) -> Bool { (byte & 0xFF) &- 0x41 < 26 }
        guard packed >> 24 == 0, isLetter(packed >> 16), isLetter(packed >> 8), isLetter(packed)
        else { return nil }
        self.packed = packed
    }

    /// The three letters.
    public var code: String {
        String(
            decoding: [
                UInt8(packed >> 16 & 0xFF), UInt8(packed >> 8 & 0xFF), UInt8(packed & 0xFF),
            ],
            as: UTF8.self)
    }

    /// The three letters.
    public var description: String { code }

    /// Orders by letters.
    public static func < (left: Self, right: Self) -> Bool { left.packed < right.packed }
}

/// An exact amount: whole minor units (cents, fils, yen) of one currency.
///
/// Never a fraction.
@frozen public struct Money: Sendable, Hashable {
    /// Minor units; how many make one major unit is the currency's exponent.
    public let minorUnits: Int64
    /// The currency counted in.
    public let currency: Currency

    /// Pairs an amount with its currency.
    @inlinable
    public init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }
}
