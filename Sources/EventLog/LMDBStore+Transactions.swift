public import LMDB

extension Transaction where Self: ~Copyable {
    @inlinable
    func lend<R>(
        _ database: Database<IntegerKeys>, _ key: UInt64,
        _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        try inLogWords { try get(database, key) { try body($0) } }
    }

    @inlinable
    func lend<R>(
        _ database: Database<ByteKeys>, _ key: RawSpan, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        try inLogWords {
            try key.withUnsafeBytes { key in try get(database, key) { try body($0) } }
        }
    }

    @inlinable
    func lendAll(
        _ database: Database<IntegerKeys>, from key: UInt64,
        _ body: (UInt64, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        try inLogWords {
            try forEach(database, from: key) { key, value in
                try body(key, value) == .more ? .next : .stop
            }
        }
    }

    @inlinable
    func lendAll(
        _ database: Database<ByteKeys>, from key: RawSpan,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        let start = key.copied()
        try inLogWords {
            try forEach(database, from: start.isEmpty ? nil : start) { key, value in
                try body(key, value) == .more ? .next : .stop
            }
        }
    }
}

extension LMDBStore.Reader {
    /// See ``LogReading``.
    @inlinable
    public func value<R>(
        _ table: LogTable, _ key: UInt64, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        try transaction.pointee.lend(tables.numbered(table), key, body)
    }

    /// See ``LogReading``.
    @inlinable
    public func value<R>(
        _ table: LogTable, _ key: RawSpan, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        try transaction.pointee.lend(tables.keyed(table), key, body)
    }

    /// See ``LogReading``.
    @inlinable
    public func scan(
        _ table: LogTable, from key: UInt64,
        _ body: (UInt64, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        try transaction.pointee.lendAll(tables.numbered(table), from: key, body)
    }

    /// See ``LogReading``.
    @inlinable
    public func scan(
        _ table: LogTable, from key: RawSpan,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        try transaction.pointee.lendAll(tables.keyed(table), from: key, body)
    }

    /// See ``LogReading``.
    public func lastKey(_ table: LogTable) throws(LogError) -> UInt64? {
        try inLogWords { try transaction.pointee.lastKey(tables.numbered(table)) }
    }
}

extension LMDBStore.Writer {
    /// See ``LogReading``.
    @inlinable
    public func value<R>(
        _ table: LogTable, _ key: UInt64, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        try transaction.pointee.lend(tables.numbered(table), key, body)
    }

    /// See ``LogReading``.
    @inlinable
    public func value<R>(
        _ table: LogTable, _ key: RawSpan, _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        try transaction.pointee.lend(tables.keyed(table), key, body)
    }

    /// See ``LogReading``.
    @inlinable
    public func scan(
        _ table: LogTable, from key: UInt64,
        _ body: (UInt64, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        try transaction.pointee.lendAll(tables.numbered(table), from: key, body)
    }

    /// See ``LogReading``.
    @inlinable
    public func scan(
        _ table: LogTable, from key: RawSpan,
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        try transaction.pointee.lendAll(tables.keyed(table), from: key, body)
    }

    /// See ``LogReading``.
    @inlinable
    public func lastKey(_ table: LogTable) throws(LogError) -> UInt64? {
        try inLogWords { try transaction.pointee.lastKey(tables.numbered(table)) }
    }

    /// See ``LogWriting``.
    @inlinable
    public func put(_ table: LogTable, _ key: UInt64, _ value: RawSpan) throws(LogError) {
        try inLogWords {
            try value.withUnsafeBytes { value in
                try transaction.pointee.put(tables.numbered(table), key, value)
            }
        }
    }

    /// See ``LogWriting``.
    @inlinable
    public func put(_ table: LogTable, _ key: RawSpan, _ value: RawSpan) throws(LogError) {
        try inLogWords {
            try key.withUnsafeBytes { key in
                try value.withUnsafeBytes { value in
                    try transaction.pointee.put(tables.keyed(table), key, value)
                }
            }
        }
    }

    /// See ``LogWriting``.
    @inlinable
    public func append(_ table: LogTable, _ key: UInt64, _ value: RawSpan) throws(LogError) {
        do {
            try value.withUnsafeBytes { value in
                try transaction.pointee.append(tables.numbered(table), key, value)
            }
        } catch let error as LMDBError where error.code == .keyExists {
            throw .appendOutOfOrder(table, key)
        } catch {
            throw LogError(error)
        }
    }

    /// See ``LogWriting``.
    @inlinable
    @discardableResult
    public func delete(_ table: LogTable, _ key: UInt64) throws(LogError) -> Bool {
        try inLogWords { try transaction.pointee.delete(tables.numbered(table), key) }
    }

    /// See ``LogWriting``.
    @inlinable
    @discardableResult
    public func delete(_ table: LogTable, _ key: RawSpan) throws(LogError) -> Bool {
        try inLogWords {
            try key.withUnsafeBytes { key in
                try transaction.pointee.delete(tables.keyed(table), key)
            }
        }
    }
}
