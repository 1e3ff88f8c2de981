import CheckoutModel
import DodoPayments
import ProviderKit
import Testing

/// Return-URL cases straight from the file, read by the Dodo adapter as an app reads them.
@Suite("Public return-URL cases")
struct ReturnURLCaseTests {
    @Test("A return URL does what its case says", arguments: PublicCase.runnable("return_url"))
    func run(_ item: PublicCase) throws {
        if item.input["call"]?.text == "start" { return try refused(item) }
        let provider = try DodoPaymentsProvider()
        let pattern = try ReturnURLPattern(
            registered: try #require(item.input["registered"]?.text))
        let incoming = try #require(item.input["incoming"]?.text)
        let url = try ReturnURL(parsing: incoming)
        let claim = try provider.parseReturn(ReturnRequest(url: url))
        let isHandled = pattern.match(url).isMatch
        #expect(
            pattern.recognise(incoming, with: provider.returnVocabulary)
                == (isHandled ? claim.status : nil))
        for condition in item.conditions {
            if let handled = condition.value("handled") {
                #expect(handled == "\(isHandled)")
            } else {
                try check(condition, claim, url)
            }
        }
    }

    private func check(_ condition: String, _ claim: ReturnClaim, _ url: ReturnURL) throws {
        if let word = condition.value("status") {
            #expect(word == claim.status.name)
        } else if let id = condition.value("paymentId") {
            #expect(id == claim.ids.payment)
        } else if let id = condition.value("subscriptionId") {
            #expect(id == claim.ids.subscription)
        } else if let email = condition.value("customerEmail") {
            #expect(email == claim.privateFields.customerEmail)
        } else if let keys = condition.after("licenseKeys=") {
            let list = try #require(keys.firstMatch(of: /^\[(.*)\] in this order$/)?.1)
            #expect(claim.privateFields.licenseKeys.joined(separator: ", ") == list)
        } else if let names = condition.after("raw keeps ") {
            for name in names.split(separator: " and ") {
                #expect(url.parameters.first(named: name) != nil, "\(name)")
            }
        } else {
            checkText(condition, url)
        }
    }

    /// Conditions in words; what each means is fixed here, the values come from the URL itself.
    private func checkText(_ condition: String, _ url: ReturnURL) {
        let query = Array((url.query ?? "").utf8)
        switch condition {
        case "both values kept in order in the lossless parameter list":
            let values = url.parameters.values(named: "status")
            #expect(values.count == 2 && values == raw("status", query))
        case "note is the three characters %ZZ":
            #expect(url.parameters.first(named: "note")?.value == "%ZZ")
        case "the nested URL stays one opaque value":
            let next = url.parameters.first(named: "next")
            #expect(next?.value.hasPrefix("\(url.scheme)://") == true)
            #expect(url.parameters.count == query.count { $0 == UInt8(ascii: "&") } + 1)
        case "no crash": break
        default: Issue.record("no runner understands '\(condition)'")
        }
    }

    private func raw(_ name: String, _ query: [UInt8]) -> [String] {
        String(decoding: query, as: UTF8.self).split(separator: "&").compactMap {
            $0.after("\(name)=")
        }
    }

    private func refused(_ item: PublicCase) throws {
        let text = try #require(item.input["returnUrl"]?.text)
        for condition in item.conditions {
            guard condition == "throw INVALID_RETURN_URL" else {
                Issue.record("no runner understands '\(condition)'")
                continue
            }
            #expect(throws: ReturnURLRefusal.self) { try ReturnURLPattern(registered: text) }
        }
    }
}

/// Checkout-URL cases straight from the file.
@Suite("Public checkout-URL cases")
struct CheckoutURLCaseTests {
    @Test("A checkout URL does what its case says", arguments: PublicCase.runnable("checkout_url"))
    func run(_ item: PublicCase) throws {
        let provider = try DodoPaymentsProvider()
        let text = try #require(item.input["checkoutUrl"]?.text)
        let pages = provider.checkoutURLRules.compactMap { try? $0.read(text) }
        let answer = provider.recognise(checkoutURL: text)
        for condition in item.conditions {
            if condition == "accept" {
                #expect(pages.count == 1)
            } else if condition.hasPrefix("throw INVALID_CHECKOUT_URL") {
                #expect(pages.isEmpty)
                #expect(answer == .notMine)
            } else if let id = condition.value("sessionId") {
                let page = try #require(pages.first)
                #expect(page.sessionID == id)
                #expect(answer == .session(id: id, mode: page.mode))
            } else if let mode = condition.value("mode") {
                #expect(pages.first?.mode.name == mode)
            } else if condition == "the opened URL has the bar as %7C" {
                #expect(pages.first?.canonicalText == text.replacing("|", with: "%7C"))
            } else {
                Issue.record("no runner understands '\(condition)'")
            }
        }
    }
}
