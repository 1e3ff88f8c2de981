import CheckoutLedger

/// The bounds of what strangers may cause.
package enum ServingLimits {
    /// Longest body of a webhook, in bytes: the ledger's own.
    static let webhookBytes = CheckoutLedger.Limits.bodyBytes
    /// Longest body of a form, in bytes.
    static let formBytes = 16 * 1_024

    /// Refused webhooks of one provider that are kept at once, and the seconds after which one
    /// more is: what a person needs to see why, and no more than a flood may write.
    static let refusedBurst = 60
    static let refusedSeconds = 120
    /// The same for all providers together; at the worst about 35 MB a day.
    static let refusedInAllBurst = 240
    static let refusedInAllSeconds = 60

    /// Unsigned notes of one provider that are taken at once, and how many more in a second; the
    /// sender of the others is told to come again.
    static let hintBurst = 1_024
    static let hintsPerSecond = 4
    /// Notes that wait for their question to the provider.
    static let waitingHints = 4_096
    /// Records at the log's end that are looked through at start for notes that nobody followed.
    static let hintsLookedFor: UInt64 = 16_384

    /// How long a person stays logged in, in seconds.
    static let sessionSeconds: Int64 = 12 * 3_600
    /// Shortest token, in bytes: 128 bits in hexadecimal.
    package static let tokenBytes = 32
    /// Largest token file, in bytes.
    package static let tokenFileBytes = 4_096

    /// What a provider is told to wait when the ledger cannot write, in seconds.
    static let retrySeconds = 30
    /// Events that rows may lag behind before it counts that they do not move.
    static let lagEvents: UInt64 = 65_536
    /// How long rows may stand still meanwhile, in seconds.
    static let stuckSeconds: Int64 = 60
    /// How long what costs a look through the ledger is shown before it is looked for anew, in
    /// seconds.
    static let countSeconds: Int64 = 60
}
