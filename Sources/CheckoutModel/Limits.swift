/// The bounds of everything this module reads from outside.
///
/// Past one is a typed error, never a trap.
public enum ModelLimits {
    /// Longest URL text read, in bytes; browsers and mail programs cut far earlier.
    public static let urlBytes = 65_536
    /// Most parameters read from one URL; a provider sends about five.
    public static let urlParameters = 1_024
    /// Longest amount or JSON number read, in bytes; the largest amount needs 21.
    public static let amountBytes = 64
    /// Longest time text read, in bytes; nine decimals and an offset need 35.
    public static let timeBytes = 40
}
