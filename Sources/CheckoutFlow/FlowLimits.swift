/// The bounds of a flow; names say the unit.
enum FlowLimits {
    /// How long a page may take to go away before it is taken for gone.
    static let dismissSeconds: Int64 = 5
    /// How many handled return URLs are remembered, so that a second delivery is known.
    static let recentReturns = 8
    /// For how long the same URL, again, is the system's second telling and no other checkout's.
    static let secondDeliverySeconds: UInt64 = 10
    /// How many half seconds in the foreground a page may take to come up.
    static let presentationTicks = 10
    /// How long one of them is.
    static let presentationTickMilliseconds = 500
}
