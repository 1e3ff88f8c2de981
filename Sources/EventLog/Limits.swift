/// The numbers that bound what a log takes and how long it works in one piece.
public enum Limits {
    /// A whole record, header and payload; tile logs write lengths in 16 bits.
    public static let recordBytes = 65_535
    /// The payload of one record.
    public static let payloadBytes = recordBytes - StorageLayout.recordHeaderByteCount
    /// An identity's key; with its marks it stays within LMDB's 511.
    public static let identityKeyBytes = 500
    /// Identities of one request.
    public static let identitiesPerRequest = 64
    /// Events of one `append`; they share one transaction or none is written.
    public static let eventsPerAppend = 4_096
    /// Record bytes of one `append`.
    public static let bytesPerAppend = 4 << 20
    /// Events after which a transaction takes no further caller's batch.
    static let eventsPerTransaction = 4_096
    /// Record bytes after which a transaction takes no further caller's batch.
    static let bytesPerTransaction = 4 << 20
    /// How often the writer gives its turn away while no caller comes back that it just answered.
    static let yieldsForReturningCallers = 64
    /// Events that may wait for the writer; callers beyond are held back.
    static let queuedEvents = 65_536
    /// Record bytes that may wait for the writer; callers beyond are held back.
    static let queuedBytes = 64 << 20
    /// Events after which the projections' rows are written.
    static let checkpointEvents: UInt64 = 8_192
    /// How long the writer is idle before it writes the projections' rows.
    static let idleCheckpointMilliseconds = 1_000
    /// How often other processes' commits are looked for while someone waits for them.
    static let foreignCommitPollMilliseconds = 100
    /// Streams whose folded state and dedupe hashes the writer keeps at hand.
    static let cachedStreams = 32_768
    /// Identity keys that the writer remembers.
    static let recentKeys = 8_192
    /// Bytes of new identities that one chunk of them takes, so that a page takes two chunks.
    @usableFromInline static let freshChunkBytes = 1_800
    /// New identities that wait for a checkpoint to give them their rows, in a small log.
    static let freshIdentitiesAtLeast: UInt64 = 1_024
    /// The same in a large one.
    static let freshIdentitiesAtMost: UInt64 = 16_384
    /// Events after which a long scan lets go of its snapshot and takes a new one.
    static let eventsPerScanSlice: UInt64 = 65_536
    /// Events that one slice of a rebuild or of a user's projection takes.
    static let eventsPerRebuildSlice: UInt64 = 8_192
    /// How often another process's rebuild may be found standing still before it is taken over.
    static let rebuildPatience = 50
    /// Rows that one transaction deletes when a set of rows is emptied.
    static let rowsPerDeletion = 8_192
    /// Records that one element of a live sequence holds at most.
    static let recordsPerArray = 512
    /// Record bytes after which an element of a live sequence takes no further record.
    static let bytesPerArray = 1 << 20
    /// A user projection's name in UTF-8.
    public static let projectionNameBytes = 64
    /// A user projection's own key.
    public static let projectionKeyBytes = 400
    /// Findings that a verification lists; beyond it they are only counted.
    static let findings = 1_000
    /// Named identities that a verification collects before it keeps each once.
    static let namingsAtFirst = 1 << 18
    /// Events after which the log is sealed anew.
    public static let eventsPerSeal: UInt64 = 1_024
    /// How long news may stand unsealed.
    public static let sealInterval = Duration.seconds(60)
    /// How much longer the writer appends than it seals: on a slow disk seals are rarer.
    static let appendTimePerSealTime = 16
    /// How often seals are published while many are made; the last one always is.
    static let publicationInterval = Duration.seconds(1)
    /// How long sealing rests after it failed.
    static let sealRetryInterval = Duration.seconds(10)
    /// Signatures under one note.
    public static let noteSignatures = 16
    /// A whole signed note; as in Go.
    public static let noteBytes = 1_000_000
    /// Hashes of one proof.
    public static let proofHashes = 63
}
