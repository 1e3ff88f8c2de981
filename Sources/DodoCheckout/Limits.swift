/// The bounds of the facade; names say the unit.
enum Limits {
    /// How many settled results wait for `acknowledge` before the oldest is let go: apps written
    /// for Dodo's SDK never acknowledge.
    static let unacknowledgedResults = 32
}
