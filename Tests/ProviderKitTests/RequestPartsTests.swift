import CheckoutModel
import ProviderKit
import ProviderVectors
import TestSupport
import Testing

@Suite("Amounts and keys of requests")
struct RequestPartsTests {
    private func money(_ units: Int64, _ code: String = "EUR") -> Money? {
        Currency(code).map { Money(minorUnits: units, currency: $0) }
    }

    @Test("An amount is written with the decimals of its wire, or not at all")
    func decimals() throws {
        let hungarian = try #require(Currency("HUF"))
        let wire = MoneyProfile(name: "wire", exceptions: [hungarian: 0])
        for (units, code, text) in [
            (1999, "EUR", "19.99"), (5, "EUR", "0.05"), (0, "EUR", "0.00"), (-5, "EUR", "-0.05"),
            (500, "JPY", "500"), (1234, "KWD", "1.234"), (50_000, "HUF", "500"),
        ] as [(Int64, String, String)] {
            #expect(try wire.decimalText(of: try #require(money(units, code))) == text)
        }
        for (units, code) in [(50_050, "HUF"), (1, "QQQ")] as [(Int64, String)] {
            #expect(throws: RequestPlanError.unusableAmount) {
                try wire.decimalText(of: try #require(money(units, code)))
            }
        }
    }

    @Test("An idempotency key that is too long is replaced by its hash, always the same")
    func keyLength() throws {
        let short = try #require(IdempotencyKey(rawValue: "key-1"))
        #expect(short.text(limit: 108) == "key-1")
        let long = try #require(IdempotencyKey(rawValue: String(repeating: "k", count: 109)))
        #expect(long.text(limit: 109) == long.rawValue)
        #expect(long.text(limit: 108).utf8.count == 64)
        #expect(long.text(limit: 108) == long.text(limit: 100))
    }

    @Test("A test key does not call for a live account, nor a live key for a test account")
    func modes() throws {
        let rules = [SecretRule(role: .apiKey, encoding: .utf8)]
        for (key, mode, isTaken) in [
            ("live_12345678", .live, true), ("test_12345678", .test, true),
            ("test_12345678", .live, false), ("live_12345678", .test, false),
            ("test_12345678", .unknown, true), ("access_123456", .live, true),
        ] as [(String, ProviderMode, Bool)] {
            let secrets = try SecretSet([.apiKey: [key]], rules: rules)
            let taken = Result { () throws(SecretError) in
                try secrets.apiKey(of: mode, live: "live_", test: "test_")
            }
            #expect((try? taken.get()) == (isTaken ? key : nil))
            if case .failure(let error) = taken {
                #expect(error.problem == .otherMode(mode))
                #expect(!"\(error)".contains(key))
            }
        }
    }

    @Test("Published keys are taken while they are used")
    func publishedKeys() throws {
        func key(_ from: Int64?, _ until: Int64?) -> PublishedKey {
            PublishedKey(
                request: .platformKey(serial: "A1"), pem: KnownKeyPair.first.publicPEM,
                validFrom: from.map { Instant(seconds: $0) },
                validUntil: until.map { Instant(seconds: $0) })
        }
        for (from, until, isValid) in [
            (nil, nil, true), (10, 20, true), (15, 15, true), (16, nil, false), (nil, 14, false),
        ] as [(Int64?, Int64?, Bool)] {
            #expect(key(from, until).isValid(at: Instant(seconds: 15)) == isValid)
        }
        var keys = ResolvedKeys()
        try keys.add([key(nil, nil)], at: Instant(seconds: 15))
        #expect(throws: SecretError.self) {
            try keys.add(
                [
                    PublishedKey(
                        request: .platformKey(serial: "A1"), pem: "no key", validFrom: nil,
                        validUntil: nil)
                ], at: Instant(seconds: 15))
        }
    }
}
