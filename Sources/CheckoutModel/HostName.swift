/// Compares host names that are written in two forms, `münchen.example` and
/// `xn--mnchen-3ya.example`.
///
/// Labels are compared as Unicode text: Punycode (RFC 3492) decoded, lower-cased, and canonically
/// equivalent. Not a full IDNA mapping: full-width letters, other dots than `.` and the like make
/// hosts differ here, which errs on the side of "not ours".
enum HostName {
    static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        guard let left = labels(left), let right = labels(right) else { return false }
        return left == right
    }

    private static func labels(_ host: some Collection<UInt8>) -> [String]? {
        var labels: [String] = []
        for part in host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard let text = String(validating: part, as: UTF8.self)?.lowercased() else {
                return nil
            }
            guard text.hasPrefix("xn--") else {
                labels.append(text)
                continue
            }
            guard let decoded = decodePunycode(text.dropFirst(4)) else { return nil }
            labels.append(decoded.lowercased())
        }
        return labels
    }

    /// RFC 3492 §6.2; nil for text that is no Punycode.
    static func decodePunycode(_ text: some StringProtocol) -> String? {
        var output: [UInt32] = []
        var rest = Array(text.utf8)[...]
        if let hyphen = rest.lastIndex(of: UInt8(ascii: "-")) {
            output = rest[..<hyphen].map(UInt32.init)
            rest = rest[(hyphen + 1)...]
        }
        var code: UInt32 = 128
        var position: UInt32 = 0
        var bias: UInt32 = 72
        while !rest.isEmpty {
            let start = position
            var weight: UInt32 = 1
            var step: UInt32 = 36
            while true {
                guard let digit = rest.popFirst().flatMap(digit) else { return nil }
                let (product, tooLarge) = digit.multipliedReportingOverflow(by: weight)
                let (sum, overflow) = position.addingReportingOverflow(product)
                guard !tooLarge, !overflow else { return nil }
                position = sum
                let threshold = step <= bias ? 1 : min(step - bias, 26)
                if digit < threshold { break }
                let (next, wraps) = weight.multipliedReportingOverflow(by: 36 - threshold)
                guard !wraps else { return nil }
                weight = next
                step += 36
            }
            let count = UInt32(output.count + 1)
            bias = adapted(position - start, count: count, isFirst: start == 0)
            let (sum, overflow) = code.addingReportingOverflow(position / count)
            guard !overflow, Unicode.Scalar(sum) != nil else { return nil }
            code = sum
            position %= count
            output.insert(code, at: Int(position))
            position += 1
        }
        var result = String.UnicodeScalarView()
        for scalar in output.compactMap(Unicode.Scalar.init) { result.append(scalar) }
        return String(result)
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 0x61
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30 + 26
        default: nil
        }
    }

    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var bias: UInt32 = 0
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }
}
