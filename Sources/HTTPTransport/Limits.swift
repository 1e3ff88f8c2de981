/// The bounds of what this module sends, reads and waits for.
///
/// Names say the unit.
public enum Limits {
    /// The largest body of a reply that is read, in bytes.
    public static let replyBodyBytes = 4_194_304
    /// The headers of one reply together, in bytes.
    public static let replyHeaderBytes = 65_536
    /// The longest URL that is sent, in bytes.
    static let urlBytes = 8_192
    /// How many requests are under way at once; more wait.
    public static let concurrentTransfers = 16
    /// How many requests may wait.
    static let waitingTransfers = 4_096
    /// Handles kept for the next request, of some kilobytes each.
    static let idleHandles = 4
    /// How long an idle worker sleeps, in milliseconds; waking it costs nothing.
    static let idleMilliseconds = 60_000
    /// The longest time to wait that a provider can ask for and get, in seconds.
    static let retryAfterSeconds: Int64 = 86_400
    /// Hosts whose wish to be left alone is remembered.
    static let pausedHosts = 256
    /// Bearer tokens kept.
    static let cachedTokens = 64
    /// Seconds before its end at which a token is fetched anew.
    static let tokenMarginSeconds: Int64 = 60
    /// The lifetime of a token whose reply names none, in seconds.
    static let tokenSecondsUnstated: Int64 = 300
    /// Fetches of keys that are under way at once.
    static let keyFetches = 8
    /// How long the list of a provider's keys is not fetched again, in seconds.
    static let keyListSeconds: Int64 = 60
    /// Random bytes for a provider's request scheme.
    static let nonceBytes = 16
    /// Fetched keys kept.
    static let cachedKeys = 64
    /// How long a fetched key is kept when the reply does not say, in seconds.
    static let keySecondsUnstated: Int64 = 3_600
    /// The longest time a fetched key is kept, in seconds.
    static let keySeconds: Int64 = 86_400
    /// How long a failed fetch of a key is not tried again, in seconds.
    static let keyFailureSeconds: Int64 = 30
    /// The largest certificate file that is read, in bytes.
    static let certificateBytes = 65_536
}
