import CheckoutFlow
import CheckoutModel
import DodoPayments
import ProviderKit
import Testing

/// Conditions of public cases that need a checkout to be running.
@MainActor
@Suite("Public cases of a running checkout")
struct FlowCaseTests {
    /// A flow with its parts at hand.
    @MainActor
    private struct Parts {
        let presenter = ScriptedPresenter()
        let journal = MemoryJournal()
        let flow: CheckoutFlow

        init() throws {
            flow = CheckoutFlow(
                provider: try DodoPaymentsProvider(), presenter: presenter, journal: journal)
        }

        func request(_ name: String, returnURL: String) -> CheckoutRequest {
            CheckoutRequest(
                checkoutURL: "https://test.checkout.dodopayments.com/session/cks_\(name)",
                returnURL: returnURL)
        }

        /// Begins a checkout and comes back when its page is there and noted.
        func begin(_ request: CheckoutRequest) async -> Task<CheckoutResult, any Error> {
            let pages = presenter.pages.count
            let task = Task { try await flow.start(request) }
            for _ in 0..<100_000 where presenter.pages.count == pages { await Task.yield() }
            for _ in 0..<100_000 where await journal.sessions().last?.wasShown != true {
                await Task.yield()
            }
            return task
        }
    }

    nonisolated private static let single = PublicCase.all.flatMap { item in
        item.allConditions.filter { FlowCases.conditions.contains("\(item.id): \($0)") }
            .map { (item, $0) }
    }

    @Test("A running checkout does what its case says", arguments: single)
    func condition(_ item: PublicCase, _ condition: String) async throws {
        if item.input["call"]?.text == "start" { return try await refused(item, condition) }
        let parts = try Parts()
        let registered = try #require(item.input["registered"]?.text)
        let task = await parts.begin(parts.request("A", returnURL: registered))
        parts.flow.handleOpenURL(try #require(item.input["incoming"]?.text))
        switch condition {
        case "checkout keeps waiting": #expect(parts.flow.activeSession?.id == "cks_A")
        case "no event recorded": #expect(await parts.journal.sessions().first?.returned == nil)
        case "record kept", "record cleared":
            let result = try await task.value
            try await parts.flow.acknowledge(result.session)
            #expect(
                try await parts.flow.abandonedSessions().isEmpty == (condition == "record cleared"))
        default: Issue.record("no runner understands '\(condition)'")
        }
        parts.presenter.report(.dismissed)
        _ = try await task.value
    }

    private func refused(_ item: PublicCase, _ condition: String) async throws {
        let parts = try Parts()
        let returnURL = try #require(item.input["returnUrl"]?.text)
        var request = parts.request("A", returnURL: returnURL)
        if let url = item.input["checkoutUrl"]?.text { request.checkoutURL = url }
        await #expect(throws: CheckoutError.self) { try await parts.flow.start(request) }
        #expect(await parts.journal.sessions().isEmpty)
        #expect(parts.presenter.pages.isEmpty)
    }

    private func expected(_ id: String) throws -> String {
        try #require(PublicCase.all.first { $0.id == id }).expected
    }

    @Test("pub-ret-18: the return page that loads twice ends the checkout once")
    func twice() async throws {
        let item = try #require(PublicCase.all.first { $0.id == "pub-ret-18" })
        #expect(item.expected.contains("second open: handled=false"))
        let steps = (item.input["steps"]?.elements ?? []).compactMap(\.text)
        let urls = steps.compactMap { $0.after("open ") }
        #expect(urls.count == 2)
        let parts = try Parts()
        var completions: [CheckoutResult] = []
        let registered = try #require(urls.first?.split(separator: "?").first.map { String($0) })
        let waiting = parts.flow.start(parts.request("A", returnURL: registered)) { outcome in
            if let result = try? outcome.get() { completions.append(result) }
        }
        for _ in 0..<100_000 where parts.presenter.pages.isEmpty { await Task.yield() }
        #expect(parts.flow.handleOpenURL(urls[0]))
        #expect(!parts.flow.handleOpenURL(urls[1]))
        await waiting.value
        #expect(!parts.flow.handleOpenURL(urls[1]))
        #expect(completions.map(\.status) == [.succeeded])
        let noted = await parts.journal.sessions()
        #expect(noted.map(\.returned?.payment) == ["pay_e4"])
    }

    @Test("pub-ret-19: a sheet that was swiped away ends its checkout and lets the next one start")
    func swiped() async throws {
        #expect(try expected("pub-ret-19").contains("no ALREADY_IN_PROGRESS"))
        let parts = try Parts()
        let url = "shopdemo://checkout/return"
        let first = await parts.begin(parts.request("A", returnURL: url))
        parts.presenter.report(.dismissed)
        #expect(try await first.value.status == .cancelled)
        let second = await parts.begin(parts.request("B", returnURL: url))
        #expect(parts.flow.activeSession?.id == "cks_B")
        #expect(try await parts.flow.abandonedSessions().map(\.key.id) == ["cks_A"])
        parts.presenter.report(.dismissed)
        _ = try await second.value
    }

    @Test("pub-url-09: a second tap is refused and leaves the first checkout alone")
    func secondTap() async throws {
        #expect(try expected("pub-url-09").contains("throws ALREADY_IN_PROGRESS"))
        let parts = try Parts()
        let url = "shopdemo://checkout/return"
        let first = await parts.begin(parts.request("A", returnURL: url))
        await #expect {
            try await parts.flow.start(parts.request("B", returnURL: url))
        } throws: { ($0 as? CheckoutError)?.code == .alreadyInProgress }
        #expect(await parts.journal.sessions().map(\.key.id) == ["cks_A"])
        #expect(parts.flow.handleOpenURL("\(url)?status=succeeded"))
        #expect(try await first.value.session.id == "cks_A")
    }
}
