/// The bounds of the sandbox.
///
/// Names say the unit.
package enum SandboxLimits {
    /// The largest request body that is read, in bytes.
    package static let bodyBytes = 65_536
    /// The most checkouts that are held; the oldest one goes when another is made.
    package static let checkouts = 2_000
    /// The longest text of a field, in bytes.
    package static let textBytes = 1_024
    /// How long a checkout can be paid unless its creator says otherwise, in seconds.
    package static let checkoutSeconds: Int64 = 86_400
    /// The longest time that a creator may give a checkout, in seconds.
    package static let longestCheckoutSeconds: Int64 = 30 * 86_400
    /// How long a refund is pending, in seconds.
    package static let refundSeconds: Int64 = 2
    /// How long after a failed attempt the next one is made, in seconds; after the last of them
    /// nothing more is sent unless a person asks for it.
    ///
    /// Shorter at the beginning than real providers have it: whoever tries something waits for it.
    package static let retryDelays: [Int64] = [2, 5, 15, 60, 300, 1_800, 7_200, 21_600]
    /// By how much a webhook is held back where disorder is asked for, in seconds.
    package static let disorderSeconds: Int64 = 4
    /// The most extra copies of a webhook.
    package static let duplicates = 5
    /// The longest delay of a webhook, in seconds.
    package static let delaySeconds: Int64 = 3_600
    /// How long an answer to a webhook is awaited, in seconds.
    package static let answerSeconds: Int64 = 15
    /// How many checkouts the control page lists.
    package static let listedCheckouts = 100
    /// How many attempts of one webhook are remembered.
    package static let rememberedAttempts = 32
}
