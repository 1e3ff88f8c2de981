import CheckoutFlow
import DodoCheckout
import Foundation
import TestSupport
import Testing

/// The static names share one journal, so these run one after another.
@MainActor
@Suite("The static names of Dodo's SDK", .serialized)
struct StaticNamesTests {
    @Test("An app that was written for Dodo's SDK compiles, runs and recovers")
    func drop() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dodo-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let presenter = ScriptedPresenter()
        var looks: [BrowserCustomization] = []
        try DodoCheckout.configure(journal: folder.appendingPathComponent("sessions.json")) {
            looks.append($0)
            return presenter
        }
        let checkoutUrl = try #require(
            URL(string: "https://test.checkout.dodopayments.com/session/cks_A"))
        let returnUrl = try #require(URL(string: "myapp://checkout/return"))
        let dark = BrowserCustomization(
            dismissButtonStyle: .close, presentationStyle: .fullScreen, colorScheme: .dark)
        let run = Task {
            try await DodoCheckout.start(
                checkoutUrl: checkoutUrl, returnUrl: returnUrl, customization: dark,
                onEvent: { event in _ = event.name })
        }
        while presenter.pages.isEmpty { await Task.yield() }
        #expect(DodoCheckout.getAbandonedSession()?.sessionId == "cks_A")
        #expect(try DodoCheckout.abandonedSessions().isEmpty)
        let other = try #require(URL(string: "myapp://profile/42"))
        #expect(!DodoCheckout.handleOpenURL(other))
        let back = try #require(URL(string: "myapp://checkout/return?status=succeeded"))
        #expect(DodoCheckout.handleOpenURL(back))
        let result = try await run.value
        switch result.status {
        case .succeeded: break
        case .failed, .cancelled, .pending, .expired: Issue.record("it is \(result.status)")
        }
        #expect(looks == [dark])
        #expect(DodoCheckout.getAbandonedSession() == nil)
        #expect(try await DodoCheckout.unacknowledgedResults().map(\.sessionId) == ["cks_A"])
        try await DodoCheckout.acknowledge(sessionId: "cks_A")
        #expect(try await DodoCheckout.unacknowledgedResults().isEmpty)
        DodoCheckout.clearAbandonedSession()
        #expect(!DodoCheckout.clearAbandonedSession(sessionId: "cks_A"))
    }

    @Test("Errors are the SDK's, caught as it is done there")
    func errors() async throws {
        let wrong = try #require(URL(string: "https://evil.example/session/cks_A"))
        do {
            _ = try await DodoCheckout.start(checkoutUrl: wrong, returnUrl: wrong)
            Issue.record("it did not throw")
        } catch let error as NSError where error.domain == "nobody" {
            Issue.record("a foreign error")
        } catch {
            #expect("\(error)".hasPrefix("INVALID_CHECKOUT_URL: ") || "\(error)".contains("_ERROR"))
        }
    }
}
