public import Cryptography

/// What a verification looked at and what it found.
///
/// Sound means that the ledger agrees with itself and with every head that was compared. Whether it
/// is the ledger it was yesterday only a head that was kept elsewhere can tell.
public struct VerificationReport: Sendable, Hashable {
    /// One thing that is not as it must be.
    public struct Finding: Sendable, Hashable {
        /// What is wrong, in one word.
        public let word: Word
        /// The position it is about, where there is one.
        public let position: UInt64?
        /// A sentence for a person; holds no payload and no identity.
        public let message: String
    }

    /// The ways in which a ledger can be wrong; new words may be added.
    public struct Word: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// Lower case.
        public let rawValue: String

        /// For words read back from text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The word's text.
        public var description: String { rawValue }

        /// A record's bytes do not hash to the leaf hash stored behind them.
        public static let edited = Word(rawValue: "edited")
        /// A position has no record.
        public static let missing = Word(rawValue: "missing")
        /// A record's bytes are no record.
        public static let unreadable = Word(rawValue: "unreadable")
        /// A record says that it stands elsewhere.
        public static let displaced = Word(rawValue: "displaced")
        /// A record does not follow its stream's last one, or begins a stream out of turn.
        public static let chainBroken = Word(rawValue: "chain broken")
        /// A record names a cause that is not before it.
        public static let causeBroken = Word(rawValue: "cause broken")
        /// A record's recorded time is before that of the record before it.
        public static let timeBroken = Word(rawValue: "time broken")
        /// A dedupe hash stands twice in one stream.
        public static let duplicate = Word(rawValue: "duplicate")
        /// The stored Merkle frontier or a stored node differs from what the records hash to.
        public static let treeDamaged = Word(rawValue: "tree damaged")
        /// A block's summary differs from its records.
        public static let blockDiffers = Word(rawValue: "block differs")
        /// An identity leads nowhere, or a record names one that is not there.
        public static let identityLost = Word(rawValue: "identity lost")
        /// A row of a projection differs from a fresh fold.
        public static let rowDiffers = Word(rawValue: "row differs")
        /// A stored seal cannot be read, or a known key's signature on it does not hold.
        public static let sealBroken = Word(rawValue: "seal broken")
        /// The records below a sealed size are not those that were sealed.
        public static let historyRewritten = Word(rawValue: "history rewritten")
        /// The log is shorter than one that was sealed.
        public static let rolledBack = Word(rawValue: "rolled back")
        /// A log of the same size and another root was sealed.
        public static let fork = Word(rawValue: "fork")
    }

    /// How many positions were looked at; all records before it were read and hashed.
    public internal(set) var end: UInt64 = 0
    /// How many streams the records make.
    public internal(set) var streams: UInt64 = 0
    /// How many identities were followed.
    public internal(set) var identities: UInt64 = 0
    /// How many block summaries were compared.
    public internal(set) var blocks: UInt64 = 0
    /// How many stored hashes of the tree were compared.
    public internal(set) var nodes: UInt64 = 0
    /// How many stored seals had their roots compared.
    public internal(set) var seals: UInt64 = 0
    /// The greatest size of a stored seal whose root is that of the records; 0 without one.
    public internal(set) var sealedEnd: UInt64 = 0
    /// How many of those have a signature of a key that was given.
    public internal(set) var signedSeals: UInt64 = 0
    /// What became of each anchor, by rising size.
    public internal(set) var anchors: [ComparedAnchor] = []
    /// How many rows of projections were compared; 0 with `comparedRows` false says nothing.
    public internal(set) var rows: UInt64 = 0
    /// False when damaged records left nothing that the rows could be compared with.
    public internal(set) var comparedRows = false
    /// The root hash over all records as they are stored now.
    public internal(set) var root: Digest
    /// What is wrong, in the order found; at most some thousand are listed.
    public internal(set) var findings: [Finding] = []
    /// How many things are wrong, listed or not.
    public internal(set) var findingCount = 0

    /// True when nothing was found.
    public var isSound: Bool { findingCount == 0 }

    /// The greatest size at which a head from elsewhere agrees; nil when there is none.
    ///
    /// What was appended after it nobody outside vouches for.
    public var provenEnd: UInt64? {
        anchors.last { $0.word == nil && $0.anchor.isOutside }?.anchor.size
    }

    init() { root = MerkleFrontier().root() }

    mutating func find(_ word: Word, at position: UInt64?, _ message: String) {
        findingCount += 1
        guard findings.count < Limits.findings else { return }
        findings.append(Finding(word: word, position: position, message: message))
    }
}

/// A head of the log that was kept elsewhere.
public struct Anchor: Sendable, Hashable {
    /// Where it was kept, for messages.
    public let name: String
    /// How many records the log had.
    public let size: UInt64
    /// The root over them.
    public let root: Digest
    /// False for what the same user of the same machine keeps, who could change both.
    public let isOutside: Bool

    /// A head and where it was kept.
    public init(_ head: TreeHead, keptAt name: String, isOutside: Bool = true) {
        self.name = name
        size = head.size
        root = head.root
        self.isOutside = isOutside
    }
}

/// What became of an anchor.
public struct ComparedAnchor: Sendable, Hashable {
    /// The head that was given.
    public let anchor: Anchor
    /// What is wrong; nil where the log agrees with it.
    public let word: VerificationReport.Word?
}
