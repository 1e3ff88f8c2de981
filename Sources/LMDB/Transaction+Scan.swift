/// Whether a scan goes on.
@frozen public enum ScanStep: Sendable {
    /// To the next key.
    case next
    /// Not any further.
    case stop
}

extension Transaction where Self: ~Copyable {
    /// Lends keys and values in rising order, from `start` until before `end`.
    ///
    /// Costs about as much as the same loop in C. Throws what `body` throws.
    @inlinable
    public func forEach(
        _ database: Database<IntegerKeys>, from start: UInt64 = 0, to end: UInt64? = nil,
        _ body: (UInt64, RawSpan) throws -> ScanStep
    ) throws {
        try withCursor(database) { cursor in
            var isThere = try cursor.seek(start)
            while isThere {
                let key = cursor.key
                if let end, key >= end { return }
                if case .stop = try body(key, cursor.valueBytes.bytes) { return }
                isThere = try cursor.next()
            }
        }
    }

    /// Lends keys and values in rising order, from `start` until before `end`; both may be keys
    /// that are not there, and nil means without bound.
    ///
    /// Throws `KEY_SIZE` when `start` is no key, and what `body` throws.
    @inlinable
    public func forEach(
        _ database: Database<ByteKeys>, from start: [UInt8]? = nil, to end: [UInt8]? = nil,
        _ body: (RawSpan, RawSpan) throws -> ScanStep
    ) throws {
        try withCursor(database) { cursor in
            var isThere = try start.map { try cursor.seek($0) } ?? cursor.first()
            while isThere {
                let key = cursor.keyBytes
                if let end, !key.lexicographicallyPrecedes(end) { return }
                if case .stop = try body(key.bytes, cursor.valueBytes.bytes) { return }
                isThere = try cursor.next()
            }
        }
    }

    /// Lends keys that begin with `prefix`, and their values, in rising order.
    ///
    /// Throws `KEY_SIZE` when `prefix` is no key, and what `body` throws.
    @inlinable
    public func forEach(
        _ database: Database<ByteKeys>, prefix: [UInt8],
        _ body: (RawSpan, RawSpan) throws -> ScanStep
    ) throws {
        try withCursor(database) { cursor in
            var isThere = try cursor.seek(prefix)
            while isThere {
                let key = cursor.keyBytes
                if !key.starts(with: prefix) { return }
                if case .stop = try body(key.bytes, cursor.valueBytes.bytes) { return }
                isThere = try cursor.next()
            }
        }
    }
}
