/// What an administrative event covered: a reading, an export, a verification.
public struct AuditNote: Sendable, Hashable {
    /// What was read or run, such as `Q5` or `export csv`.
    public var subject: String
    /// The conditions, in words.
    public var query: String
    /// The positions that were looked at, half open; empty when it covered none.
    public var positions: Range<UInt64>
    /// How many rows came of it; of a verification, how many records an outside head vouches for.
    public var count: UInt64
    /// How it ended, in a word.
    public var result: String
    /// The file's or the log's hash in hexadecimal; empty when there is none.
    public var hash: String
    /// Outside heads that were compared and agree.
    public var anchors: UInt64

    /// Everything but the subject is absent unless given.
    public init(
        subject: String, query: String = "", positions: Range<UInt64> = 0..<0, count: UInt64 = 0,
        result: String = "", hash: String = "", anchors: UInt64 = 0
    ) {
        self.subject = subject
        self.query = query
        self.positions = positions
        self.count = count
        self.result = result
        self.hash = hash
        self.anchors = anchors
    }
}

extension AuditNote {
    func write(to writer: inout ProtobufWriter) {
        writer.string(1, subject)
        writer.string(2, query)
        writer.integer(3, positions.lowerBound)
        writer.integer(4, positions.upperBound)
        writer.integer(5, count)
        writer.string(6, result)
        writer.string(7, hash)
        writer.integer(8, anchors)
    }

    init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init(subject: "")
        var lower: UInt64 = 0
        var upper: UInt64 = 0
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let text)): subject = try String(utf8: text)
            case (2, .bytes(let text)): query = try String(utf8: text)
            case (3, .integer(let value)): lower = value
            case (4, .integer(let value)): upper = value
            case (5, .integer(let value)): count = value
            case (6, .bytes(let text)): result = try String(utf8: text)
            case (7, .bytes(let text)): hash = try String(utf8: text)
            case (8, .integer(let value)): anchors = value
            default: break
            }
        }
        positions = lower < upper ? lower..<upper : 0..<0
    }
}
