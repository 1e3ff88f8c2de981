package import CheckoutLedger
import CheckoutModel
package import ProviderKit

/// Where the accounts of a configuration receive their webhooks.
package struct WebhookEndpoints: Sendable {
    /// One account's.
    package struct Endpoint: Sendable {
        package let scope: AccountScope
        /// The adapter; nil where it only takes unsigned notes.
        let verifier: DeliveryVerifier?
        let hints: (any HintReceiving)?
        /// The path as the provider is told it, such as `/webhooks/stripe/eu`.
        package let path: String
    }

    /// In the order of the configuration.
    package let endpoints: [Endpoint]
    /// Accounts that receive nothing, with the reason.
    package let silent: [(scope: AccountScope, reason: SecretError?)]
    private let publicURL: String
    private let byName: [String: [String: Int]]

    /// The first segment of every path here.
    package static let root = "webhooks"

    /// The URL of an account's webhooks at a server that is reached by `publicURL`.
    package static func url(of scope: AccountScope, below publicURL: String) -> String {
        "\(publicURL)/\(root)/\(scope)"
    }

    /// `publicURL` is how providers reach this server, without a slash at its end; signatures that
    /// cover the URL are checked with it.
    package init(_ configuration: LedgerConfiguration, publicURL: String? = nil) {
        var endpoints: [Endpoint] = []
        var silent: [(scope: AccountScope, reason: SecretError?)] = []
        var byName: [String: [String: Int]] = [:]
        for account in configuration.accounts {
            var reason: SecretError?
            var verifier: DeliveryVerifier?
            if let receiver = account.provider as? any WebhookReceiving {
                do throws(SecretError) {
                    verifier = try DeliveryVerifier(provider: receiver, secrets: account.secrets)
                } catch {
                    reason = error
                }
            }
            // A note may only cause a question, so there must be somebody to ask.
            let hints = account.canBeAsked ? account.provider as? any HintReceiving : nil
            let scope = account.scope
            guard verifier != nil || hints != nil else {
                silent.append((scope, reason))
                continue
            }
            byName[scope.provider.rawValue, default: [:]][scope.account] = endpoints.count
            endpoints.append(
                Endpoint(
                    scope: scope, verifier: verifier, hints: hints,
                    path: "/\(Self.root)/\(scope)"))
        }
        self.endpoints = endpoints
        self.silent = silent
        self.publicURL = publicURL ?? ""
        self.byName = byName
    }

    /// The endpoint behind a path's segments; the account may be left out where there is one only.
    func endpoint(_ path: [String]) -> Endpoint? {
        guard (2...3).contains(path.count), let accounts = byName[path[1]] else { return nil }
        let index =
            path.count == 3
            ? accounts[path[2]]
            : accounts[""] ?? (accounts.count == 1 ? accounts.first?.value : nil)
        return index.map { endpoints[$0] }
    }

    /// The URL that the provider was told to call, which some signatures cover.
    func url(of endpoint: Endpoint, asked path: [String]) -> String {
        guard !publicURL.isEmpty else { return "" }
        let own = "\(publicURL)\(endpoint.path)"
        return path.count == 2
            ? "\(publicURL)/\(Self.root)/\(endpoint.scope.provider.rawValue)" : own
    }
}
