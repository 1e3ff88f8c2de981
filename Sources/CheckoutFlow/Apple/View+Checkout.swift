#if canImport(SwiftUI) && canImport(UIKit)
    public import SwiftUI

    extension View {
        /// Runs a checkout whenever `item` becomes a request, and gives back one answer for each.
        ///
        /// Sets `item` to nil at the end. Setting it to nil before takes the page down; the answer
        /// then ends in `cancelledByApp`. Forwards the URLs that the scene is opened with. Use it
        /// once for each flow, high in the scene.
        public func checkout(
            item: Binding<CheckoutRequest?>, flow: CheckoutFlow,
            onResult: @escaping @MainActor (Result<CheckoutResult, CheckoutError>) -> Void
        ) -> some View {
            modifier(CheckoutModifier(item: item, flow: flow, onResult: onResult))
        }
    }

    struct CheckoutModifier: ViewModifier {
        let item: Binding<CheckoutRequest?>
        let flow: CheckoutFlow
        let onResult: @MainActor (Result<CheckoutResult, CheckoutError>) -> Void
        @State private var driver = CheckoutDriver()

        func body(content: Content) -> some View {
            content
                .task(id: item.wrappedValue) { @MainActor in
                    driver.change(to: item, flow: flow, onResult: onResult)
                }
                .onOpenURL { flow.handleOpenURL($0.absoluteString) }
        }
    }

    /// Holds the running checkout of a view.
    ///
    /// Not the view's own task: that one is cancelled when a full-screen page covers the view.
    @MainActor
    final class CheckoutDriver {
        private var running: (request: CheckoutRequest, task: Task<Void, Never>)?

        nonisolated init() {}

        func change(
            to item: Binding<CheckoutRequest?>, flow: CheckoutFlow,
            onResult: @escaping @MainActor (Result<CheckoutResult, CheckoutError>) -> Void
        ) {
            guard let request = item.wrappedValue else {
                running?.task.cancel()
                return
            }
            // The same view may appear again while its checkout is on the screen.
            guard running?.request != request else { return }
            let task = flow.start(request) { [weak self] answer in
                self?.running = nil
                if item.wrappedValue == request { item.wrappedValue = nil }
                onResult(answer)
            }
            running = (request, task)
        }
    }
#endif
