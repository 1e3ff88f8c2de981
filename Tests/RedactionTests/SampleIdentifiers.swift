import Foundation

/// How many values the false-positive budget is measured with.
enum BudgetSize {
    static let count =
        ProcessInfo.processInfo.environment["REDACTION_MILLION"] == nil ? 250_000 : 1_000_000
}

/// Made-up identifiers and times, in the forms that the ledger and the providers use.
enum SampleIdentifiers {
    private static let base62 = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    private static let upper36 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    private static let lower36 = Array("0123456789abcdefghijklmnopqrstuvwxyz")
    private static let base32 = Array("0123456789abcdefghjkmnpqrstvwxyz")
    private static let hex = Array("0123456789abcdef")
    private static let decimal = Array("0123456789")

    private static func text(
        _ alphabet: [Character], _ count: Int, _ generator: inout some RandomNumberGenerator
    ) -> String {
        String(
            (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        )
    }

    private static func uuid(_ generator: inout some RandomNumberGenerator) -> String {
        [8, 4, 4, 4, 12].map { text(hex, $0, &generator) }.joined(separator: "-")
    }

    /// Seconds of the years 2020 to 2032.
    private static func seconds(_ generator: inout some RandomNumberGenerator) -> Int64 {
        Int64.random(in: 1_577_836_800..<1_956_528_000, using: &generator)
    }

    private typealias Form<G> = (inout G) -> String

    static func value<G: RandomNumberGenerator>(_ index: Int, using generator: inout G) -> String {
        let forms: [Form<G>] = [
            // Our own: event ids, references, stream numbers, times in µs.
            { text(hex, 32, &$0) },
            { text(hex, 64, &$0) },
            { "stream-\(UInt32.random(in: 0...(.max), using: &$0))" },
            { "\(seconds(&$0))\(text(decimal, 6, &$0))" },
            { uuid(&$0) },
            // Times in seconds, ms, ns, and as text.
            { "\(seconds(&$0))" },
            { "\(seconds(&$0))\(text(decimal, 3, &$0))" },
            { "\(seconds(&$0))\(text(decimal, 9, &$0))" },
            {
                "2026-0\(Int.random(in: 1...9, using: &$0))-1\(text(decimal, 1, &$0))"
                    + "T05:06:05.\(text(decimal, 6, &$0))Z"
            },
            {
                "2026\(Int.random(in: 10...12, using: &$0))"
                    + "\(Int.random(in: 10...28, using: &$0))\(text(decimal, 6, &$0))"
            },
            { "t=\(seconds(&$0)),v1=\(text(hex, 64, &$0))" },
            // Dodo, Stripe, Paddle, Polar.
            { "cks_\(text(base62, 22, &$0))" },
            { "pay_\(text(base62, 20, &$0))" },
            { "cs_test_\(text(base62, 58, &$0))" },
            { "pi_3\(text(base62, 23, &$0))" },
            { "evt_1\(text(base62, 23, &$0))" },
            { "txn_01\(text(base32, 24, &$0))" },
            { "01\(text(base32, 24, &$0).uppercased())" },
            // Mollie, Razorpay, GoCardless, Checkout.com.
            { "tr_\(text(base62, 10, &$0))" },
            { "order_\(text(base62, 14, &$0))" },
            { "PM00\(text(upper36, 10, &$0))" },
            { "BRQ00\(text(upper36, 9, &$0))" },
            { "hpp_\(text(base62, 12, &$0))" },
            // Adyen, PayPal, Square, Coinbase, Lemon Squeezy.
            { text(upper36, 16, &$0) },
            { "8\(Int.random(in: 5...8, using: &$0))\(text(decimal, 14, &$0))" },
            { text(upper36, 17, &$0) },
            { "WH-\(text(upper36, 17, &$0))-\(text(upper36, 17, &$0))" },
            { text(base62, 22, &$0) },
            { text(upper36, 8, &$0) },
            { "\(Int.random(in: 1_000...99_999_999, using: &$0))" },
            // Alipay, WeChat Pay.
            { "2026\(text(decimal, 24, &$0))" },
            { "2088\(text(decimal, 12, &$0))" },
            { "4200\(text(decimal, 24, &$0))" },
            { "EV-2018\(text(decimal, 15, &$0))" },
            // Signatures in base 64.
            { "v1,\(text(base62, 42, &$0))8=" },
        ]
        return forms[index % forms.count](&generator)
    }

    static func body<G: RandomNumberGenerator>(_ index: Int, using generator: inout G) -> String {
        func next(_ offset: Int) -> String { value(index &* 7 &+ offset, using: &generator) }
        return """
            {"id":"\(next(0))","type":"payment.succeeded","created":\(seconds(&generator)),\
            "created_us":\(seconds(&generator))123456,"data":{"payment_id":"\(next(1))",\
            "reference":"\(next(2))","trace":"\(next(3))","amount":\(index),"list":["\(next(4))",\
            "\(next(5))"],"ratio":0.\(text(decimal, 16, &generator))}}
            """
    }
}
