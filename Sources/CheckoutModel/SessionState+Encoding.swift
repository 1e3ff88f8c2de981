/// The row that a projection keeps of a session, in the order of the fields here.
///
/// `formatVersion` stands first: another one means that the row must be folded anew, never guessed
/// at. Numbers are base-128 varints, the low seven bits first; positions count from the first
/// event's, times from the last record's (the distance's sign in its lowest bit); an absent
/// position or time is 0 and any other one more. References have eight bytes, little-endian. Tables
/// are a count and their rows; the tables that few sessions have are left out together. A row that
/// ends before `commonByteCount` is filled up with zeros: a session's row is rewritten as more is
/// heard of it, and one that keeps its length never splits a page.
extension SessionState {
    /// Bump whenever the row or the fold changes; projections are then rebuilt from the log.
    public static let formatVersion: UInt8 = 1
    /// What the row of a session with one payment takes, and no row falls short of.
    static let commonByteCount = 76

    /// Appends the row.
    public func encode(into bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.reserveCapacity(start + Self.commonByteCount)
        var writer = RowWriter(bytes: bytes)
        bytes = []
        writer.put(Self.formatVersion)
        writer.put(trace)
        writer.put(evidence.marks.rawValue)
        writer.put(evidence.hintedStatuses.rawValue)
        writer.put(evidence.modes)
        writer.table(evidence.expectedTotals) { $0.put($1) }
        writer.table(evidence.payments) { $0.put($1) }
        writer.table(trace.links) { $0.put($1) }
        writer.table(evidence.rare) { $0.put($1) }
        let missing = Self.commonByteCount - (writer.bytes.count - start)
        if missing > 0 { writer.bytes.append(contentsOf: repeatElement(0, count: missing)) }
        bytes = writer.bytes
    }

    /// Reads a row back; any bytes at all, without trapping.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init()
        var reader = RowReader(bytes: bytes)
        guard try reader.get(UInt8.self) == Self.formatVersion else {
            throw PayloadError(offset: 0)
        }
        trace = try reader.trace()
        evidence.marks = .init(rawValue: try reader.get())
        evidence.hintedStatuses = .init(rawValue: try reader.get())
        evidence.modes = try reader.get()
        for _ in 0..<(try reader.count()) {
            guard let money = try reader.money() else {
                throw PayloadError(offset: reader.offset)
            }
            evidence.expectedTotals.append(money)
        }
        for _ in 0..<(try reader.count()) { evidence.payments.append(try reader.payment()) }
        trace.links = try reader.table { (row) throws(PayloadError) in try row.get() }
        switch try reader.get(UInt8.self) {
        case 0: break
        case 1:
            let rare = try reader.rare()
            evidence.updateRare { $0 = rare }
        default: throw PayloadError(offset: reader.offset)
        }
        guard reader.isAtEnd else { throw PayloadError(offset: reader.offset) }
    }
}

/// Appends the fields of a row.
private struct RowWriter {
    var bytes: [UInt8]
    /// What times are counted from.
    var epoch: Int64 = 0

    mutating func put(_ value: some FixedWidthInteger & UnsignedInteger) {
        var rest = UInt64(value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func put(signed value: Int64) {
        put(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// A time, or 0 where it is `absent`.
    mutating func put(_ time: Int64, absent: Int64) {
        if time == absent { return put(UInt8(0)) }
        put(UInt8(1))
        put(signed: time &- epoch)
    }

    /// A position, or 0 where there is none.
    mutating func put(_ position: UInt64, from first: UInt64) {
        put(position == .max ? 0 : position &- first &+ 1)
    }

    mutating func put(_ reference: EventReference) {
        withUnsafeBytes(of: reference.rawValue.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ trace: SessionTrace) {
        put(trace.eventCount)
        put(trace.firstPosition &+ 1)
        put(trace.lastPosition &- trace.firstPosition)
        put(UInt64(bitPattern: trace.lastRecordedAt))
        epoch = trace.lastRecordedAt
        put(trace.openedAt, absent: .max)
        put(trace.namedAt, from: trace.firstPosition)
        put(trace.outcomeAt, from: trace.firstPosition)
    }

    mutating func put(_ money: Money?) {
        put(money?.currency.packed ?? 0)
        if let money { put(signed: money.minorUnits) }
    }

    /// The least and the greatest amount, which nearly always are one.
    mutating func put(_ lowest: Money?, _ highest: Money?) {
        put(UInt8(lowest == highest ? 0 : 1))
        put(lowest)
        if lowest != highest { put(highest) }
    }

    mutating func put(_ register: Register) {
        put(register.at, absent: .min)
        put(register.state)
    }

    mutating func put(_ row: PaymentEvidence) {
        put(row.reference)
        put(row.verified.rawValue)
        put(row.hinted.rawValue)
        put(row.confirmedBy)
        put(row.lowest, row.highest)
        put(row.succeededAt, absent: .max)
        put(row.failedAt, absent: .min)
    }

    mutating func put(_ row: ReversalEvidence) {
        put(row.reference)
        put(row.payment)
        put(row.state)
        put(row.lowest, row.highest)
    }

    mutating func put(_ row: SubscriptionEvidence) {
        put(row.reference)
        put(row.state)
        put(row.everActive ? UInt8(1) : 0)
    }

    mutating func put(_ row: ResolutionEvidence) {
        put(row.reference)
        put(row.outcome.rawValue)
        put(row.decidedAt, absent: .min)
    }

    mutating func put(_ rare: RareEvidence) {
        table(rare.refunds) { $0.put($1) }
        table(rare.disputes) { $0.put($1) }
        table(rare.subscriptions) { $0.put($1) }
        table(rare.resolutions) { $0.put($1) }
        table(rare.replacedResolutions) { $0.put($1) }
    }

    mutating func table<Rows: Collection>(
        _ rows: Rows, _ write: (inout RowWriter, Rows.Element) -> Void
    ) {
        put(UInt(rows.count))
        for row in rows { write(&self, row) }
    }
}

/// Reads what `RowWriter` wrote; every read is checked.
private struct RowReader {
    let bytes: UnsafeRawBufferPointer
    var offset = 0
    var epoch: Int64 = 0

    /// True when nothing but the filling of a common row is left.
    var isAtEnd: Bool {
        offset == bytes.count
            || bytes.count == SessionState.commonByteCount
                && bytes[offset...].allSatisfy { $0 == 0 }
    }

    mutating func get<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard offset < bytes.count else { throw PayloadError(offset: offset) }
            let byte = bytes[offset]
            offset += 1
            // The tenth byte has room for one bit.
            guard shift < 63 || byte <= 1 else { throw PayloadError(offset: offset) }
            value |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else {
                guard let narrow = Value(exactly: value) else {
                    throw PayloadError(offset: offset)
                }
                return narrow
            }
        }
        throw PayloadError(offset: offset)
    }

    mutating func signed() throws(PayloadError) -> Int64 {
        let value: UInt64 = try get()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func time(absent: Int64) throws(PayloadError) -> Int64 {
        guard try get(UInt8.self) != 0 else { return absent }
        return try signed() &+ epoch
    }

    mutating func position(from first: UInt64) throws(PayloadError) -> UInt64 {
        let stored: UInt64 = try get()
        return stored == 0 ? .max : stored &- 1 &+ first
    }

    mutating func reference() throws(PayloadError) -> EventReference {
        guard bytes.count - offset >= 8 else { throw PayloadError(offset: offset) }
        defer { offset += 8 }
        let stored = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return EventReference(rawValue: UInt64(littleEndian: stored))
    }

    mutating func trace() throws(PayloadError) -> SessionTrace {
        var trace = SessionTrace()
        trace.eventCount = try get()
        trace.firstPosition = try get(UInt64.self) &- 1
        trace.lastPosition = try get(UInt64.self) &+ trace.firstPosition
        trace.lastRecordedAt = Int64(bitPattern: try get())
        epoch = trace.lastRecordedAt
        trace.openedAt = try time(absent: .max)
        trace.namedAt = try position(from: trace.firstPosition)
        trace.outcomeAt = try position(from: trace.firstPosition)
        return trace
    }

    mutating func money() throws(PayloadError) -> Money? {
        let packed: UInt32 = try get()
        if packed == 0 { return nil }
        guard let currency = Currency(packed: packed) else { throw PayloadError(offset: offset) }
        return Money(minorUnits: try signed(), currency: currency)
    }

    mutating func bounds() throws(PayloadError) -> (lowest: Money?, highest: Money?) {
        let differ = try get(UInt8.self) != 0
        let lowest = try money()
        return (lowest, differ ? try money() : lowest)
    }

    mutating func register() throws(PayloadError) -> Register {
        Register(at: try time(absent: .min), state: try get())
    }

    mutating func payment() throws(PayloadError) -> PaymentEvidence {
        var row = PaymentEvidence(reference: try reference())
        row.verified = .init(rawValue: try get())
        row.hinted = .init(rawValue: try get())
        row.confirmedBy = try get()
        (row.lowest, row.highest) = try bounds()
        row.succeededAt = try time(absent: .max)
        row.failedAt = try time(absent: .min)
        return row
    }

    mutating func reversal() throws(PayloadError) -> ReversalEvidence {
        var row = ReversalEvidence(reference: try reference())
        row.payment = try reference()
        row.state = try register()
        (row.lowest, row.highest) = try bounds()
        return row
    }

    mutating func subscription() throws(PayloadError) -> SubscriptionEvidence {
        var row = SubscriptionEvidence(reference: try reference())
        row.state = try register()
        row.everActive = try get(UInt8.self) != 0
        return row
    }

    mutating func resolution() throws(PayloadError) -> ResolutionEvidence {
        let reference = try reference()
        guard let outcome = CheckoutStatus(rawValue: try get()) else {
            throw PayloadError(offset: offset)
        }
        return ResolutionEvidence(
            reference: reference, outcome: outcome, decidedAt: try time(absent: .min))
    }

    mutating func rare() throws(PayloadError) -> RareEvidence {
        var rare = RareEvidence()
        rare.refunds = try table { (row) throws(PayloadError) in try row.reversal() }
        rare.disputes = try table { (row) throws(PayloadError) in try row.reversal() }
        rare.subscriptions = try table { (row) throws(PayloadError) in try row.subscription() }
        rare.resolutions = try table { (row) throws(PayloadError) in try row.resolution() }
        rare.replacedResolutions = try table { (row) throws(PayloadError) in
            try row.reference()
        }
        return rare
    }

    /// How many rows follow; each has a byte at least, so that no count makes a long loop.
    mutating func count() throws(PayloadError) -> Int {
        let count: UInt64 = try get()
        guard count <= UInt64(bytes.count - offset) else { throw PayloadError(offset: offset) }
        return Int(count)
    }

    mutating func table<Row>(
        _ read: (inout RowReader) throws(PayloadError) -> Row
    ) throws(PayloadError) -> [Row] {
        var rows: [Row] = []
        for _ in 0..<(try count()) { rows.append(try read(&self)) }
        return rows
    }
}
