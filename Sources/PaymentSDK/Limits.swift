/// The bounds of the payment API; names say the unit.
enum Limits {
    /// How long an order's name may be.
    static let orderBytes = 255
    /// How long the server may take to make a session.
    static let sessionSeconds: Int64 = 30
    /// How many orders are remembered; paid ones go first, then the oldest.
    static let orders = 1_024
    /// The length of a random key.
    static let keyBytes = 16
}
