import CheckoutFlow
import CheckoutModel
import DesktopCheckout
import DodoPayments
import Foundation
import ProviderKit
import Testing

@MainActor
func pay(
    provider: any ReturnURLParsing, journal: any SessionJournal,
    makeSession: (_ returnURL: String, _ cancelURL: String?) async throws -> String
) async throws -> CheckoutResult {
    let listener = try LoopbackListener()
    defer { listener.close() }
    let page = try await makeSession(listener.returnURL, listener.cancelURL)
    let presenter = SystemBrowserPresenter(returningBy: listener)
    let flow = CheckoutFlow(provider: provider, presenter: presenter, journal: journal)
    return try await flow.start(
        CheckoutRequest(
            checkoutURL: page, returnURL: listener.returnURL, cancelURL: listener.cancelURL,
            timeLimitSeconds: 900))
}

@MainActor
@Suite("The article about coming back")
struct ArticleTests {
    @Test("has an example that runs")
    func example() async throws {
        // What is made before the page is checked: the two URLs.
        let error = await #expect(throws: CheckoutError.self) {
            _ = try await pay(provider: DodoPaymentsProvider(), journal: MemoryJournal()) {
                $0.hasPrefix("http://127.0.0.1:") && $1 != nil ? "https://shop.example" : ""
            }
        }
        #expect(error?.code == .invalidCheckoutURL)
    }
}
