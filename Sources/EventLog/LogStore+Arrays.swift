/// The same calls for keys and values that stand in arrays.
extension LogReading {
    @inlinable
    func value<R>(
        _ table: LogTable, _ key: [UInt8], _ body: (RawSpan) throws(LogError) -> R
    ) throws(LogError) -> R? {
        try value(table, key.span.bytes, body)
    }

    @inlinable
    func scan(
        _ table: LogTable, from key: [UInt8],
        _ body: (RawSpan, RawSpan) throws(LogError) -> ScanStep
    ) throws(LogError) {
        try scan(table, from: key.span.bytes, body)
    }
}

extension LogWriting {
    @inlinable
    func put(_ table: LogTable, _ key: UInt64, _ value: [UInt8]) throws(LogError) {
        try put(table, key, value.span.bytes)
    }

    @inlinable
    func put(_ table: LogTable, _ key: [UInt8], _ value: [UInt8]) throws(LogError) {
        try put(table, key.span.bytes, value.span.bytes)
    }

    @inlinable
    func append(_ table: LogTable, _ key: UInt64, _ value: [UInt8]) throws(LogError) {
        try append(table, key, value.span.bytes)
    }

    @inlinable
    @discardableResult
    func delete(_ table: LogTable, _ key: [UInt8]) throws(LogError) -> Bool {
        try delete(table, key.span.bytes)
    }
}
