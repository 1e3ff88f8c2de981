/// The bounds of a flow; names say the unit.
enum FlowLimits {
    /// How long a page may take to go away before it is taken for gone.
    static let dismissSeconds: Int64 = 5
    /// How many handled return URLs are remembered, so that a second delivery is known.
    static let recentReturns = 8
}
