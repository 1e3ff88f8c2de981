// Return URLs: ten texts of 100 to 150 bytes with five parameters each, read by us and by others.
// Our reader is narrower than theirs (no WHATWG host rules, no normal form of the whole URL), which
// a figure from here must say. Methods take turns, and the best round of each counts.

import CCurl
import CheckoutModel
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// The rows of return-URL reading.
///
/// `short` takes fewer rounds, for CI.
func urlBenchmarkRows(short: Bool) -> [BenchmarkRow] {
    let bench = URLBenchmark()
    let ada = AdaPeer()
    var methods: [() -> Int] = [
        bench.foundation, bench.foundationStrings, bench.curl, bench.memchrPass, bench.typed,
        bench.everyString, bench.recognising,
    ]
    if let ada {
        precondition(bench.ada(ada) == bench.foundation(), "ada must read the same parameters")
        methods.append { bench.ada(ada) }
    }
    let best = bestRounds(of: methods, rounds: short ? 16 : 200, passes: 200)
    let nanoseconds = best.map { $0 / Double(bench.texts.count) }
    let unit = "ns/URL"
    var rows = [
        BenchmarkRow(
            name: "return URL to typed result / Foundation URLComponents.queryItems",
            ours: nanoseconds[4], peer: nanoseconds[0], target: 12, unit: unit),
        BenchmarkRow(
            name: "return URL, every parameter a String / Foundation, the same",
            ours: nanoseconds[5], peer: nanoseconds[1], target: 6, unit: unit),
        BenchmarkRow(
            name: "return URL to typed result / libcurl URL API",
            ours: nanoseconds[4], peer: nanoseconds[2], target: 2.5, unit: unit),
        BenchmarkRow(
            name: "return URL recognised / one memchr pass",
            ours: nanoseconds[6], peer: nanoseconds[3], target: nil, unit: unit),
    ]
    if ada != nil {
        rows.append(
            BenchmarkRow(
                name: "return URL to typed result / ada and its search parameters",
                ours: nanoseconds[4], peer: nanoseconds[7], target: 2.5, unit: unit))
    }
    return rows
}

/// Nanoseconds of one call of each method: the least over the rounds, in which all take turns.
///
/// Processor time, and rounds of a few milliseconds, so that on a busy machine too each method,
/// the slowest as well, has rounds that nothing interrupts.
private func bestRounds(of methods: [() -> Int], rounds: Int, passes: Int) -> [Double] {
    var best = [Double](repeating: .infinity, count: methods.count)
    var sink = 0
    for _ in 0..<rounds {
        for (index, method) in methods.enumerated() {
            let time = processorNanoseconds {
                for _ in 0..<passes { sink &+= method() }
            }
            best[index] = min(best[index], time / Double(passes))
        }
    }
    precondition(sink != 0, "the methods must have read something")
    return best
}

/// The texts and the ways to read them.
///
/// Each way returns a number that depends on what it read.
struct URLBenchmark {
    /// Not a tuple, which is copied by a call that looks its type up.
    struct Returns {
        let pattern: ReturnURLPattern
        let texts: [String]
    }

    let texts: [String]
    /// Each registered URL with the texts that come back to it.
    let returns: [Returns]
    let vocabulary = ReturnVocabulary(
        parameters: [
            "status": .status, "payment_id": .payment, "subscription_id": .subscription,
            "license_key": .licenseKey, "email": .email,
        ],
        statusWords: [
            "succeeded": .succeeded, "active": .succeeded, "failed": .failed,
            "expired": .expired, "cancelled": .cancelled,
        ])

    init() {
        let bases = ["myapp://checkout/return", "https://shop.example/return"]
        returns = bases.compactMap { base in
            guard let pattern = try? ReturnURLPattern(registered: base) else { return nil }
            return Returns(pattern: pattern, texts: (0..<5).map { Self.text(base, $0) })
        }
        texts = returns.flatMap(\.texts)
        precondition(
            texts.count == 10 && texts.allSatisfy { (100...150).contains($0.utf8.count) })
        precondition(recognising() == typed() && everyString() == foundationStrings())
    }

    /// The shapes a provider sends: one-time, subscription, with one licence key and with two.
    private static func text(_ base: String, _ index: Int) -> String {
        let key = String(0x9E37_79B9 &* (index + base.utf8.count), radix: 36)
        let email = "email=buyer\(index)%40mail.example"
        let rest = [
            "payment_id=pay_\(key)Z8&status=succeeded&\(email)&license_key=LK-1\(key)&order=4117",
            "subscription_id=sub_\(key)&status=active&\(email)&payment_id=pay_\(key)&order=42",
            "payment_id=pay_\(key)&status=failed&\(email)&order=4317&lang=de",
            "payment_id=pay_\(key)&status=succeeded&\(email)&license_key=LK-1%2CLK-2&order=7",
            "subscription_id=sub_\(key)&status=expired&\(email)&order=4517&x_trace=ab12",
        ]
        return "\(base)?\(rest[index])"
    }

    func foundation() -> Int {
        var sum = 0
        for text in texts { sum &+= URLComponents(string: text)?.queryItems?.count ?? 0 }
        return sum
    }

    func foundationStrings() -> Int {
        var sum = 0
        for text in texts {
            for item in URLComponents(string: text)?.queryItems ?? [] {
                sum &+= item.name.utf8.count &+ (item.value?.utf8.count ?? 0)
            }
        }
        return sum
    }

    func curl() -> Int {
        var sum = 0
        for text in texts {
            guard let handle = curl_url() else { continue }
            defer { curl_url_cleanup(handle) }
            let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
            guard curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK else { continue }
            var query: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, CURLUPART_QUERY, &query, 0) == CURLUE_OK else { continue }
            if let query { sum &+= Int(query[0]) }
            curl_free(query)
        }
        return sum
    }

    func ada(_ ada: AdaPeer) -> Int {
        texts.reduce(0) { $0 &+ ada.parameterCount(of: $1) }
    }

    func memchrPass() -> Int {
        var sum = 0
        for text in texts {
            let found = text.utf8.withContiguousStorageIfAvailable { bytes in
                bytes.baseAddress.map { memchr($0, 0x7C, bytes.count) == nil ? bytes.count : 0 }
            }
            sum &+= (found ?? 0) ?? 0
        }
        return sum
    }

    /// Matched, mapped, decoded; ids and keys are places in the buffer.
    func typed() -> Int {
        var sum = 0
        for back in returns {
            for text in back.texts {
                guard let reading = read(text, back.pattern) else { continue }
                sum &+= Int(reading.status.rawValue) &+ 1
            }
        }
        return sum
    }

    /// The same, and then every name and value as a String.
    func everyString() -> Int {
        var sum = 0
        for back in returns {
            for text in back.texts {
                guard let reading = read(text, back.pattern) else { continue }
                reading.url.parameters.forEachText { name, value in
                    sum &+= name.utf8.count &+ value.utf8.count
                }
            }
        }
        return sum
    }

    @inline(__always)
    private func read(_ text: consuming String, _ pattern: ReturnURLPattern) -> ReturnReading? {
        guard let url = try? ReturnURL(parsing: text), pattern.match(url).isMatch else {
            return nil
        }
        return vocabulary.read(url)
    }

    func recognising() -> Int {
        var sum = 0
        for back in returns {
            for text in back.texts {
                guard let status = back.pattern.recognise(text, with: vocabulary) else { continue }
                sum &+= Int(status.rawValue) &+ 1
            }
        }
        return sum
    }
}
