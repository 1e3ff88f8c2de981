#if canImport(UIKit) && canImport(SafariServices)
    import DodoCheckout
    import UIKit

    /// The Swift of the article "Moving from Dodo's SDK".
    @MainActor
    struct MovingFromDodosSDK {
        func run(_ page: URL, _ back: URL, _ url: URL) async throws -> CheckoutResult {
            let result = try await DodoCheckout.start(checkoutUrl: page, returnUrl: back)
            DodoCheckout.handleOpenURL(url)
            if let left = DodoCheckout.getAbandonedSession() { ask(about: left.sessionId) }
            DodoCheckout.clearAbandonedSession()
            return result
        }

        func launch() async throws {
            for result in try await DodoCheckout.unacknowledgedResults() {
                save(result)
                try await DodoCheckout.acknowledge(sessionId: result.sessionId ?? "")
            }
            for session in try DodoCheckout.abandonedSessions() {
                if await isSettled(session.sessionId) {
                    DodoCheckout.clearAbandonedSession(sessionId: session.sessionId)
                }
            }
        }

        func ask(about session: String) {}
        func save(_ result: CheckoutResult) {}
        func isSettled(_ session: String) async -> Bool { false }
    }
#endif
