import CheckoutModel
import Foundation
import TestSupport
import Testing

/// One entry of `cases-public.json`; its `input` differs by area.
struct PublicCase: Decodable {
    struct Input: Decodable {
        struct Amount: Decodable {
            var minor: Int64
            var currency: String
        }

        var registered, incoming, call, returnUrl, checkoutUrl, parse, currency, json: String?
        var format, add: [Amount]?
        var steps: [String]?
    }

    var id, area, expected: String
    var input: Input

    /// The conditions of `expected`, one each.
    var conditions: [String] {
        expected.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    static func all(_ areas: Set<String>) throws -> [PublicCase] {
        struct Area: Decodable { var area: String }
        // The areas of other modules have inputs of other shapes, so they are left out first.
        let data = try Vectors.own("cases-public.json")
        let raw = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        let wanted = raw.filter { ($0["area"] as? String).map(areas.contains) ?? false }
        return try JSONDecoder().decode(
            [PublicCase].self, from: JSONSerialization.data(withJSONObject: wanted))
    }
}

@Suite struct PublicCaseTests {
    /// Of pub-ret-18, pub-ret-19 and pub-url-09, all of it; of others, what is said of records,
    /// events and waiting: they need a running flow.
    @Test("The public return-URL cases that need no running checkout hold")
    func returns() throws {
        var seen = 0
        for entry in try PublicCase.all(["return_url"]) where entry.input.incoming != nil {
            seen += 1
            let incoming = try #require(entry.input.incoming)
            let pattern = try ReturnURLPattern(
                registered: try #require(entry.input.registered))
            let url = try ReturnURL(parsing: incoming)
            let reading = dodoWords.read(url)
            let isHandled = pattern.match(url).isMatch
            for condition in entry.conditions {
                let parts = condition.split(separator: "=", maxSplits: 1).map(String.init)
                let value = parts.count == 2 ? parts[1] : ""
                switch parts[0] {
                case "handled": #expect("\(isHandled)" == value, "\(entry.id)")
                case "status":
                    #expect(value.hasPrefix(reading.status.name), "\(entry.id)")
                case "paymentId": #expect(reading.paymentID == value, "\(entry.id)")
                case "subscriptionId": #expect(reading.subscriptionID == value, "\(entry.id)")
                case "customerEmail": #expect(reading.customerEmail == value, "\(entry.id)")
                case "licenseKeys":
                    #expect(
                        value.hasPrefix("[\(reading.licenseKeys.joined(separator: ", "))]"),
                        "\(entry.id)")
                default: break
                }
            }
        }
        #expect(seen == 17)
    }

    @Test("Unknown parameters, both values of a conflict and a nested URL stay in the list")
    func losslessCases() throws {
        let extra = try ReturnURL(
            parsing: "shopdemo://checkout/return?status=succeeded&source_type=card&x_trace=ab12")
        #expect(extra.parameters.map(\.name) == ["status", "source_type", "x_trace"])
        let conflict = try ReturnURL(parsing: "shopdemo://r?status=failed&status=succeeded")
        #expect(conflict.parameters.values(named: "status") == ["failed", "succeeded"])
        #expect(dodoWords.read(conflict).flags.codes == ["conflicting_status"])
        let nested = try ReturnURL(
            parsing: "shopdemo://r?next=shopdemo%3A%2F%2Fr%3Fstatus%3Dfailed&status=succeeded")
        #expect(nested.parameters.first?.value == "shopdemo://r?status=failed")
        let stray = try ReturnURL(parsing: "shopdemo://r?status=succeeded&note=%ZZ")
        #expect(stray.parameters.first(named: "note")?.value == "%ZZ")
    }

    @Test("A return URL without a host is refused when it is registered")
    func registration() throws {
        #expect(throws: ReturnURLRefusal(.missingHost)) {
            try ReturnURLPattern(registered: "shopdemo:///return")
        }
    }

    @Test("The public checkout-URL cases that need no running checkout hold")
    func checkouts() throws {
        var seen = 0
        for entry in try PublicCase.all(["checkout_url"]) where entry.input.checkoutUrl != nil {
            seen += 1
            let checkout = try? dodoCheckout.read(try #require(entry.input.checkoutUrl))
            #expect((checkout != nil) == entry.expected.hasPrefix("accept"), "\(entry.id)")
            for condition in entry.conditions {
                if condition.hasPrefix("sessionId=") {
                    #expect("sessionId=\(checkout?.sessionID ?? "")" == condition)
                } else if condition.hasPrefix("mode=") {
                    #expect("mode=\(checkout?.mode.name ?? "")" == condition)
                } else if condition.contains("%7C") {
                    #expect(checkout?.canonicalText.hasSuffix("?src=mail%7Cmain") == true)
                }
            }
        }
        #expect(seen == 8)
    }

    @Test("The public money cases hold")
    func money() throws {
        var seen = 0
        for entry in try PublicCase.all(["money"]) {
            seen += 1
            if let text = entry.input.parse {
                let answer = outcome {
                    try Money(parsing: text, currencyCode: entry.input.currency ?? "").minorUnits
                }
                #expect(entry.conditions.first == answer, "\(entry.id)")
            } else if let amounts = entry.input.format {
                let texts = try amounts.map { try amount($0).amountText }
                #expect(texts.joined(separator: " | ") == entry.expected)
            } else if let amounts = entry.input.add, amounts.count == 2 {
                let answer = outcome {
                    try amount(amounts[0]).adding(try amount(amounts[1])).minorUnits
                }
                #expect(answer == entry.expected)
            } else if let json = entry.input.json {
                let token = try #require(json.firstMatch(of: /"total_amount":([^,}]*)/)?.1)
                let answer = outcome { try Money.minorUnits(jsonNumber: token) }
                #expect("quarantine reason=\(answer.dropFirst(6))" == entry.expected)
            }
        }
        #expect(seen == 11)
    }

    private func amount(_ entry: PublicCase.Input.Amount) throws -> Money {
        Money(minorUnits: entry.minor, currency: try #require(Currency(entry.currency)))
    }

    private func outcome(_ body: () throws -> Int64) -> String {
        do {
            return "minor=\(try body())"
        } catch {
            return "error=\((error as? MoneyError)?.code ?? "\(error)")"
        }
    }
}
