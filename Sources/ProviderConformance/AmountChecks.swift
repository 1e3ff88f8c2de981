import CheckoutModel
import ProviderKit

/// Group E, the part about money.
enum AmountChecks {
    /// The kinds of which an amount must be read, not only may.
    private static func success(_ exam: Examination, _ probe: inout Probe) -> EventSample.Kind? {
        guard exam.facts.amount != nil else {
            probe.skip("its deliveries carry no amounts")
            return nil
        }
        return exam.successKind
    }

    private static func sample(
        _ exam: Examination, _ kind: EventSample.Kind, _ amount: SampleAmount
    ) -> EventSample {
        var sample = exam.sample(kind)
        sample.amount = amount
        return sample
    }

    static func decimals(_ exam: Examination, _ probe: inout Probe) {
        guard let success = success(exam, &probe) else { return }
        for currency in exam.facts.currencies.compactMap({ Currency($0) }) {
            // Round numbers of tens: some providers want three decimals to end in zero.
            for units: Int64 in [0, 10, 1990, 12_340, 999_999_990] {
                let money = Money(minorUnits: units, currency: currency)
                for kind in exam.facts.events {
                    let found = exam.events(of: sample(exam, kind, SampleAmount(money)))
                    let read = found.events.compactMap(\.money)
                    let isRead = kind == success ? read.contains(money) : true
                    probe.expect(
                        isRead && read.allSatisfy { $0 == money },
                        "\(money.amountText) \(currency) of \(kind.name) to be read exactly",
                        found.text)
                }
            }
        }
    }

    static func broken(_ exam: Examination, _ probe: inout Probe) {
        guard let success = success(exam, &probe), let form = exam.facts.amount else { return }
        guard let money = exam.usual(exam.sample(success)).amount.money as Money? else { return }
        for text in Self.literals(form, decimals: money.currency.exponent ?? 2) {
            guard let token = try? JSONValue(json: Array(text.utf8)) else { continue }
            let kinds = exam.facts.events.filter { $0.isPayment || $0 == success }
            for kind in kinds {
                let amount = SampleAmount(money, broken: token)
                let found = exam.events(of: sample(exam, kind, amount))
                // A success without its amount would be a success all the same.
                let isBelieved = found.events.contains { EventSample.Kind($0.kind).isSuccess }
                probe.expect(
                    found.events.allSatisfy { $0.money == nil } && !isBelieved,
                    "the amount \(text) of \(kind.name) to be refused", found.text)
            }
        }
    }

    /// What is no amount in a form, and what a careless reader would make one of.
    private static func literals(_ form: AmountForm, decimals: Int) -> [String] {
        let tooFine = "19." + String(repeating: "9", count: decimals) + "9"
        switch form {
        case .minorInteger:
            return [
                "19.99", "1999.0", "1e3", "1999.5", "7840.000000000001", "9223372036854775808",
                "-9223372036854775809", "99999999999999999999999", "true", "{}", "[1999]",
                "\"19.99\"", "\"abc\"",
            ]
        case .minorText:
            return [
                "\"19.99\"", "\"1999.0\"", "\"1e3\"", "\" 1999\"", "\"1999 \"", "\"+1999\"",
                "\"0x7cf\"", "\"9223372036854775808\"", "\"1,999\"", "\"abc\"", "true", "{}",
                "19.99", "1e3",
            ]
        case .decimalText:
            return [
                "\"\(tooFine)\"", "\"1e3\"", "\"19,99\"", "\"1,999.00\"", "\" 19\"", "\"+19\"",
                "\"NaN\"", "\"99999999999999999999.00\"", "\".5\"", "\"5.\"", "\"abc\"", "true",
                "{}", tooFine, "1e30",
            ]
        case .decimalNumber:
            return [tooFine, "1e30", "99999999999999999999.00", "true", "{}", "\"abc\""]
        }
    }

    static func currencyCase(_ exam: Examination, _ probe: inout Probe) {
        guard let success = success(exam, &probe) else { return }
        let money = exam.usual(exam.sample(success)).amount.money
        for code in [money.currency.code.lowercased(), "zzz", "E", "EURO", "€", "12"] {
            let found = exam.events(
                of: sample(exam, success, SampleAmount(money, currency: code)))
            let isSame = Currency(code) == money.currency
            let read = found.events.compactMap(\.money)
            let isBelieved = found.events.contains { EventSample.Kind($0.kind).isSuccess }
            probe.expect(
                isSame ? read.allSatisfy { $0 == money } : (read.isEmpty && !isBelieved),
                isSame
                    ? "\(code) to be read as \(money.currency)"
                    : "the currency \(code) to be refused",
                found.text)
        }
    }
}
