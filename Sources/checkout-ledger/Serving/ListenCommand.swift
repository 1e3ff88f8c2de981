import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import EventLog
import HTTPServer
import HTTPTransport
import LedgerServer
import LedgerViews
import ProviderKit

extension Entry {
    static let listen = Entry(
        .receive,
        Command(
            "listen", "Receive webhooks in the foreground, and tell of each",
            discussion: """
                Takes webhooks as 'serve' does, records them in the ledger, and prints a line for \
                each: what it says, whether it was believed, and what it changed. With \
                --forward-to every request goes on to your own server, byte for byte, and its \
                answer is printed too; the sender never waits for it.

                The accounts are those of --config, or one of --provider with the secrets of \
                --secret-file. Without either a new secret is made for this run and shown: give \
                it to whatever sends the webhooks, or put it in a file for 'trigger'.

                Listens on 127.0.0.1 only. For webhooks from outside use a tunnel or a proxy of \
                your own.
                """,
            options: [
                .provider(isRequired: false, "Receive this provider's webhooks only"),
                .value(
                    "forward-to", .text, placeholder: "URL", "Send every request on to this URL"),
                .value(
                    "port", .integer(0...65_535), default: "8787", "The port, 0 for any free one"),
                .secretFile,
            ],
            examples: [
                Example(
                    "listen --provider dodo --forward-to http://localhost:3000/webhooks",
                    "Beside the server that you write"),
                Example("listen --config shop.json --json", "One object a webhook"),
            ])
    ) { context in
        let selection = try context.selection(of: listenShape)
        // Looked at before a ledger is made.
        _ = try context.target("forward-to")
        let (configuration, secret) = try ListenAccounts(context).read()
        let path = context.ledgerPath
        if !Files.exists(path + "/data.mdb") {
            _ = try context.createLedger(at: path)
            // Opened anew, so that the secret of this run is masked in it.
            context.close()
        }
        let ledger = try context.ledger(writing: true, masking: secret.map { [$0] } ?? [])
        let runner = ListenRunner(
            context: context, configuration: configuration, ledger: ledger, selection: selection)
        return try await runner.run(showing: secret)
    }
}

let listenShape = RowShape(
    title: "listen",
    members: [
        ("receivedAt", "when it arrived"),
        ("provider", "who sent it, or seemed to"),
        ("type", "the provider's own word for it, or null"),
        ("delivery", "the provider's id of it, or null"),
        ("verdict", "recorded, unhandled, duplicate, conflicting, quarantined, refused …"),
        ("reason", "why it was not applied, or null"),
        ("position", "where it stands in the log, or null"),
        ("session", "the checkout it led to, or null"),
        ("before", "the session's status until then, or null"),
        ("after", "the session's status from then on, or null"),
        ("forwarded", "with --forward-to: {url, status, error}"),
    ])

/// Whose webhooks `listen` takes.
struct ListenAccounts {
    private let context: Context
    private static let file = "(the secret of this run)"

    init(_ context: Context) { self.context = context }

    /// The accounts, and the secret that was made for this run; nil when none had to be.
    func read() throws -> (configuration: LedgerConfiguration, secret: String?) {
        let name = context.command.value("provider")
        let hasFile = context.command.has("secret-file")
        if !hasFile, let configuration = try context.configuration() {
            return (configuration, nil)
        }
        guard let name else {
            throw context.command.usageError(
                "Name a provider, or give your accounts with --config.", about: "provider")
        }
        let id = ProviderID(rawValue: name)
        guard
            let rule = Adapters.descriptors.first(where: { $0.id == id })?.secretRules
                .first(where: \.verifies)
        else { throw Context.unsupported(id, "checks its webhooks with no secret of yours") }
        var secret: String?
        let texts: [UInt8]
        if hasFile {
            texts = try context.read(context.command.value("secret-file") ?? "")
        } else {
            let made = try Self.newSecret(rule, of: id)
            secret = made
            texts = Array(made.utf8)
        }
        let account = JSONValue.object([
            JSONMember(name: Self.member(of: rule), value: .string(Self.file))
        ])
        let root = JSONValue.object([
            "providers": .object([JSONMember(name: name, value: account)])
        ])
        let configuration = try LedgerConfiguration.read(
            root.json, providers: Adapters.all,
            from: ConfigurationSources(
                file: { _ in texts }, permissions: { _ in nil }, variable: { _ in nil }))
        return (configuration, secret)
    }

    /// `webhook_secret` as `webhookSecretFile`.
    private static func member(of rule: SecretRule) -> String {
        let words = rule.role.rawValue.split(separator: "_")
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return (words.first.map { String($0) } ?? "") + rest.joined() + "File"
    }

    /// A secret as this provider writes them.
    private static func newSecret(_ rule: SecretRule, of id: ProviderID) throws -> String {
        let bytes = SecureRandom.bytes(max(32, rule.minimumBytes))
        switch rule.encoding {
        case .base64 where rule.role != .webhookPublicKey:
            return rule.prefix + Base64.encode(bytes)
        case .hex: return rule.prefix + Hex.encode(bytes)
        case .utf8: return rule.prefix + Hex.encode(bytes)
        case .base64, .rsaPublicKey, .rsaPrivateKey:
            throw Context.unsupported(
                id, "signs with a key of its own; give its public key with --secret-file")
        }
    }
}
