import CheckoutFlow
import CheckoutModel
import DodoPayments
import Foundation
import ProviderKit
import Testing

@testable import PaymentSDK

/// A shop's server that makes sessions, one for each idempotency key.
@MainActor
final class Server {
    var orders: [PaymentOrder] = []
    var failure: (any Error)?
    /// Keeps answers back until ``answer()``.
    var isSlow = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var keys: [String] = []

    func makeSession(_ order: PaymentOrder) async throws -> PaymentSession {
        orders.append(order)
        if isSlow { await withCheckedContinuation { waiting.append($0) } }
        if let failure { throw failure }
        if !keys.contains(order.idempotencyKey.rawValue) {
            keys.append(order.idempotencyKey.rawValue)
        }
        let number = keys.firstIndex(of: order.idempotencyKey.rawValue) ?? 0
        return PaymentSession(
            checkoutURL: "https://test.checkout.dodopayments.com/session/cks_\(number)")
    }

    func answer() {
        isSlow = false
        for wake in waiting { wake.resume() }
        waiting = []
    }
}

/// A clock whose sleepers wake when they are told to, or are cancelled.
@MainActor
final class AlarmClock: FlowClock {
    private var sleepers: [AsyncStream<Void>.Continuation] = []
    nonisolated private let time: Instant

    nonisolated init(_ time: Instant = Instant(seconds: 1_767_225_600)) { self.time = time }

    nonisolated func now() -> Instant { time }

    var sleeperCount: Int { sleepers.count }

    func ring() {
        for sleeper in sleepers { sleeper.yield() }
        sleepers = []
    }

    func sleep(seconds: Int64) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        sleepers.append(continuation)
        for await _ in stream { return }
        throw CancellationError()
    }
}

/// An app with the payment API, whose folder outlives it.
@MainActor
struct Shop {
    static let back = "shop://paid"
    let server: Server
    let presenter = ScriptedPresenter()
    let clock: AlarmClock
    let sdk = PaymentSDK()

    init(_ folder: URL, server: Server, clock: AlarmClock = AlarmClock()) throws {
        self.server = server
        self.clock = clock
        let configuration = try PaymentConfiguration(
            publishableKey: "pk_test_1", provider: try DodoPaymentsProvider(),
            returnURL: Self.back, folder: folder.path
        ) { try await server.makeSession($0) }
        try sdk.configure(configuration, presenter: presenter, clock: clock)
    }

    static func request(
        _ order: String = "ORDER-1", _ amount: String = "19.99", _ currency: String = "EUR"
    ) -> PaymentRequest {
        PaymentRequest(
            amount: Decimal(string: amount) ?? .nan, currency: currency, orderID: order)
    }

    func open(_ query: String) -> Bool {
        URL(string: "\(server.orders.last?.returnURL ?? Self.back)?\(query)").map {
            sdk.handleCallbackURL($0)
        } ?? false
    }

    /// Pays and comes back with a query; nil = the customer closes the page.
    func pay(_ query: String?, _ request: PaymentRequest = request()) async -> PaymentResult {
        let pages = presenter.pages.count
        let task = Task { await sdk.pay(request) }
        await until { presenter.pages.count > pages }
        if let query { #expect(open(query)) } else { presenter.report(.dismissed) }
        return await task.value
    }

    /// Lets other tasks go on until it holds, and gives up after very many turns.
    func until(_ holds: @MainActor () -> Bool) async {
        for _ in 0..<2_000_000 {
            if holds() { return }
            await Task.yield()
        }
        Issue.record("what was waited for did not happen")
    }
}
