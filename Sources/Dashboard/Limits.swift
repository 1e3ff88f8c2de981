/// Bounds on what pages read, show and keep.
enum Limits {
    /// Rows of a list on one page.
    static let rowsPerPage = 50
    /// Rows that a list may show at most when its address asks for more.
    static let rowsPerPageAtMost = 500
    /// Events on the first page.
    static let recentEvents = 20
    /// Events that the first page looks through for as many that tell something.
    static let recentEventsScanned: UInt64 = 100
    /// Webhook facts that are kept for the picture of their delays.
    static let delayPoints = 400
    /// Records that are read from one snapshot.
    static let eventsPerDigestSlice: UInt64 = 65_536
    /// Changed streams for which the memory of their set is kept.
    static let unsettledKept = 4_096
    /// Facts that the picture of a timeline draws; the table has them all.
    static let factsDrawn = 60
    /// Facts that the table of a timeline shows.
    static let factsShown = 2_000
    /// Days of the funnel's table.
    static let funnelDays = 30
    /// Bytes of a delivery's body that a page shows.
    static let bodyBytesShown = 16 * 1_024
    /// Runs of a verification that are remembered.
    static let verificationRuns = 20
    /// Longest text that the jump box takes, in bytes.
    static let jumpBytes = 1_100
    /// How often a live page hears that the server is still there.
    static let heartbeatSeconds = 15
    /// How old a session is before the first page calls it abandoned, µs.
    static let patience: Int64 = 600_000_000
    /// How long a checkpoint may stand still, µs, while the log is more than a batch ahead of it.
    static let stuckAfter: Int64 = 60_000_000
    /// Events that rows are ordinarily behind: two batches of the writer.
    static let ordinaryLag: UInt64 = 16_384
    /// Deliveries whose sealed bytes one timeline opens.
    static let deliveriesOpened = 50
    /// Events that are looked for behind the one that caused them.
    static let effectsShown = 64
    /// Messages that wait for a slow reader of the live stream; older ones are dropped.
    static let liveBuffered = 4
    /// Bytes of a form.
    static let formBytes = 8_192
}
