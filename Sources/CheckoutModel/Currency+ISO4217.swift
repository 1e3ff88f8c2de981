// Source: ISO 4217 list one (active codes), tables A.1 and A.2, as amended to 2026.
// Codes without a minor unit (precious metals, XDR, XTS, XXX …) are left out: no amount of them
// can be written in minor units.

extension Currency {
    /// How many decimals ISO 4217 gives the currency: 0, 2, 3 or 4; nil when it lists none.
    ///
    /// Does not know what a provider does on its wire; that is a `MoneyProfile`.
    public var exponent: Int? { Self.exponents[self].map(Int.init) }

    /// Every currency an amount can be written in, by code.
    public static var all: [Currency] { exponents.keys.sorted() }

    private static let exponents: [Currency: UInt8] = {
        var table: [Currency: UInt8] = [:]
        for (exponent, codes) in minorUnitTable {
            for code in codes.split(whereSeparator: \.isWhitespace) {
                guard let currency = Currency(code) else { continue }
                table[currency] = exponent
            }
        }
        return table
    }()

    // Exponent, codes. Units of account that ISO lists with a minor unit stand with the rest.
    private static let minorUnitTable: [(UInt8, String)] = [
        (
            0,
            """
            BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF
            """
        ),
        (
            2,
            """
            AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN
            BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD
            FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW
            KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR
            MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG
            SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD
            USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
            """
        ),
        (3, "BHD IQD JOD KWD LYD OMR TND"),
        (4, "CLF UYW"),
        // Withdrawn since 2022. A ledger outlives them: refunds and old exports still name them.
        (2, "ANG BGN CUC HRK SLL ZWL"),
    ]
}
