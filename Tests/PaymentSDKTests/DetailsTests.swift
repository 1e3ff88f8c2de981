import Adyen
import CheckoutFlow
import CheckoutModel
import DodoPayments
import Foundation
import Paddle
import ProviderKit
import TestSupport
import Testing

@testable import PaymentSDK

@MainActor
@Suite("What a payment is made of")
struct DetailsTests {
    @Test(
        "An amount is taken exactly or not at all",
        arguments: [
            ("19.99", "EUR", 1_999), ("99.00", "cny", 9_900), ("5", "JPY", 5),
            ("1.234", "KWD", 1_234), ("0.01", "USD", 1),
            ("92233720368547758.07", "EUR", Int64.max), ("19.999", "EUR", nil),
            ("0.5", "JPY", nil), ("0", "EUR", nil), ("-1", "EUR", nil), ("1", "XXX", nil),
            ("1", "EURO", nil), ("1e40", "EUR", nil), ("92233720368547758.08", "EUR", nil),
        ] as [(String, String, Int64?)])
    func amounts(_ text: String, _ currency: String, _ units: Int64?) {
        let request = Shop.request("ORDER-1", text, currency)
        guard let units else {
            #expect(throws: PaymentError.self) { try request.money() }
            return
        }
        #expect((try? request.money())?.minorUnits == units)
    }

    @Test("A binary fraction is not an amount")
    func binary() {
        let request = PaymentRequest(amount: Decimal(19.99), currency: "EUR", orderID: "O")
        // Some of these happen to be exact; what is taken is never rounded.
        if let money = try? request.money() { #expect(money.minorUnits == 1_999) }
        let third = PaymentRequest(amount: Decimal(1) / 3, currency: "EUR", orderID: "O")
        #expect(throws: PaymentError.self) { try third.money() }
        let nothing = PaymentRequest(amount: .nan, currency: "EUR", orderID: "O")
        #expect(throws: PaymentError.self) { try nothing.money() }
    }

    @Test("Money comes back as it went in", arguments: [1, 1_999, 100, Int64.max])
    func exact(_ units: Int64) throws {
        for code in ["EUR", "JPY", "KWD"] {
            let money = Money(minorUnits: units, currency: try #require(Currency(code)))
            #expect(try PaymentRequest(money, orderID: "O").money() == money)
        }
    }

    @Test("An order needs a name", arguments: ["", String(repeating: "x", count: 256)])
    func order(_ name: String) {
        #expect(throws: PaymentError.self) { try Shop.request(name).money() }
    }

    @Test(
        "A secret key is refused, and the refusal does not repeat it",
        arguments: [
            "sk_live_abc123", "sk_test_abc123", "rk_live_abc123", "whsec_abc123",
            "pdl_live_apikey_abc123", "live_abc123", "test_abc123", "sandbox_abc123",
            "EAAAabc123", "AQEabc123",
            "access_token$abc123", "my_SECRET_abc123", "-----BEGIN abc123", "",
        ])
    func secrets(_ key: String) throws {
        let provider = try DodoPaymentsProvider()
        do throws(PaymentError) {
            _ = try PaymentConfiguration(
                publishableKey: key, provider: provider, returnURL: Shop.back, folder: "."
            ) { _ in PaymentSession(checkoutURL: "") }
            Issue.record("\(key) was taken")
        } catch {
            #expect(error.code == 1)
            #expect(!"\(error)".contains("abc123"))
        }
    }

    @Test("Public keys are taken", arguments: ["pk_live_abc", "rzp_live_abc", "shop-app"])
    func publicKeys(_ key: String) throws {
        let configuration = try PaymentConfiguration(
            publishableKey: key, provider: try DodoPaymentsProvider(), returnURL: Shop.back,
            folder: "."
        ) { _ in PaymentSession(checkoutURL: "") }
        #expect(configuration.publishableKey == key)
    }

    @Test("A key that one provider publishes is taken for that one, whatever others begin with")
    func publishedElsewhere() throws {
        func configure(_ key: String, _ provider: any ReturnURLParsing) throws {
            _ = try PaymentConfiguration(
                publishableKey: key, provider: provider, returnURL: Shop.back, folder: "."
            ) { _ in PaymentSession(checkoutURL: "") }
        }
        for key in ["live_7d279f61a3", "test_7d279f61a3"] {
            try configure(key, try PaddleProvider())
            try configure(key, try AdyenProvider())
        }
        for key in ["pdl_live_apikey_abc", "sk_live_abc", "live_secret"] {
            #expect(throws: PaymentError.self) { try configure(key, try PaddleProvider()) }
        }
    }

    @Test("A set-up that cannot work is refused")
    func configuration() async throws {
        let provider = try DodoPaymentsProvider()
        for (back, seconds) in [("nowhere", 30), ("\(Shop.back)?a=1", 30), (Shop.back, 0)]
            as [(String, Int64)]
        {
            #expect(throws: PaymentError.self) {
                try PaymentConfiguration(
                    publishableKey: "pk_1", provider: provider, returnURL: back, folder: ".",
                    sessionSeconds: seconds
                ) { _ in PaymentSession(checkoutURL: "") }
            }
        }
        let unset = PaymentSDK()
        guard case .failure(.invalidConfiguration) = await unset.pay(Shop.request()) else {
            Issue.record("it paid without a configuration")
            return
        }
        #expect(!unset.handleCallbackURL(try #require(URL(string: Shop.back))))
    }

    @Test("Every error has its own number, and they stay")
    func codes() {
        let errors: [PaymentError] = [
            .invalidConfiguration(""), .invalidPaymentDetails(""), .networkFailure,
            .declined(message: ""), .unknown, .networkTimeout, .expired, .alreadyInProgress,
            .cannotPresent(""), .notRecorded, .orderChanged, .cancelledByApp,
            .cancelledByCustomer, .outcomeUnknown,
        ]
        #expect(errors.map(\.code) == Array(1...14))
    }

    @Test("Orders that cannot be noted or read stop the payment before anything is sent")
    func notRecorded() async throws {
        let server = Server()
        try await withTemporaryDirectory { @MainActor folder in
            let gone = try Shop(folder.appendingPathComponent("no-such"), server: server)
            #expect(await gone.sdk.pay(Shop.request()) == .failure(.notRecorded))
            let file = folder.appendingPathComponent("orders.json")
            for text in ["", "{}", "{\"format\":2,\"orders\":[]}", "{\"format\":1,\"orders\":[1]}"]
            {
                try Data(text.utf8).write(to: file)
                let shop = try Shop(folder, server: server)
                #expect(await shop.sdk.pay(Shop.request()) == .failure(.notRecorded))
                #expect(try String(contentsOf: file, encoding: .utf8) == text)
            }
        }
        #expect(server.orders.isEmpty)
    }

    @Test("The book of orders stays small, and paid orders go first")
    func size() throws {
        try withTemporaryDirectory { folder in
            let book = OrderBook(folder: folder.path, limit: 4, makeKey: PaymentDesk.randomKey)
            let money = Money(minorUnits: 1, currency: try #require(Currency("EUR")))
            let first = try book.open("first", money)
            _ = try book.open("paid", money)
            try book.markPaid("paid", by: "pay_1")
            for number in 2..<4 { _ = try book.open("\(number)", money) }
            _ = try book.open("last", money)
            #expect(try book.open("first", money) == first)
            #expect(try book.open("paid", money).paid == nil)
        }
    }
}
