import CheckoutFlow
import CheckoutModel
import DodoPayments
import ProviderKit

/// What stands behind the static names: one flow for the process, and its journal.
@MainActor
final class CheckoutDesk {
    let shelf: SessionShelf
    private let provider: DodoPaymentsProvider
    private let screen: PresenterSwitch
    let flow: CheckoutFlow
    private var onEvent: (@Sendable (CheckoutEvent) -> Void)?
    var onLog: (@MainActor (LoggedEvent) -> Void)?
    var onLateReturn: (@MainActor (CheckoutResult) -> Void)?

    init(
        shelf: SessionShelf, clock: any FlowClock,
        presenter: @escaping PresenterSwitch.Maker
    ) throws(CheckoutError) {
        self.shelf = shelf
        screen = PresenterSwitch(presenter)
        do throws(ProviderConfigurationError) {
            provider = try DodoPaymentsProvider()
        } catch {
            throw CheckoutError(code: .platformError, message: error.message)
        }
        flow = CheckoutFlow(
            provider: provider, presenter: screen, journal: shelf.journal, clock: clock)
        flow.onEvent = { [weak self] event in self?.tell(event) }
        flow.onLateReturn = { [weak self] in self?.onLateReturn?(CheckoutResult($0)) }
    }

    var isRunning: Bool { flow.activeSession != nil }

    func start(
        _ request: CheckoutRequest, customization: BrowserCustomization = BrowserCustomization(),
        onEvent: (@Sendable (CheckoutEvent) -> Void)? = nil
    ) async throws(CheckoutError) -> CheckoutResult {
        if !isRunning {
            // The second of two callers must not take the first one's listener or page.
            self.onEvent = onEvent
            screen.customization = customization
            if case .session(let id, _) = provider.recognise(checkoutURL: request.checkoutURL) {
                shelf.run(id)
            }
        }
        do throws(CheckoutFlow.RunError) {
            let result = try await flow.start(request)
            ended()
            return CheckoutResult(result)
        } catch {
            if error.code != .alreadyInProgress { ended() }
            throw CheckoutError(error)
        }
    }

    /// Whether the URL belongs to a checkout of this app, so that the host need not look at it.
    func handleOpenURL(_ text: String) -> Bool {
        switch flow.handle(openURL: text) {
        case .handled, .ignored(.alreadyHandled), .ignored(.alreadyReturned), .ignored(.malformed):
            true
        case .ignored(.noActiveCheckout), .ignored(.otherSession), .ignored(.notTheReturnURL):
            shelf.knows(returnURL: text)
        }
    }

    func unacknowledgedResults() async throws(CheckoutError) -> [CheckoutResult] {
        do throws(JournalError) {
            return try await flow.results().map { CheckoutResult($0) }
        } catch {
            throw CheckoutError(error)
        }
    }

    func acknowledge(_ id: String) async throws(CheckoutError) {
        do throws(JournalError) {
            try await flow.acknowledge(SessionKey(type(of: provider).descriptor.id, id))
        } catch {
            throw CheckoutError(error)
        }
    }

    private func ended() {
        guard !isRunning else { return }
        // What the app gave holds its screens.
        onEvent = nil
        shelf.run(nil)
        shelf.prune()
    }

    private func tell(_ event: FlowEvent) {
        onLog?(
            LoggedEvent(name: event.name, sessionId: event.session.id, time: event.time.date))
        if let named = CheckoutEvent(event.kind) { onEvent?(named) }
    }
}

/// Stands before the presenters, because each checkout may look different.
@MainActor
final class PresenterSwitch: CheckoutPresenter {
    typealias Maker = @MainActor (BrowserCustomization) -> any CheckoutPresenter

    var customization = BrowserCustomization()
    private let make: Maker
    private var current: (any CheckoutPresenter)?

    init(_ make: @escaping Maker) { self.make = make }

    func prepare() throws(CheckoutFlow.RunError) {
        let next = make(customization)
        try next.prepare()
        current = next
    }

    func present(
        _ page: CheckoutPage, report: @escaping @MainActor (PresenterReport) -> Void
    ) {
        current?.present(page, report: report)
    }

    func dismiss(then gone: @escaping @MainActor () -> Void) {
        guard let current else { return gone() }
        current.dismiss(then: gone)
    }
}
