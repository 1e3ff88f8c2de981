/// The log as it stands at one moment; nothing that is committed later is seen.
///
/// Lent by ``EventLog/read(_:)`` and valid only there. Records are lent in turn and are copied
/// with `Record(view)` where they are to be kept. Short: a snapshot that is held for long keeps
/// the storage from using its free pages again.
public struct Snapshot<Schema: LogSchema, Store: LogStore>: ~Copyable {
    let reader: Store.Reader
    let cache: TailCache<Schema>
    let fresh: FreshCache
    private let own = OwnTail<Schema>()

    /// One more than the last position; 0 for an empty log.
    public let end: UInt64
    /// Which ledger this is.
    public let identity: LedgerIdentity

    init(
        _ reader: Store.Reader, _ log: EventLog<Schema, Store>
    ) throws(LogError) {
        self.reader = reader
        cache = log.cache
        fresh = log.fresh
        identity = log.identity
        end = try reader.end()
    }

    /// Lends the record at a position; throws `DAMAGED` when it is missing or cannot be read.
    public func record<R>(
        at position: UInt64, _ body: (borrowing RecordView) throws -> R
    ) throws -> R {
        try reader.record(at: position) { (record) throws(LogError) in
            Result { try body(record) }
        }.get()
    }

    /// A copy of the record at a position; throws `DAMAGED` when it is missing or unreadable.
    public func record(at position: UInt64) throws(LogError) -> Record {
        try reader.record(at: position) { Record($0) }
    }

    /// Lends the tail of the fold at this snapshot's end.
    func withTail<R>(
        _ body: (inout Tail<Schema>, RowSet) throws(LogError) -> R
    ) throws(LogError) -> R {
        let mark = try reader.watermark(of: Schema.self)
        guard mark.position <= end else { throw .watermarkBeyondEnd }
        let shared = try cache.withTail(to: end, reader, mark) { (tail) throws(LogError) in
            try body(&tail, mark.set)
        }
        if let shared { return shared }
        // Another reader is further on: this snapshot folds for itself.
        var tail = own.tail ?? Tail(at: mark.position)
        try tail.catchUp(to: end, reader, over: mark)
        let result = try body(&tail, mark.set)
        own.tail = tail
        return result
    }
}

/// The tail that an older snapshot folded for itself; used on the snapshot's thread only.
private final class OwnTail<Schema: LogSchema> {
    var tail: Tail<Schema>?
}

extension EventLog {
    /// Runs `body` on one consistent snapshot and gives its result.
    ///
    /// Must not call back into the log's blocking calls. Throws what `body` throws, and
    /// `LOG_CLOSED`, `STORAGE_FAILED`.
    public func read<R>(
        _ body: (borrowing Snapshot<Schema, Store>) throws -> R
    ) throws -> R {
        try whileOpen { () throws(LogError) in
            try store.read { (reader) throws(LogError) in
                let snapshot = try Snapshot(reader, self)
                return Result { try body(snapshot) }
            }
        }.get()
    }

    /// The same for a body that throws the log's errors only.
    func reading<R>(
        _ body: (borrowing Snapshot<Schema, Store>) throws(LogError) -> R
    ) throws(LogError) -> R {
        try whileOpen { () throws(LogError) in
            try store.read { (reader) throws(LogError) in
                try body(try Snapshot(reader, self))
            }
        }
    }
}
