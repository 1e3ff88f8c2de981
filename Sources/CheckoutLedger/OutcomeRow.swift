public import CheckoutModel

/// One row of the outcomes: what became true of a session's payment at a position.
///
/// Stored under the position of the evidence that made it, little-endian, 22 bytes, or
/// 30 where it takes the place of another row:
///
/// | offset | width | field |
/// |---|---|---|
/// | 0 | 8 | stream number |
/// | 8 | 8 | amount in minor units |
/// | 16 | 4 | currency, 0 without an amount |
/// | 20 | 1 | status, 0xFF when an outcome was taken back |
/// | 21 | 1 | evidence |
/// | 22 | 8 | position of the row it takes the place of |
///
/// A later row of the same stream replaces an earlier one; nothing is rewritten.
public struct OutcomeRow: Sendable, Hashable {
    /// The session's stream.
    public let stream: UInt64
    /// What is held true; nil when contradicting evidence took an outcome back.
    public let outcome: SessionOutcome?
    /// What was paid; nil when nothing was, or when it cannot be added up.
    public let amount: Money?
    /// Position of the row that this one takes the place of.
    public let replaces: UInt64?

    static let byteCount = 22

    init(stream: UInt64, outcome: SessionOutcome?, amount: Money?, replaces: UInt64?) {
        self.stream = stream
        self.outcome = outcome
        self.amount = amount
        self.replaces = replaces
    }

    func encode(into bytes: inout [UInt8]) {
        func add(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        add(stream)
        add(amount?.minorUnits ?? 0)
        add(amount?.currency.packed ?? 0)
        add(outcome?.status.rawValue ?? 0xFF)
        add(outcome?.evidence.rawValue ?? 0)
        if let replaces { add(replaces) }
    }

    package init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        guard bytes.count == Self.byteCount || bytes.count == Self.byteCount + 8 else {
            throw PayloadError(offset: bytes.count)
        }
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        stream = word(0)
        if bytes[20] == 0xFF {
            outcome = nil
        } else {
            guard let status = CheckoutStatus(rawValue: bytes[20]),
                let evidence = Evidence(rawValue: bytes[21])
            else { throw PayloadError(offset: 20) }
            outcome = SessionOutcome(status: status, evidence: evidence)
        }
        let packed = UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
        if packed == 0 {
            amount = nil
        } else {
            guard let currency = Currency(packed: packed) else { throw PayloadError(offset: 16) }
            amount = Money(minorUnits: Int64(bitPattern: word(8)), currency: currency)
        }
        replaces = bytes.count == Self.byteCount ? nil : word(22)
    }
}
