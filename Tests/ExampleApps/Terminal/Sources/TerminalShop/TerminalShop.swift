import CheckoutFlow
import CheckoutModel
import DodoPayments
import Foundation

/// `TerminalShop JOURNAL CHECKOUT-URL`: one checkout, and what is left of earlier ones.
@main
struct TerminalShop {
    static func main() async {
        let words = CommandLine.arguments
        guard words.count == 3 else {
            print("Usage: TerminalShop JOURNAL CHECKOUT-URL")
            exit(2)
        }
        do {
            try await run(journal: words[1], page: words[2])
        } catch let error as CheckoutError {
            print("\(error) \(error.hint)")
            exit(1)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    @MainActor
    static func run(journal: String, page: String) async throws {
        let flow = CheckoutFlow(
            provider: try DodoPaymentsProvider(), presenter: TerminalPresenter(),
            journal: FileJournal(path: journal))
        for session in try await flow.abandonedSessions() {
            print("Still open from before: \(session.key). Ask the server about it.")
        }
        let result = try await flow.start(
            CheckoutRequest(checkoutURL: page, returnURL: "shopdemo://checkout/return"))
        print("\(result.session.id): \(words(for: result))")
        // Only now may the journal forget it; a pending or cancelled one it keeps all the same.
        try await flow.acknowledge(result.session)
    }

    static func words(for result: CheckoutResult) -> String {
        // Another checkout waited at the same return URL: the return may be about that one.
        guard result.isCertain else { return "we are checking with the bank" }
        return switch result.status {
        case .succeeded: "thank you, we are confirming your payment"
        case .failed: "the payment was declined"
        case .expired: "the checkout has expired"
        case .cancelled, .pending: "we do not know yet, and are checking"
        }
    }
}
