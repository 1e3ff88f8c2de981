/// Whose voice an event is.
public enum EventSource: UInt8, Sendable, Hashable, CaseIterable {
    /// The app that shows the hosted page.
    case app = 0
    /// The browser, by the return URL.
    case browser = 1
    /// The provider, by webhook.
    case webhook = 2
    /// The provider, answering a query.
    case query = 3
    /// A person at a terminal or dashboard.
    case `operator` = 4
    /// The merchant's own back end.
    case host = 5
    /// This ledger itself.
    case ledger = 6

    /// The word used in code, on the command line and in JSON.
    public var name: String {
        switch self {
        case .app: "app"
        case .browser: "browser"
        case .webhook: "webhook"
        case .query: "query"
        case .operator: "operator"
        case .host: "host"
        case .ledger: "ledger"
        }
    }

    /// Reads the exact lower-case word; nil for anything else.
    public init?(name: some StringProtocol) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
