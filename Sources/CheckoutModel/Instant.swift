/// A moment as microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Holds no time zone and reads no clock.
public struct Instant: Sendable, Hashable, Comparable {
    /// Microseconds since 1970; negative before it.
    public let microseconds: Int64

    /// Takes microseconds since 1970.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Takes whole seconds since 1970; clamps where microseconds would overflow.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970, rounded towards the past.
    public var seconds: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }
}
