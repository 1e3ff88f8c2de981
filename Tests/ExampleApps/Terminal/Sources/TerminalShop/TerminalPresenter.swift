import CheckoutFlow

/// Shows a page by printing its URL; whoever pays pastes the URL that the browser came back to.
///
/// All that a presenter has to do: show a page, say what becomes of it, and take it down.
@MainActor
final class TerminalPresenter: CheckoutPresenter {
    func prepare() throws(CheckoutError) {}

    func present(
        _ page: CheckoutPage, report: @escaping @MainActor (PresenterReport) -> Void
    ) {
        print("Open \(page.url)")
        print("Paste the URL that it brings you back to, or nothing to leave:")
        report(.shown)
        Task {
            // Off the main actor: reading a line waits. Whatever is pasted is handed over, and the
            // flow knows its return; anything else leaves the page open.
            while let line = await Task.detached(operation: { readLine() }).value, !line.isEmpty {
                report(.cameBack(url: line))
            }
            report(.dismissed)
        }
    }

    func dismiss(then gone: @escaping @MainActor () -> Void) { gone() }
}
