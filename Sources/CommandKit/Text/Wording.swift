/// Numbers as a person reads them.
///
/// Whole-number arithmetic only, and the same in every locale.
package enum Wording {
    /// `1 session`, `3 sessions`, `1,184 events`; give the plural where an s is not enough.
    package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 || number == -1 ? one : many ?? one + "s")"
    }

    /// `1,184`.
    package static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var result = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return result
    }

    /// `850 µs`, `12 ms`, `2.8 s`, `2 min`, `5 h`, `3 d`: one number and one unit, cut and not
    /// rounded, so that nothing is said to be older than it is.
    package static func duration(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return "-" + self.duration(.zero - duration) }
        switch seconds {
        case 0:
            let microseconds = attoseconds / 1_000_000_000_000
            return microseconds < 1_000 ? "\(microseconds) µs" : "\(microseconds / 1_000) ms"
        case ..<60: return "\(seconds).\(attoseconds / 100_000_000_000_000_000) s"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3_600) h"
        default: return "\(grouped(Int(clamping: seconds / 86_400))) d"
        }
    }

    /// `812 bytes`, `412 KB`, `1.3 GB`: powers of 1,000, one decimal below ten, cut.
    package static func bytes(_ count: Int) -> String {
        guard count >= 1_000 else { return self.count(count, "byte") }
        var unit = 1_000
        var names = ["KB", "MB", "GB", "TB", "PB", "EB"][...]
        while count / unit >= 1_000, names.count > 1 {
            unit *= 1_000
            names = names.dropFirst()
        }
        let whole = count / unit
        let tenths = whole < 10 ? ".\(count % unit / (unit / 10))" : ""
        return "\(whole)\(tenths) \(names.first ?? "EB")"
    }

    /// `65.5 %`, cut; `0.0 %` of nothing.
    package static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part > 0 else { return "0.0 %" }
        let product = UInt(part).multipliedFullWidth(by: 1_000)
        guard product.high < UInt(whole) else { return ">100 %" }
        let permille = UInt(whole).dividingFullWidth(product).quotient
        return "\(permille / 10).\(permille % 10) %"
    }
}
