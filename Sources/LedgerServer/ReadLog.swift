package import HTTPServer
import Synchronization

/// Tells the log who looks at which pages: the first look of a kind at once, and those that follow
/// it, as a live page makes them, together and counted.
///
/// Says the kind of page and how the visitor was let in; never a name out of an address, a query
/// or where the visitor came from. Kinds are a few words, so what is held is bounded.
package final class ReadLog: Sendable {
    /// A kind of look.
    private struct Look: Hashable {
        let route: String
        let visitor: WebVisitor
    }

    private struct State {
        /// Looks since the last time the log was told; a kind with none is told at once.
        var counts: [Look: Int] = [:]
    }

    private let state = Mutex(State())
    private let tell: @Sendable (ServerEvent) -> Void

    package init(tell: @escaping @Sendable (ServerEvent) -> Void) { self.tell = tell }

    /// Takes note of a request that was let in, and of its answer.
    package func note(_ request: WebRequest, _ response: WebResponse) {
        guard request.method == "GET", (200..<300).contains(response.status) else { return }
        let route = response.notes.first { $0.name == "route" }?.value ?? "other"
        guard !Self.decoration.contains(route) else { return }
        let look = Look(route: route, visitor: request.visitor)
        let isFirst = state.withLock { state in
            guard let count = state.counts[look] else {
                state.counts[look] = 0
                return true
            }
            state.counts[look] = count + 1
            return false
        }
        if isFirst { tell(look, 1) }
    }

    /// Tells what was only counted, and begins anew: to be called every minute, and at the end.
    package func flush() {
        let counts = state.withLock { state in
            defer { state.counts = [:] }
            return state.counts
        }
        let counted = counts.filter { $0.value > 0 }
        for (look, count) in counted.sorted(by: { $0.key.route < $1.key.route }) {
            tell(look, count)
        }
    }

    /// What shows nothing of the ledger.
    private static let decoration: Set<String> = ["/live", "/live.js", "/icon.svg", "/glossary"]

    private func tell(_ look: Look, _ count: Int) {
        tell(
            ServerEvent(
                .info, "pages read",
                [
                    WebField("http.route", look.route), WebField("visitor", look.visitor.rawValue),
                    WebField("count", "\(count)"),
                ]))
    }
}
