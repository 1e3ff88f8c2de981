import CheckoutFlow
import CheckoutModel
import DodoPayments
import Foundation
import ProviderKit
import TestSupport
import Testing

@testable import PaymentSDK

@MainActor
@Suite("Payments")
struct PaymentTests {
    private let server = Server()

    private func inShop(
        _ body: @MainActor (Shop, URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { @MainActor folder in
            try await body(try Shop(folder, server: server), folder)
        }
    }

    @Test(
        "A return makes the result that it says",
        arguments: [
            ("status=succeeded&payment_id=pay_1", "success pay_1"),
            ("status=active&subscription_id=sub_1", "success sub_1"),
            ("status=succeeded", "success cks_0"), ("status=failed", "failure 4"),
            ("status=expired", "failure 7"),
            ("status=processing&payment_id=pay_1", "pending pay_1"),
            ("", "pending cks_0"), ("status=cancelled", "cancelled"), (nil, "cancelled"),
        ] as [(String?, String)])
    func results(_ query: String?, _ wanted: String) async throws {
        try await inShop { shop, _ in
            let result = await shop.pay(query)
            switch result {
            case .success(let receipt): #expect("success \(receipt.transactionID)" == wanted)
            case .failure(let error): #expect("failure \(error.code)" == wanted)
            case .cancelled: #expect(wanted == "cancelled")
            case .pending(let receipt): #expect("pending \(receipt.transactionID)" == wanted)
            }
            #expect(server.orders.map(\.money.minorUnits) == [1_999])
            #expect(server.orders.map(\.publishableKey) == ["pk_test_1"])
        }
    }

    @Test("A double tap makes one session and one page, and both get the result")
    func doubleTap() async throws {
        try await inShop { shop, _ in
            server.isSlow = true
            var results: [PaymentResult] = []
            shop.sdk.pay(Shop.request()) { results.append($0) }
            shop.sdk.pay(Shop.request()) { results.append($0) }
            await shop.until { server.orders.count == 1 }
            server.answer()
            await shop.until { !shop.presenter.pages.isEmpty }
            #expect(shop.open("status=succeeded&payment_id=pay_1"))
            #expect(!shop.open("status=failed"))
            await shop.until { results.count == 2 }
            let receipt = PaymentReceipt(
                transactionID: "pay_1", orderID: "ORDER-1", sessionID: "cks_0")
            #expect(results == [.success(receipt), .success(receipt)])
            #expect(server.orders.count == 1)
            #expect(shop.presenter.pages.count == 1)
        }
    }

    @Test("A paid order is not paid again, and its receipt is there after a restart")
    func paidTwice() async throws {
        try await inShop { shop, folder in
            let first = await shop.pay("status=succeeded&payment_id=pay_1")
            #expect(
                await shop.sdk.pay(Shop.request())
                    == .success(
                        .init(
                            transactionID: "pay_1", orderID: "ORDER-1")))
            let restarted = try Shop(folder, server: server)
            let again = try await restarted.sdk.process(Shop.request())
            guard case .success(let receipt) = first else {
                Issue.record("it is \(first)")
                return
            }
            #expect(again.transactionID == receipt.transactionID)
            #expect(server.orders.count == 1)
            #expect(restarted.presenter.pages.isEmpty)
        }
    }

    @Test("A server that does not answer in time is an error of its own; its answer is kept")
    func timeout() async throws {
        try await inShop { shop, _ in
            server.isSlow = true
            let task = Task { await shop.sdk.pay(Shop.request()) }
            await shop.until { server.orders.count == 1 && shop.clock.sleeperCount == 1 }
            shop.clock.ring()
            #expect(await task.value == .failure(.networkTimeout))
            #expect(shop.presenter.pages.isEmpty)
            server.answer()
            let key = try #require(server.orders.first?.idempotencyKey)
            let result = await shop.pay("status=succeeded&payment_id=pay_1")
            #expect(
                result
                    == .success(
                        .init(
                            transactionID: "pay_1", orderID: "ORDER-1", sessionID: "cks_0")))
            #expect(server.orders.allSatisfy { $0.idempotencyKey == key })
        }
    }

    @Test(
        "What the server's failure says is told apart",
        arguments: [
            (URLError(.timedOut) as any Error & Sendable, PaymentError.networkTimeout),
            (URLError(.notConnectedToInternet), .networkFailure),
            (PaymentError.declined(message: "No."), .declined(message: "No.")),
            (CancellationError(), .cancelledByApp),
        ])
    func failures(_ thrown: any Error & Sendable, _ wanted: PaymentError) async throws {
        try await inShop { shop, _ in
            server.failure = thrown
            #expect(await shop.sdk.pay(Shop.request()) == .failure(wanted))
            server.failure = nil
            #expect(await shop.pay(nil) == .cancelled)
            #expect(Set(server.orders.map(\.idempotencyKey)).count == 1)
        }
    }

    @Test("A payment that was left goes on with the same session; a declined one gets a new one")
    func attempts() async throws {
        try await inShop { shop, _ in
            #expect(await shop.pay(nil) == .cancelled)
            #expect(await shop.pay(nil) == .cancelled)
            #expect(server.orders.count == 1)
            #expect(Set(shop.presenter.pages.map(\.url)).count == 1)
            _ = await shop.pay("status=failed")
            #expect(
                await shop.pay("status=succeeded&payment_id=pay_2")
                    == .success(
                        .init(
                            transactionID: "pay_2", orderID: "ORDER-1", sessionID: "cks_1")))
            #expect(server.orders.count == 2)
            #expect(Set(server.orders.map(\.idempotencyKey)).count == 2)
        }
    }

    @Test("A process that is killed while the page is open makes no second session")
    func killed() async throws {
        try await inShop { shop, folder in
            let lost = Task { await shop.sdk.pay(Shop.request()) }
            await shop.until { !shop.presenter.pages.isEmpty }
            let restarted = try Shop(folder, server: server)
            // The return starts the new process, before anybody asks for the payment again.
            #expect(!restarted.open("status=succeeded&payment_id=pay_1"))
            let journal = FileJournal(path: folder.appendingPathComponent("sessions.json").path)
            await restarted.until { (try? journal.sessionsNow().first?.returned) != nil }
            #expect(
                await restarted.sdk.pay(Shop.request())
                    == .success(
                        .init(
                            transactionID: "pay_1", orderID: "ORDER-1", sessionID: "cks_0")))
            #expect(server.orders.count == 1)
            #expect(restarted.presenter.pages.isEmpty)
            shop.presenter.report(.dismissed)
            _ = await lost.value
        }
    }

    @Test("A process that is killed while the server works asks again with the same key")
    func killedBefore() async throws {
        try await inShop { shop, folder in
            server.isSlow = true
            let lost = Task { await shop.sdk.pay(Shop.request()) }
            await shop.until { server.orders.count == 1 }
            let text = try String(
                contentsOf: folder.appendingPathComponent("orders.json"), encoding: .utf8)
            #expect(text.contains(server.orders[0].idempotencyKey.rawValue))
            let restarted = try Shop(folder, server: server)
            let again = Task { await restarted.sdk.pay(Shop.request()) }
            await restarted.until { server.orders.count == 2 }
            #expect(Set(server.orders.map(\.idempotencyKey)).count == 1)
            lost.cancel()
            #expect(await lost.value == .failure(.cancelledByApp))
            server.answer()
            await restarted.until { !restarted.presenter.pages.isEmpty }
            restarted.presenter.report(.dismissed)
            #expect(await again.value == .cancelled)
        }
    }

    @Test("An order whose session is too old opens no dead page, and is asked about first")
    func tooOld() async throws {
        try await inShop { shop, folder in
            #expect(await shop.pay(nil) == .cancelled)
            let later = AlarmClock(Instant(seconds: 1_767_225_600 + 86_401))
            let restarted = try Shop(folder, server: server, clock: later)
            let receipt = PaymentReceipt(
                transactionID: "cks_0", orderID: "ORDER-1", sessionID: "cks_0")
            #expect(await restarted.sdk.pay(Shop.request()) == .pending(receipt))
            #expect(restarted.presenter.pages.isEmpty)
            #expect(try restarted.sdk.openOrders().map(\.orderID) == ["ORDER-1"])
            try await restarted.sdk.resolve(orderID: "ORDER-1", with: .expired)
            #expect(await restarted.pay(nil) == .cancelled)
            #expect(Set(server.orders.map(\.idempotencyKey)).count == 2)
        }
    }

    @Test("One of two who wait may leave; when both do, the payment is called off")
    func leaving() async throws {
        try await inShop { shop, _ in
            let first = Task { await shop.sdk.pay(Shop.request()) }
            let second = Task { await shop.sdk.pay(Shop.request()) }
            await shop.until { !shop.presenter.pages.isEmpty }
            first.cancel()
            for _ in 0..<100 { await Task.yield() }
            #expect(await shop.sdk.pay(Shop.request("ORDER-2")) == .failure(.alreadyInProgress))
            second.cancel()
            #expect(await first.value == .failure(.cancelledByApp))
            #expect(await second.value == .failure(.cancelledByApp))
        }
    }

    @Test("The return of one attempt is no other's, and a made-up one is nobody's")
    func boundReturns() async throws {
        try await inShop { shop, _ in
            #expect(await shop.pay(nil, Shop.request("ORDER-1")) == .cancelled)
            let task = Task { await shop.sdk.pay(Shop.request("ORDER-2")) }
            await shop.until { shop.presenter.pages.count == 2 }
            let first = try #require(server.orders.first?.returnURL)
            for forged in ["\(Shop.back)?status=succeeded", "\(first)?status=succeeded"] {
                #expect(!shop.sdk.handleCallbackURL(try #require(URL(string: forged))))
            }
            #expect(shop.open("status=failed"))
            #expect(await task.value == .failure(.declined(message: "The payment was declined.")))
        }
    }

    @Test("Orders that were left can be found, and settled by what the server says")
    func openOrders() async throws {
        try await inShop { shop, folder in
            for order in ["A", "B", "C"] { _ = await shop.pay(nil, Shop.request(order)) }
            let restarted = try Shop(folder, server: server)
            #expect(try restarted.sdk.openOrders().map(\.orderID) == ["A", "B", "C"])
            #expect(try restarted.sdk.openOrders().map(\.sessionID) == ["cks_0", "cks_1", "cks_2"])
            try await restarted.sdk.resolve(orderID: "A", with: .succeeded)
            try await restarted.sdk.resolve(orderID: "B", with: .failed)
            try await restarted.sdk.resolve(orderID: "C", with: .pending)
            try await restarted.sdk.resolve(orderID: "X", with: .failed)
            #expect(try restarted.sdk.openOrders().map(\.orderID) == ["C"])
            guard case .success = await restarted.sdk.pay(Shop.request("A")) else {
                Issue.record("a paid order was to be paid again")
                return
            }
            #expect(await restarted.pay(nil, Shop.request("B")) == .cancelled)
            #expect(server.orders.count == 4)
            #expect(Set(server.orders.map(\.idempotencyKey)).count == 4)
        }
    }

    @Test("The running order is not an open one, and cannot be settled")
    func runningOrder() async throws {
        try await inShop { shop, _ in
            let task = Task { await shop.sdk.pay(Shop.request()) }
            await shop.until { !shop.presenter.pages.isEmpty }
            let running = try shop.sdk.openOrders()
            #expect(running.isEmpty)
            await #expect(throws: PaymentError.alreadyInProgress) {
                try await shop.sdk.resolve(orderID: "ORDER-1", with: .failed)
            }
            shop.presenter.report(.dismissed)
            _ = await task.value
            let left = try shop.sdk.openOrders()
            #expect(left.map(\.orderID) == ["ORDER-1"])
        }
    }

    @Test("Another order has to wait, and the same order cannot change its amount")
    func conflicts() async throws {
        try await inShop { shop, _ in
            let task = Task { await shop.sdk.pay(Shop.request()) }
            await shop.until { !shop.presenter.pages.isEmpty }
            #expect(await shop.sdk.pay(Shop.request("ORDER-2")) == .failure(.alreadyInProgress))
            let dearer = Shop.request("ORDER-1", "29.99")
            #expect(await shop.sdk.pay(dearer) == .failure(.orderChanged))
            shop.presenter.report(.dismissed)
            _ = await task.value
            #expect(await shop.sdk.pay(dearer) == .failure(.orderChanged))
        }
    }

    @Test("A page that is not the provider's is refused, and the server is asked again")
    func wrongPage() async throws {
        try await withTemporaryDirectory { @MainActor folder in
            var pages = ["https://evil.example/pay"]
            let sdk = PaymentSDK()
            let configuration = try PaymentConfiguration(
                publishableKey: "pk_1", provider: try DodoPaymentsProvider(), returnURL: Shop.back,
                folder: folder.path
            ) { @MainActor _ in PaymentSession(checkoutURL: pages.removeFirst()) }
            try sdk.configure(configuration, presenter: ScriptedPresenter())
            guard case .failure(.invalidConfiguration) = await sdk.pay(Shop.request()) else {
                Issue.record("the page was opened")
                return
            }
            pages = ["https://evil.example/again"]
            _ = await sdk.pay(Shop.request())
            #expect(pages.isEmpty)
        }
    }
}
