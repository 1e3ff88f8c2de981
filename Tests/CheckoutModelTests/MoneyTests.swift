import CheckoutModel
import Testing

@Suite struct MoneyTests {
    @Test(
        "Amount text is read exactly or refused with the reason",
        arguments: [
            ("0", "EUR", "0"), ("-0.00", "EUR", "0"), ("007", "JPY", "7"), ("5", "EUR", "500"),
            ("-0.005", "KWD", "-5"), ("1.2345", "CLF", "12345"),
            ("92233720368547758.07", "EUR", "9223372036854775807"),
            ("-92233720368547758.08", "EUR", "-9223372036854775808"),
            ("92233720368547758.08", "EUR", "out_of_range"),
            ("-92233720368547758.09", "EUR", "out_of_range"),
            ("99999999999999999999999999", "JPY", "out_of_range"),
            ("1.000", "EUR", "too_many_decimals"), ("1.0", "JPY", "too_many_decimals"),
            ("", "EUR", "malformed"), ("-", "EUR", "malformed"), ("+5", "EUR", "malformed"),
            (".5", "EUR", "malformed"), ("5.", "EUR", "malformed"), ("1e2", "EUR", "malformed"),
            ("1,000", "EUR", "malformed"), ("1_000", "EUR", "malformed"),
            ("--5", "EUR", "malformed"), ("1.2.3", "EUR", "malformed"),
            ("\u{FF11}", "EUR", "malformed"), ("5 ", "EUR", "malformed"),
            ("5\u{0}", "EUR", "malformed"), (String(repeating: "0", count: 65), "EUR", "malformed"),
            ("5", "XXX", "unknown_currency"), ("5", "QQQ", "unknown_currency"),
            ("5", "EURO", "unknown_currency"),
        ])
    func parsing(text: String, currency: String, wanted: String) {
        #expect(outcome { try Money(parsing: text, currencyCode: currency).minorUnits } == wanted)
    }

    @Test(
        "A JSON amount must be a plain integer",
        arguments: [
            ("7840", "7840"), ("0", "0"), ("-0", "0"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("9223372036854775808", "out_of_range"), ("7840.000000000001", "amount_not_integer"),
            ("1e2", "amount_not_integer"), ("1E2", "amount_not_integer"),
            ("100.0", "amount_not_integer"), ("0100", "malformed"), ("+1", "malformed"),
            ("\"100\"", "malformed"), ("", "malformed"), ("-", "malformed"), ("1 ", "malformed"),
        ])
    func json(token: String, wanted: String) {
        #expect(outcome { try Money.minorUnits(jsonNumber: token) } == wanted)
    }

    @Test("Amounts print with their currency's decimals and read back, down to the smallest")
    func printing() throws {
        for currency in Currency.all {
            for minorUnits in [0, 1, -1, 9, 10, 99, 100, -12345, .max, .min] as [Int64] {
                let money = Money(minorUnits: minorUnits, currency: currency)
                #expect(try Money(parsing: money.amountText, currency: currency) == money)
            }
        }
        let euro = try #require(Currency("EUR"))
        #expect(
            Money(minorUnits: .min, currency: euro).amountText == "-92233720368547758.08")
        let unknown = try #require(Currency("QQQ"))
        #expect(Money(minorUnits: 5, currency: unknown).amountText == "5 minor")
    }

    @Test("The currency table has the exponents of ISO 4217 and no metals")
    func table() {
        let exponents = ["EUR": 2, "JPY": 0, "KWD": 3, "CLF": 4, "UYW": 4, "ISK": 0, "UGX": 0]
        for (code, exponent) in exponents { #expect(Currency(code)?.exponent == exponent) }
        for code in ["XAU", "XXX", "XTS", "XDR"] { #expect(Currency(code)?.exponent == nil) }
        #expect(Currency.all.count > 160)
    }

    @Test("A provider's odd decimals convert exactly or not at all")
    func profiles() throws {
        let isk = try #require(Currency("ISK"))
        let huf = try #require(Currency("HUF"))
        let profile = MoneyProfile(name: "odd", exceptions: [isk: 2, huf: 0])
        let hundred = Money(minorUnits: 100, currency: isk)
        #expect(try profile.wireAmount(of: hundred) == 10_000)
        #expect(try profile.money(wireAmount: 10_000, currency: isk) == hundred)
        #expect(
            outcome { try profile.money(wireAmount: 10_050, currency: isk).minorUnits }
                == "inexact_conversion")
        #expect(try profile.wireAmount(of: Money(minorUnits: 1_000, currency: huf)) == 10)
        #expect(
            outcome { try profile.wireAmount(of: Money(minorUnits: 1_050, currency: huf)) }
                == "inexact_conversion")
        #expect(
            outcome { try profile.wireAmount(of: Money(minorUnits: .max, currency: isk)) }
                == "out_of_range")
        #expect(try MoneyProfile.iso4217.wireAmount(of: hundred) == 100)
    }

    @Test("Sums refuse mixed currencies and overflow")
    func arithmetic() throws {
        let euro = try #require(Currency("EUR"))
        let dollar = try #require(Currency("USD"))
        let one = Money(minorUnits: 1, currency: euro)
        let most = Money(minorUnits: .max, currency: euro)
        let least = Money(minorUnits: .min, currency: euro)
        let other = Money(minorUnits: 1, currency: dollar)
        #expect(try one.adding(one).minorUnits == 2)
        #expect(try one.subtracting(most).minorUnits == 1 - Int64.max)
        #expect(try least.isLess(than: one))
        #expect(outcome { try most.adding(one).minorUnits } == "out_of_range")
        #expect(outcome { try least.subtracting(one).minorUnits } == "out_of_range")
        #expect(outcome { try one.subtracting(other).minorUnits } == "currency_mismatch")
        #expect(outcome { try one.isLess(than: other) ? 1 : 0 } == "currency_mismatch")
    }

    private func outcome(_ body: () throws -> Int64) -> String {
        do {
            return "\(try body())"
        } catch {
            return (error as? MoneyError)?.code ?? "\(error)"
        }
    }
}
