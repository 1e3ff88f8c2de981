#if canImport(SwiftUI) && canImport(UIKit)
    import CheckoutFlow
    import CheckoutModel
    import DodoPayments
    import SwiftUI

    /// The Swift of the article "From zero to a result", with what it takes for granted.
    @MainActor
    struct FromZeroToAResult {
        let supportFolder: String
        let page: String

        func make() throws -> CheckoutFlow {
            let flow = CheckoutFlow(
                provider: try DodoPaymentsProvider(),
                presenter: SafariPresenter(),
                journal: FileJournal(path: "\(supportFolder)/checkouts.json"))
            return flow
        }

        func pay(_ flow: CheckoutFlow) async throws {
            let result = try await flow.start(
                CheckoutRequest(checkoutURL: page, returnURL: "shopdemo://checkout/return"))

            switch result.status {
            case .succeeded: show("Thank you. We are confirming your payment.")
            case .failed: show("The payment was declined.")
            case .expired: show("The checkout has expired.")
            case .cancelled, .pending: await askServer(about: result.session.id)
            }
            try await flow.acknowledge(result.session)
        }

        func launch(_ flow: CheckoutFlow) async throws {
            for session in try await flow.abandonedSessions() {
                if let status = await askServer(about: session.key.id) {
                    try await flow.resolve(session.key, with: status)
                }
            }
        }

        /// The article's last part, which needs no phone.
        func tryOut() async throws -> CheckoutResult {
            let presenter = ScriptedPresenter()
            let flow = CheckoutFlow(
                provider: try DodoPaymentsProvider(), presenter: presenter,
                journal: MemoryJournal())
            let checkout = Task {
                try await flow.start(
                    CheckoutRequest(checkoutURL: page, returnURL: "shopdemo://checkout/return"))
            }
            while presenter.pages.isEmpty { await Task.yield() }
            flow.handleOpenURL("shopdemo://checkout/return?status=succeeded&payment_id=pay_1")
            let result = try await checkout.value
            return result
        }

        struct Cart: View {
            let flow: CheckoutFlow
            @State private var request: CheckoutRequest?

            var body: some View {
                CartView()
                    .checkout(item: $request, flow: flow) { answer in show(answer) }
            }

            func show(_ answer: Result<CheckoutResult, CheckoutError>) {}
        }

        struct CartView: View {
            var body: some View { EmptyView() }
        }

        func show(_ text: String) {}

        @discardableResult
        func askServer(about session: String) async -> CheckoutStatus? { nil }
    }
#endif
