// How the ledger's values look to a person and to JSON.

package import CheckoutModel
package import CommandKit
package import ProviderKit

extension Money: JSONWritable {
    /// `EUR 5.00`, with the currency's own decimals.
    package var display: String { "\(currency.code) \(amountText)" }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("minorUnits", minorUnits)
            $0.field("currency", currency.code)
        }
    }
}

extension JSONValue: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null, .brokenString: String?.none.write(to: &writer)
        case .bool(let value): value.write(to: &writer)
        case .number(let number):
            if let integer = number.integer {
                integer.write(to: &writer)
            } else {
                number.text.write(to: &writer)
            }
        case .string(let text): text.write(to: &writer)
        case .array(let elements):
            writer.array { writer in for element in elements { writer.value(element) } }
        case .object(let members):
            writer.object { writer in
                for member in members { writer.field(member.name, member.value) }
            }
        }
    }
}

extension CheckoutStatus {
    /// The tone of a status that holds, that is of an outcome.
    package var tone: Tone {
        switch self {
        case .succeeded: .good
        case .failed: .bad
        case .pending: .caution
        case .cancelled, .expired: .plain
        }
    }
}

extension Instant {
    /// Nil for the extremes that stand for "never".
    package init?(known microseconds: Int64) {
        guard microseconds != .min, microseconds != .max else { return nil }
        self.init(microseconds: microseconds)
    }

    /// Microseconds from an earlier instant, held where they leave 64 bits.
    package func since(_ earlier: Instant) -> Int64 {
        let (span, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
        return overflow ? .max : span
    }
}
