/// The row that a projection keeps of a session. Little-endian, in the order of the fields;
/// tables are a 32-bit count and their rows. `formatVersion` stands first: another one means
/// that the row must be folded anew, never guessed at.
extension SessionState {
    /// Bump whenever the row or the fold changes; projections are then rebuilt from the log.
    public static let formatVersion: UInt8 = 1

    /// Appends the row.
    public func encode(into bytes: inout [UInt8]) {
        var writer = RowWriter(bytes: bytes)
        writer.put(Self.formatVersion)
        writer.put(trace.eventCount)
        writer.put(trace.firstPosition)
        writer.put(trace.lastPosition)
        writer.put(trace.lastRecordedAt)
        writer.put(trace.openedAt)
        writer.put(trace.namedAt)
        writer.put(trace.outcomeAt)
        writer.table(trace.links) { $0.put($1) }
        writer.put(evidence.marks.rawValue)
        writer.put(evidence.hintedStatuses.rawValue)
        writer.put(evidence.modes)
        writer.table(evidence.expectedTotals) { $0.put($1) }
        writer.table(evidence.payments) { $0.put($1) }
        writer.table(evidence.refunds) { $0.put($1) }
        writer.table(evidence.disputes) { $0.put($1) }
        writer.table(evidence.subscriptions) { $0.put($1) }
        writer.table(evidence.resolutions) { $0.put($1) }
        writer.table(evidence.replacedResolutions) { $0.put($1.rawValue) }
        bytes = writer.bytes
    }

    /// Reads a row back; any bytes at all, without trapping.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init()
        var reader = RowReader(bytes: bytes)
        guard try reader.get(UInt8.self) == Self.formatVersion else {
            throw PayloadError(offset: 0)
        }
        trace.eventCount = try reader.get()
        trace.firstPosition = try reader.get()
        trace.lastPosition = try reader.get()
        trace.lastRecordedAt = try reader.get()
        trace.openedAt = try reader.get()
        trace.namedAt = try reader.get()
        trace.outcomeAt = try reader.get()
        trace.links = try reader.table { (row) throws(PayloadError) in try row.get() }
        evidence.marks = .init(rawValue: try reader.get())
        evidence.hintedStatuses = .init(rawValue: try reader.get())
        evidence.modes = try reader.get()
        evidence.expectedTotals = try reader.table { (row) throws(PayloadError) in
            guard let money = try row.money() else { throw PayloadError(offset: row.offset) }
            return money
        }
        evidence.payments = try reader.table(RowReader.payment)
        evidence.refunds = try reader.table(RowReader.reversal)
        evidence.disputes = try reader.table(RowReader.reversal)
        evidence.subscriptions = try reader.table(RowReader.subscription)
        evidence.resolutions = try reader.table(RowReader.resolution)
        evidence.replacedResolutions = try reader.table { (row) throws(PayloadError) in
            EventReference(rawValue: try row.get())
        }
        guard reader.offset == bytes.count else { throw PayloadError(offset: reader.offset) }
    }
}

/// Appends fixed-width little-endian fields.
private struct RowWriter {
    var bytes: [UInt8]

    mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ money: Money?) {
        put(money?.currency.packed ?? 0)
        put(money?.minorUnits ?? 0)
    }

    mutating func put(_ register: Register) {
        put(register.at)
        put(register.state)
    }

    mutating func put(_ row: PaymentEvidence) {
        put(row.reference.rawValue)
        put(row.verified.rawValue)
        put(row.hinted.rawValue)
        put(row.confirmedBy)
        put(row.lowest)
        put(row.highest)
        put(row.succeededAt)
        put(row.failedAt)
    }

    mutating func put(_ row: ReversalEvidence) {
        put(row.reference.rawValue)
        put(row.payment.rawValue)
        put(row.state)
        put(row.lowest)
        put(row.highest)
    }

    mutating func put(_ row: SubscriptionEvidence) {
        put(row.reference.rawValue)
        put(row.state)
        put(row.everActive ? UInt8(1) : 0)
    }

    mutating func put(_ row: ResolutionEvidence) {
        put(row.reference.rawValue)
        put(row.outcome.rawValue)
        put(row.decidedAt)
    }

    mutating func table<Row>(_ rows: [Row], _ write: (inout RowWriter, Row) -> Void) {
        put(UInt32(rows.count))
        for row in rows { write(&self, row) }
    }
}

/// Reads what `RowWriter` wrote; every read is checked.
private struct RowReader {
    let bytes: UnsafeRawBufferPointer
    var offset = 0

    mutating func get<Value: FixedWidthInteger>(
        _ type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        let width = MemoryLayout<Value>.size
        guard bytes.count - offset >= width else { throw PayloadError(offset: offset) }
        defer { offset += width }
        return Value(
            littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    mutating func money() throws(PayloadError) -> Money? {
        let packed: UInt32 = try get()
        let minorUnits: Int64 = try get()
        if packed == 0 { return nil }
        guard let currency = Currency(packed: packed) else { throw PayloadError(offset: offset) }
        return Money(minorUnits: minorUnits, currency: currency)
    }

    mutating func register() throws(PayloadError) -> Register {
        Register(at: try get(), state: try get())
    }

    mutating func payment() throws(PayloadError) -> PaymentEvidence {
        var row = PaymentEvidence(reference: EventReference(rawValue: try get()))
        row.verified = .init(rawValue: try get())
        row.hinted = .init(rawValue: try get())
        row.confirmedBy = try get()
        row.lowest = try money()
        row.highest = try money()
        row.succeededAt = try get()
        row.failedAt = try get()
        return row
    }

    mutating func reversal() throws(PayloadError) -> ReversalEvidence {
        var row = ReversalEvidence(reference: EventReference(rawValue: try get()))
        row.payment = EventReference(rawValue: try get())
        row.state = try register()
        row.lowest = try money()
        row.highest = try money()
        return row
    }

    mutating func subscription() throws(PayloadError) -> SubscriptionEvidence {
        var row = SubscriptionEvidence(reference: EventReference(rawValue: try get()))
        row.state = try register()
        row.everActive = try get(UInt8.self) != 0
        return row
    }

    mutating func resolution() throws(PayloadError) -> ResolutionEvidence {
        let reference = EventReference(rawValue: try get())
        guard let outcome = CheckoutStatus(rawValue: try get()) else {
            throw PayloadError(offset: offset)
        }
        return ResolutionEvidence(reference: reference, outcome: outcome, decidedAt: try get())
    }

    mutating func table<Row>(
        _ read: (inout RowReader) throws(PayloadError) -> Row
    ) throws(PayloadError) -> [Row] {
        let count = Int(try get(UInt32.self))
        var rows: [Row] = []
        for _ in 0..<count { rows.append(try read(&self)) }
        return rows
    }
}

extension RowReader {
    static func payment(_ reader: inout RowReader) throws(PayloadError) -> PaymentEvidence {
        try reader.payment()
    }
    static func reversal(_ reader: inout RowReader) throws(PayloadError) -> ReversalEvidence {
        try reader.reversal()
    }
    static func subscription(
        _ reader: inout RowReader
    ) throws(PayloadError) -> SubscriptionEvidence { try reader.subscription() }
    static func resolution(_ reader: inout RowReader) throws(PayloadError) -> ResolutionEvidence {
        try reader.resolution()
    }
}
