/// Bounds on what a ledger takes in.
///
/// Exceeding one is a typed error, never a cut.
public enum Limits {
    /// Longest id of a session, payment, order …, in bytes of UTF-8.
    public static let idBytes = 1_024
    /// Longest id that stands in a key as it is; a longer one is found by its hash.
    static let inlineIDBytes = 255
    /// Longest account name, in bytes of UTF-8.
    public static let accountBytes = 64
    /// Longest webhook body, in bytes.
    public static let bodyBytes = 1_048_576
    /// Longest reason or note, in bytes of UTF-8.
    public static let reasonBytes = 4_096
    /// Longest return URL, in bytes.
    public static let returnURLBytes = 16_384
    /// Most bytes of a body in one record: leaves room for header, headers and sealing under the
    /// record limit of 65,535 bytes.
    static let bodyBytesPerRecord = 48 * 1_024
    /// Most bytes of a refused delivery that are kept.
    static let refusedBodyBytes = 16 * 1_024
    /// Most bytes of a delivery's header fields that are kept; more are dropped from the end.
    static let headerBytes = 8 * 1_024
    /// Longest line of a file of JSON lines, in bytes: a record of any size fits.
    public static let lineBytes = 1 << 20
    /// Bytes that are read from a file at a time.
    static let readBytes = 65_536
    /// Records and bytes of an export that are restored in one transaction.
    static let recordsPerRestore = 1_024
    static let bytesPerRestore = 4 << 20
    /// Lines and bytes of an import of event lines that are recorded in one transaction.
    static let linesPerImport = 512
    static let bytesPerImport = 2 << 20
    /// Records after which an export lets go of its snapshot and takes a new one.
    static let recordsPerExportSlice: UInt64 = 8_192
    /// Positions that an export of rows looks at in one piece.
    static let positionsPerExportPage: UInt64 = 1_024
    /// Largest manifest of an export, in bytes.
    public static let manifestBytes = 1 << 20
    /// Most data keys minted in one commit; a ledger that seals little mints fewer.
    static let keyPoolCount = 256
    /// First bytes of a data key's id that all keys of one commit have in common.
    static let sharedKeyIDBytes = 4
    /// Events that a journal takes in from one snapshot.
    static let eventsPerJournalPage = 512
    /// Sessions read on one snapshot.
    static let sessionsPerPage = 256
    /// Sessions whose data key is kept at hand.
    static let cachedKeys = 8_192
    /// Parts of that memory that have a lock each.
    static let keyCacheParts = 16
    /// Rows that are written into a keystore, or looked for, in one transaction.
    static let keyRowsPerCommit = 4_096
    /// How often a key is looked for while rotations go on.
    static let keyAttempts = 8
    /// Largest text of root keys, in bytes: two lines and some room.
    static let rootKeyBytes = 256
    /// How long a program may take to print a root key.
    static let rootKeyCommandSeconds = 30
    /// How often an erasure looks again for what was written while it wrote the keystore anew.
    static let erasureRounds = 4
    /// Destroyed keys that one receipt names; a request with more has several.
    static let keysPerReceipt = 512
    /// Copies that a request may name, and the length of a copy's name in bytes.
    public static let pendingCopies = 32
    /// Longest name of a copy, in bytes of UTF-8.
    public static let copyNameBytes = 128
    /// Events that are searched for addresses in one transaction of the keystore.
    static let eventsPerAddressPage: UInt64 = 4_096
    /// Largest configuration file, in bytes.
    public static let configurationBytes = 1 << 20
    /// Largest file of secrets, in bytes.
    static let secretFileBytes = 1 << 20
    /// Different texts of one member's name that are masked in one body.
    static let secretTextsPerBody = 32
    /// Random bytes for a provider's request scheme.
    static let nonceBytes = 16
    /// Largest file of seal keys, in bytes.
    static let keyFileBytes = 16_384
    /// Largest file of a seal or a proof, in bytes.
    public static let sealFileBytes = 1_000_000
    /// Kinds of things taken out of one event that its record names one by one.
    static let redactionNotes = 32
    /// Rules, fields and sources that are counted apart; further fields are counted together.
    static let redactionCounters = 1_024
    /// Microseconds after which a checkout without an outcome is one that audit asks about.
    static let auditPatience: Int64 = 86_400_000_000
    /// Microseconds after which an event was recorded late.
    static let auditLateness: Int64 = 600_000_000
    /// Microseconds by which two clocks may differ.
    static let auditClockTolerance: Int64 = 300_000_000
    /// Microseconds from which a date is long back: providers retry for days, not for a month.
    static let auditBackDated: Int64 = 2_592_000_000_000
    /// Microseconds in which an erasure that was asked for is to be done: a month.
    static let auditErasureTime: Int64 = 2_592_000_000_000
    /// Acts of one person in a span that are a burst, and the span in microseconds.
    static let auditBurst = 20
    static let auditBurstSpan: Int64 = 60_000_000
}
