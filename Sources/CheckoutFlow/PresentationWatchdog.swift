/// Says when a page that was asked for has not come up for too long.
///
/// Counts only the time in which it could have: while the app is in the foreground.
///
/// A value without a clock: whoever shows the page calls ``tick(isActive:)`` twice a second.
public struct PresentationWatchdog: Sendable, Hashable {
    private var left = FlowLimits.presentationTicks

    /// Begins to count.
    public init() {}

    /// Half a second went by; true when the page is overdue.
    public mutating func tick(isActive: Bool) -> Bool {
        if isActive, left > 0 { left -= 1 }
        return left == 0
    }

    /// The error of a page that is overdue; it may appear all the same.
    public static let overdue = CheckoutError(
        .presentationTimedOut, "The page was asked for and did not come up.",
        hint: "Start again; the session is kept, and a page that comes late is taken down.")
}
