/// A read model of the user's own: rows made from records, kept in the ledger under a name.
///
/// Reads the log at its own pace and remembers how far it is, in the same transaction as its rows:
/// after a crash each record is applied exactly once. It cannot act on anything but its rows.
public protocol LogProjection: Sendable {
    /// 1 to ``Limits/projectionNameBytes`` bytes in UTF-8; whose rows they are.
    var name: String { get }
    /// A changed version has all rows removed and the log read from the start.
    var version: UInt32 { get }

    /// Takes one record into the rows. What it throws stops the slice; nothing of it is kept.
    func apply(_ record: borrowing RecordView, to rows: inout ProjectionRows) throws
}

/// A projection's rows while a record is applied; sees what it wrote.
public struct ProjectionRows {
    private let prefix: [UInt8]
    private let read: (_ key: [UInt8]) throws(LogError) -> [UInt8]?
    private let write: (_ key: [UInt8], _ value: [UInt8]?) throws(LogError) -> Void

    init(_ name: String, _ writer: some LogWriting) {
        prefix = UserKey.rows(name)
        read = { (key) throws(LogError) in try writer.value(.user, key) { $0.copied() } }
        write = { (key, value) throws(LogError) in
            if let value {
                try writer.put(.user, key, value)
            } else {
                try writer.delete(.user, key)
            }
        }
    }

    /// A copy of the row under a key.
    public func get(_ key: [UInt8]) throws(LogError) -> [UInt8]? { try read(stored(key)) }

    /// Puts or replaces the row under a key of at most ``Limits/projectionKeyBytes`` bytes.
    public mutating func put(_ key: [UInt8], _ value: [UInt8]) throws(LogError) {
        try write(stored(key), value)
    }

    /// Removes the row under a key, if there is one.
    public mutating func delete(_ key: [UInt8]) throws(LogError) { try write(stored(key), nil) }

    private func stored(_ key: [UInt8]) throws(LogError) -> [UInt8] {
        guard key.count <= Limits.projectionKeyBytes else {
            throw .invalid("A projection's key has at most \(Limits.projectionKeyBytes) bytes.")
        }
        return prefix + key
    }
}

/// A user's projection in one log; see ``EventLog/projection(_:)``.
public struct ProjectionHandle<Schema: LogSchema, Store: LogStore, P: LogProjection>: Sendable {
    let log: EventLog<Schema, Store>
    let projection: P

    /// The next position it will read; nil when it has never read, which 0 does not say.
    ///
    /// Throws `LOG_CLOSED`, `DAMAGED`.
    public func checkpoint() throws(LogError) -> UInt64? {
        try log.reading { (snapshot) throws(LogError) in
            let mark = try snapshot.reader.projectionMark(projection.name)
            return mark.flatMap { $0.version == projection.version ? $0.next : nil }
        }
    }

    /// Applies all records up to the log's end, in slices; gives the next position.
    ///
    /// Blocks its caller. Throws what the projection throws, and as ``EventLog/checkpoint()``.
    @discardableResult
    public func catchUp(
        progress: (@Sendable (LogProgress) -> Void)? = nil
    ) throws -> UInt64 {
        while true {
            let projection = projection
            let step = try log.onWriter { (core) throws(LogError) in
                try core.applySlice(projection)
            }.get()
            progress?(step.progress)
            if step.isDone { return step.progress.done }
        }
    }

    /// A copy of the row under a key, as of the last slice.
    public func get(_ key: [UInt8]) throws(LogError) -> [UInt8]? {
        let stored = UserKey.rows(projection.name) + key
        return try log.reading { (snapshot) throws(LogError) in
            try snapshot.reader.value(.user, stored) { $0.copied() }
        }
    }

    /// Lends the rows whose keys begin with a prefix, in order of their keys.
    ///
    /// Throws what `body` throws.
    public func forEach(
        prefix: [UInt8] = [], _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> ScanStep
    ) throws {
        let rows = UserKey.rows(projection.name)
        let first = rows + prefix
        try log.read { snapshot in
            var failure: (any Error)?
            try snapshot.reader.scan(.user, from: first) { (key, value) throws(LogError) in
                guard key.byteCount >= first.count, key.extracting(first: first.count).equals(first)
                else { return .stop }
                do {
                    let own = key.extracting(droppingFirst: rows.count).copied()
                    return try body(own, value.copied())
                } catch {
                    failure = error
                    return .stop
                }
            }
            if let failure { throw failure }
        }
    }
}

extension EventLog {
    /// A user's projection in this log; nothing is read until it catches up.
    ///
    /// Throws `INVALID_REQUEST` for a name that is empty or too long.
    public func projection<P: LogProjection>(
        _ projection: P
    ) throws(LogError) -> ProjectionHandle<Schema, Store, P> {
        guard (1...Limits.projectionNameBytes).contains(projection.name.utf8.count) else {
            throw .invalid(
                "A projection's name has 1 to \(Limits.projectionNameBytes) bytes.")
        }
        return ProjectionHandle(log: self, projection: projection)
    }
}

/// How far a user's projection has read, and by which version.
struct ProjectionMark: Sendable, Hashable {
    var version: UInt32
    var next: UInt64
}

extension LogReading {
    func projectionMark(_ name: String) throws(LogError) -> ProjectionMark? {
        try value(.user, UserKey.checkpoint(name)) { (row) throws(LogError) in
            guard row.byteCount == UserKey.checkpointByteCount else {
                throw .damagedRow("The checkpoint of the projection \(name)")
            }
            return ProjectionMark(version: row.field(0), next: row.field(4))
        }
    }
}

extension UserKey {
    static func checkpoint(_ name: String) -> [UInt8] { [checkpoint] + named(name) }

    static func rows(_ name: String) -> [UInt8] { [row] + named(name) }

    private static func named(_ name: String) -> [UInt8] {
        [UInt8(name.utf8.count)] + Array(name.utf8)
    }
}

extension WriteCore {
    /// Applies the next records to a user's projection; what that throws comes back as a result.
    func applySlice<P: LogProjection>(
        _ projection: P
    ) throws(LogError) -> Result<RebuildStep, any Error> {
        var failure: (any Error)?
        do throws(LogError) {
            return .success(
                try transact { (writer) throws(LogError) in
                    failure = nil
                    return try applySlice(projection, writer, &failure)
                })
        } catch {
            if let failure { return .failure(failure) }
            throw error
        }
    }

    private func applySlice<P: LogProjection>(
        _ projection: P, _ writer: Store.Writer, _ failure: inout (any Error)?
    ) throws(LogError) -> RebuildStep {
        let end = try writer.end()
        var mark = ProjectionMark(version: projection.version, next: 0)
        if let stored = try writer.projectionMark(projection.name) {
            if stored.version == projection.version {
                mark = stored
            } else if try removeRows(projection.name, writer) {
                return RebuildStep(progress: LogProgress(done: 0, total: end), isDone: false)
            }
        }
        guard mark.next <= end else {
            throw .damagedRow("The checkpoint of the projection \(projection.name)")
        }
        let target = min(mark.next + Limits.eventsPerRebuildSlice, end)
        var rows = ProjectionRows(projection.name, writer)
        while mark.next < target {
            // A scan would lend bytes across the writes of the rows.
            let record = try writer.record(at: mark.next) { Record($0) }
            do {
                try record.withView { try projection.apply($0, to: &rows) }
            } catch {
                failure = error
                throw LogError(error)
            }
            mark.next += 1
        }
        var row: [UInt8] = []
        row.add(mark.version)
        row.add(mark.next)
        try writer.put(.user, UserKey.checkpoint(projection.name), row)
        return RebuildStep(
            progress: LogProgress(done: mark.next, total: end), isDone: mark.next == end)
    }

    /// Removes some rows of an older version; false when there are none left.
    private func removeRows(_ name: String, _ writer: Store.Writer) throws(LogError) -> Bool {
        let prefix = UserKey.rows(name)
        var keys: [[UInt8]] = []
        try writer.scan(.user, from: prefix) { (key, _) throws(LogError) in
            guard key.byteCount >= prefix.count, key.extracting(first: prefix.count).equals(prefix)
            else { return .stop }
            keys.append(key.copied())
            return keys.count < Limits.rowsPerDeletion ? .more : .stop
        }
        for key in keys { try writer.delete(.user, key) }
        return !keys.isEmpty
    }
}
