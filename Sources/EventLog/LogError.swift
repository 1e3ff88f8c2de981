/// Why the log did not do what it was asked; never carries payload bytes or identity keys.
public struct LogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name of what went wrong, fit for programs; new codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// Upper-case words joined by `_`.
        public let rawValue: String

        /// For codes read back from text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's text.
        public var description: String { rawValue }
    }

    /// What went wrong, for programs.
    public let code: Code
    /// One sentence for a person.
    public let message: String
    /// What to do about it.
    public let hint: String
    /// The position it is about, where there is one.
    public let position: UInt64?

    /// Also for engines, which report their failures in the log's words.
    public init(_ code: Code, _ message: String, hint: String, position: UInt64? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.position = position
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}

extension LogError.Code {
    /// The disk or the map has no room; nothing of the batch was written.
    public static let storageFull = Self(rawValue: "STORAGE_FULL")
    /// The engine refused before anything was written.
    public static let storageFailed = Self(rawValue: "STORAGE_FAILED")
    /// The commit failed in a way that leaves open whether the batch is there.
    public static let outcomeUnknown = Self(rawValue: "OUTCOME_UNKNOWN")
    /// The log stopped writing after an unknown outcome or a broken invariant.
    public static let stopped = Self(rawValue: "LOG_STOPPED")
    /// The log was closed.
    public static let closed = Self(rawValue: "LOG_CLOSED")
    /// The ledger was written by a newer version.
    public static let formatTooNew = Self(rawValue: "FORMAT_TOO_NEW")
    /// The storage holds something that is not a ledger.
    public static let notALedger = Self(rawValue: "NOT_A_LEDGER")
    /// The storage was opened for reading only.
    static let readOnly = Self(rawValue: "READ_ONLY")
    /// Another process runs a newer fold over the same ledger; or an older one did, and this one
    /// may only read.
    public static let foldVersionChanged = Self(rawValue: "FOLD_VERSION_CHANGED")
    /// The stream has another number of events than the caller expected.
    public static let revisionConflict = Self(rawValue: "REVISION_CONFLICT")
    /// A request breaks a limit or names an event that does not exist.
    public static let invalidRequest = Self(rawValue: "INVALID_REQUEST")
    /// A stored value cannot be read as what it should be.
    public static let damaged = Self(rawValue: "DAMAGED")
    /// The log's own rules are broken in the storage; it stops writing.
    public static let invariantBroken = Self(rawValue: "INVARIANT_BROKEN")
    /// The caller was cancelled while it was held back; nothing of its batch was written.
    public static let cancelled = Self(rawValue: "CANCELLED")
    /// A second rebuild took over.
    public static let rebuildTakenOver = Self(rawValue: "REBUILD_TAKEN_OVER")
    /// Bytes are no signed note, or its text is no tree head.
    public static let malformedNote = Self(rawValue: "NOTE_MALFORMED")
    /// No known key signed a note.
    public static let noteNotSigned = Self(rawValue: "NOTE_NOT_SIGNED")
    /// A known key's signature does not hold.
    public static let signatureInvalid = Self(rawValue: "SIGNATURE_INVALID")
    /// Bytes are no proof.
    public static let malformedProof = Self(rawValue: "PROOF_MALFORMED")
    /// A proof does not show what it says.
    public static let invalidProof = Self(rawValue: "PROOF_INVALID")
    /// Two logs of one size and different roots were sealed.
    public static let fork = Self(rawValue: "FORK")
    /// The log is shorter than one that was sealed.
    public static let rolledBack = Self(rawValue: "ROLLED_BACK")
    /// The records before a sealed size are not those that were sealed.
    public static let historyRewritten = Self(rawValue: "HISTORY_REWRITTEN")
    /// There is no seal that covers what is asked for.
    public static let notSealed = Self(rawValue: "NOT_SEALED")
}

extension LogError {
    @usableFromInline
    static func invalid(_ message: String) -> LogError {
        LogError(.invalidRequest, message, hint: "Change the request; repeating it cannot help.")
    }

    @usableFromInline static func damagedRecord(at position: UInt64) -> LogError {
        LogError(
            .damaged, "The record at position \(position) cannot be read.",
            hint: "Run a verification: it names every damaged position.", position: position)
    }

    @usableFromInline static func missingRecord(at position: UInt64) -> LogError {
        LogError(
            .damaged, "There is no record at position \(position).",
            hint: "Run a verification: it names every missing position.", position: position)
    }

    @usableFromInline
    static func damagedRow(_ what: String) -> LogError {
        LogError(
            .damaged, "\(what) cannot be read.",
            hint: "Run a verification; rows of projections can be rebuilt from the log.")
    }

    static let isClosed = LogError(
        .closed, "The log is closed.", hint: "Open it again before using it.")
}
