/// Countries with IBANs: how long theirs are, and what stands behind the check digits.
enum BankAccounts {
    /// What the part behind the check digits consists of.
    enum Form: Sendable {
        case digits
        /// That many letters, then letters or digits.
        case letters(Int)
        case mixed
    }

    private static let table: [(countries: String, form: Form)] = [
        (
            "AE23 AT20 BA20 BE16 CR22 CZ24 DE22 DK18 EE20 EG29 ES24 FI18 FO18 GL18 HR21 HU28 IL23 "
                + "IS26 LT20 LY25 ME22 MR27 NO15 PL28 PT25 RS22 SD18 SE24 SI19 SK24 ST25 TL23 "
                + "TN24 VA22 XK20", .digits
        ),
        (
            "BG22 BH22 GB22 GI23 IE22 IQ23 JO30 KW30 LV21 MT31 MU30 NL18 PK24 PS29 QA29 RO24 VG24",
            .letters(4)
        ),
        (
            "AD24 AL28 AZ28 BR29 BY28 CH21 CY28 DO28 FR27 GE22 GR27 GT28 IT27 KZ20 LB28 LI21 LU20 "
                + "MC27 MD24 MK19 SA24 SM27 TR26 UA29", .mixed
        ),
    ]

    private static let countries: [UInt16: (length: Int, form: Form)] = {
        var countries: [UInt16: (length: Int, form: Form)] = [:]
        for (list, form) in table {
            for entry in list.split(separator: " ") {
                let code = Array(entry.utf8.prefix(2))
                countries[key(code[0], code[1])] = (Int(entry.dropFirst(2)) ?? 0, form)
            }
        }
        return countries
    }()

    private static func key(_ first: UInt8, _ second: UInt8) -> UInt16 {
        UInt16(first) << 8 | UInt16(second)
    }

    /// Length and form of a country's accounts; nil for no country with IBANs.
    static func form(_ first: UInt8, _ second: UInt8) -> (length: Int, form: Form)? {
        countries[key(first, second)]
    }
}
