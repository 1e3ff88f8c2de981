/// The bounds of what the checks read and do.
///
/// Names say the unit.
public enum Limits {
    /// The largest vector file that is read, in bytes.
    public static let vectorBytes = 4_194_304
    /// The most findings kept of one check; the rest repeats them.
    public static let findingsPerCheck = 5
    /// Signatures up to this many bytes have each bit flipped, longer ones a bit of each byte.
    static let fullyFlippedBytes = 64
    /// How many signatures the overlong list has.
    static let longListItems = 10_000
    /// How many random inputs each random check tries.
    static let randomRounds = 200
    /// The most events whose every order is folded.
    static let permutedEvents = 6
}
