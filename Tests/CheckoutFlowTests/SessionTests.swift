import CheckoutModel
import ProviderKit
import Stripe
import Testing

@testable import CheckoutFlow

@MainActor
@Suite("Checkouts that nobody waits for")
struct SessionTests {
    private let paid = "\(FlowFixture.returnURL)?status=succeeded&payment_id=pay_1"

    /// A checkout that the customer closed.
    private func closed(_ id: String, in fixture: FlowFixture) async throws {
        _ = try await fixture.run(fixture.request(id)) { _ in fixture.presenter.report(.dismissed) }
    }

    @Test("A return after the page was closed is handed over as a late one")
    func late() async throws {
        let fixture = try FlowFixture()
        try await closed("cks_A", in: fixture)
        #expect(fixture.flow.handle(openURL: paid) == .ignored(.noActiveCheckout))
        await fixture.until { !fixture.log.late.isEmpty }
        let result = try #require(fixture.log.late.first)
        #expect(result.session.id == "cks_A")
        #expect(result.status == .succeeded)
        #expect(result.paymentID == "pay_1")
        #expect(result.isLate)
        #expect(fixture.log.names.last == "checkout.late_return")
        #expect(try await fixture.flow.abandonedSessions().isEmpty)
        #expect(try await fixture.flow.results().map(\.status) == [.succeeded])
        #expect(fixture.flow.handle(openURL: paid) == .ignored(.alreadyHandled))
    }

    @Test("A return that starts the app finds the session of the process that ended")
    func coldStart() async throws {
        let first = try FlowFixture()
        let running = Task { try await first.flow.start(first.request("cks_A")) }
        await first.until { !first.presenter.pages.isEmpty }
        await first.until { await first.journal.sessions().first?.wasShown == true }
        let second = try FlowFixture(journal: MemoryJournal(await first.journal.sessions()))
        #expect(try await second.flow.abandonedSessions().map(\.key.id) == ["cks_A"])
        #expect(!second.flow.handleOpenURL(paid))
        await second.until { !second.log.late.isEmpty }
        #expect(try await second.flow.results().first?.paymentID == "pay_1")
        first.presenter.report(.dismissed)
        _ = try await running.value
    }

    @Test("A late return that fits two checkouts is given to neither")
    func ambiguous() async throws {
        let fixture = try FlowFixture()
        try await closed("cks_A", in: fixture)
        try await closed("cks_B", in: fixture)
        await fixture.flow.takeLate(paid)
        #expect(fixture.log.late.isEmpty)
        #expect(try await fixture.flow.abandonedSessions().count == 2)
    }

    @Test("A return that names another session is that one's")
    func named() async throws {
        let fixture = try FlowFixture(provider: try StripeProvider())
        func request(_ id: String) -> CheckoutRequest {
            CheckoutRequest(
                checkoutURL: "https://checkout.stripe.com/c/pay/\(id)",
                returnURL: FlowFixture.returnURL)
        }
        _ = try await fixture.run(request("cs_test_A")) { _ in
            fixture.presenter.report(.dismissed)
        }
        let result = try await fixture.run(request("cs_test_B")) { flow in
            let ofA = "\(FlowFixture.returnURL)?session_id=cs_test_A"
            #expect(flow.handle(openURL: ofA) == .ignored(.otherSession))
            #expect(flow.handleOpenURL("\(FlowFixture.returnURL)?session_id=cs_test_B"))
        }
        #expect(result.isCertain)
        await fixture.until { !fixture.log.late.isEmpty }
        #expect(fixture.log.late.map(\.session.id) == ["cs_test_A"])
    }

    @Test("A URL that belongs to no checkout is nobody's")
    func stranger() async throws {
        let fixture = try FlowFixture()
        #expect(fixture.flow.handle(openURL: paid) == .ignored(.noActiveCheckout))
        await fixture.flow.takeLate(paid)
        await fixture.flow.takeLate("not a url")
        #expect(fixture.log.late.isEmpty)
        #expect(fixture.log.events.isEmpty)
    }

    @Test("A result stays until the host has acknowledged it")
    func acknowledged() async throws {
        let fixture = try FlowFixture()
        _ = try await fixture.run(fixture.request("cks_A")) { $0.handleOpenURL(self.paid) }
        let restarted = try FlowFixture(journal: MemoryJournal(await fixture.journal.sessions()))
        let result = try #require(try await restarted.flow.results().first)
        #expect(result.status == .succeeded)
        #expect(result.paymentID == "pay_1")
        #expect(result.ending == .returned)
        try await restarted.flow.acknowledge(result.session)
        #expect(try await restarted.flow.results().isEmpty)
        #expect(await restarted.journal.sessions().isEmpty)
    }

    @Test("An acknowledged cancellation stays abandoned until it is resolved, by its own name")
    func resolved() async throws {
        let fixture = try FlowFixture()
        try await closed("cks_A", in: fixture)
        try await closed("cks_B", in: fixture)
        for result in try await fixture.flow.results() {
            try await fixture.flow.acknowledge(result.session)
        }
        #expect(try await fixture.flow.abandonedSessions().map(\.key.id) == ["cks_A", "cks_B"])
        try await fixture.flow.resolve(SessionKey("dodo", "cks_A"), with: .succeeded)
        #expect(try await fixture.flow.abandonedSessions().map(\.key.id) == ["cks_B"])
        try await fixture.flow.resolve(SessionKey("dodo", "cks_X"), with: .failed)
        #expect(try await fixture.flow.abandonedSessions().count == 1)
    }

    @Test("The running checkout is not abandoned, and resolving another leaves it alone")
    func running() async throws {
        let fixture = try FlowFixture()
        try await closed("cks_A", in: fixture)
        let task = Task { try await fixture.flow.start(fixture.request("cks_B")) }
        await fixture.until { fixture.presenter.pages.count == 2 }
        #expect(try await fixture.flow.abandonedSessions().map(\.key.id) == ["cks_A"])
        try await fixture.flow.resolve(SessionKey("dodo", "cks_A"), with: .failed)
        #expect(await fixture.journal.sessions().map(\.key.id) == ["cks_B"])
        fixture.presenter.report(.dismissed)
        _ = try await task.value
    }

    @Test("Closure, delegate and stream tell the same as the async form")
    func forms() async throws {
        let fixture = try FlowFixture()
        let listener = Listener()
        fixture.flow.delegate = listener
        let stream = fixture.flow.events()
        fixture.flow.begin(fixture.request("cks_A"))
        await fixture.until { !fixture.presenter.pages.isEmpty }
        fixture.flow.handleOpenURL(paid)
        await fixture.until { !listener.results.isEmpty }
        #expect(listener.results.map(\.status) == [.succeeded])
        var names: [String] = []
        for await event in stream {
            names.append(event.name)
            if names.count == 3 { break }
        }
        #expect(names == fixture.log.names)
        #expect(listener.events == fixture.log.events)
        var outcome: Result<CheckoutResult, CheckoutError>?
        fixture.flow.start(CheckoutRequest(checkoutURL: "x", returnURL: "y")) { outcome = $0 }
        await fixture.until { outcome != nil }
        #expect(throws: CheckoutError.self) { try outcome?.get() }
        fixture.flow.begin(CheckoutRequest(checkoutURL: "x", returnURL: "y"))
        await fixture.until { !listener.errors.isEmpty }
        #expect(listener.errors.first?.code == .invalidCheckoutURL)
    }

    private final class Listener: CheckoutFlowDelegate {
        var results: [CheckoutResult] = []
        var errors: [CheckoutError] = []
        var events: [FlowEvent] = []

        func checkoutFlow(_ flow: CheckoutFlow, didFinish result: CheckoutResult) {
            results.append(result)
        }
        func checkoutFlow(_ flow: CheckoutFlow, didFail error: CheckoutError) {
            errors.append(error)
        }
        func checkoutFlow(_ flow: CheckoutFlow, didEmit event: FlowEvent) { events.append(event) }
    }
}
