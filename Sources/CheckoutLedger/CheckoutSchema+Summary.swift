public import CheckoutModel
public import EventLog

/// What a block of 1,024 events paid in, by currency: control totals without a scan.
public struct BlockTotals: Sendable, Hashable {
    /// Sum of the amounts of verified `payment.succeeded` events, ascending by currency.
    ///
    /// Counts events, not payments: a payment that was told twice stands in it twice.
    public internal(set) var succeeded: [ExactTotal] = []

    /// A sum in one currency, 128 bits wide: a block's worth of 64-bit amounts always fits.
    public struct ExactTotal: Sendable, Hashable {
        /// The currency counted in.
        public let currency: Currency
        /// Minor units.
        public internal(set) var minorUnits: Int128
    }

    mutating func add(_ amount: Money) {
        var index = 0
        while index < succeeded.count, succeeded[index].currency < amount.currency { index += 1 }
        if index == succeeded.count || succeeded[index].currency != amount.currency {
            succeeded.insert(ExactTotal(currency: amount.currency, minorUnits: 0), at: index)
        }
        succeeded[index].minorUnits += Int128(amount.minorUnits)
    }
}

extension CheckoutSchema {
    /// The totals of no events.
    public static var emptySummary: BlockTotals { BlockTotals() }

    /// Adds a verified success.
    public static func summarise(_ record: borrowing RecordView, into summary: inout BlockTotals) {
        guard record.type == EventType.paymentSucceeded.rawValue, let fact = Fact(record),
            fact.evidence >= .verified, let amount = fact.amount
        else { return }
        summary.add(amount)
    }

    /// Adds the totals' stored form: currency, 4 bytes, and sum, 16 bytes, for each.
    public static func encodeSummary(_ summary: BlockTotals, into bytes: inout [UInt8]) {
        for total in summary.succeeded {
            withUnsafeBytes(of: total.currency.packed.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: total.minorUnits.littleEndian) { bytes += $0 }
        }
    }

    /// Reads the stored form.
    public static func decodeSummary(_ bytes: UnsafeRawBufferPointer) throws -> BlockTotals {
        guard bytes.count.isMultiple(of: 20) else { throw PayloadError(offset: bytes.count) }
        var totals = BlockTotals()
        for offset in stride(from: 0, to: bytes.count, by: 20) {
            let packed = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            guard let currency = Currency(packed: UInt32(littleEndian: packed)) else {
                throw PayloadError(offset: offset)
            }
            let sum = bytes.loadUnaligned(fromByteOffset: offset + 4, as: Int128.self)
            totals.succeeded.append(
                .init(currency: currency, minorUnits: Int128(littleEndian: sum)))
        }
        return totals
    }
}
