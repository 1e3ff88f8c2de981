/// One of the two sets of projection rows; one is live while the other can be rebuilt.
@usableFromInline
enum RowSet: UInt8, Sendable {
    case a = 0
    case b = 1

    var other: RowSet { self == .a ? .b : .a }
    @usableFromInline var streams: LogTable { self == .a ? .streamsA : .streamsB }
    var open: LogTable { self == .a ? .openA : .openB }
    var outcomes: LogTable { self == .a ? .outcomesA : .outcomesB }
}

/// How far the live rows have read the log: every record before `position` is in them.
@usableFromInline
struct Watermark: Sendable, Hashable {
    @usableFromInline var set: RowSet
    @usableFromInline var foldVersion: UInt32
    @usableFromInline var position: UInt64
}

/// A rebuild under way: whose it is and how far the other set has read.
struct RebuildMark: Sendable, Hashable {
    var owner: UInt64
    var foldVersion: UInt32
    var position: UInt64
}

extension LogReading {
    func watermark() throws(LogError) -> Watermark {
        let mark = try value(.meta, MetaKey.projections) { (row) throws(LogError) in
            guard row.byteCount == MetaKey.watermarkByteCount,
                let set = RowSet(rawValue: row.field(0))
            else { throw .damagedRow("The projections' watermark") }
            return Watermark(set: set, foldVersion: row.field(4), position: row.field(8))
        }
        guard let mark else { throw .damagedRow("The projections' watermark") }
        return mark
    }

    /// The watermark of rows that this schema's fold made.
    func watermark<Schema: LogSchema>(of schema: Schema.Type) throws(LogError) -> Watermark {
        let mark = try watermark()
        guard mark.foldVersion == Schema.foldVersion else {
            throw LogError(
                .foldVersionChanged,
                "The projections were rebuilt by version \(mark.foldVersion) of the fold.",
                hint: "Open the ledger again; this program folds by version \(Schema.foldVersion).")
        }
        return mark
    }

    func rebuildMark() throws(LogError) -> RebuildMark? {
        try value(.meta, MetaKey.rebuild) { (row) throws(LogError) in
            guard row.byteCount == MetaKey.rebuildByteCount else {
                throw .damagedRow("The mark of a rebuild")
            }
            return RebuildMark(
                owner: row.field(0), foldVersion: row.field(8), position: row.field(16))
        }
    }

    /// One more than the last position; wraps where damage made a key the greatest there is.
    func end() throws(LogError) -> UInt64 { try lastKey(.log).map { $0 &+ 1 } ?? 0 }
}

extension LogError {
    /// Rows cannot have read what the log does not hold.
    static let watermarkBeyondEnd = LogError.damagedRow("The projections' watermark")
}

extension LogWriting {
    func put(_ mark: Watermark) throws(LogError) {
        var row: [UInt8] = [mark.set.rawValue, 0, 0, 0]
        row.add(mark.foldVersion)
        row.add(mark.position)
        try put(.meta, MetaKey.projections, row)
    }

    func put(_ mark: RebuildMark) throws(LogError) {
        var row: [UInt8] = []
        row.add(mark.owner)
        row.add(mark.foldVersion)
        row.add(UInt32(0))
        row.add(mark.position)
        try put(.meta, MetaKey.rebuild, row)
    }
}

extension LogError {
    /// Rows of another fold, which somebody who may only read cannot build anew.
    static func isOutdated(_ mark: Watermark, _ wanted: UInt32) -> LogError {
        LogError(
            .foldVersionChanged,
            "The projections are of version \(mark.foldVersion) of the fold, and this program "
                + "reads version \(wanted).",
            hint: "Open the ledger once for writing, which builds them anew.")
    }
}
