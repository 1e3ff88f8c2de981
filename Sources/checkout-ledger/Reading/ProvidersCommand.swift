import CheckoutLedger
import CheckoutModel
import CommandKit
import LedgerViews
import ProviderKit

extension Entry {
    static let providers = Entry(
        .care,
        Command(
            "providers", "List payment providers, and check their adapters",
            verbs: [
                Command(
                    "list", "List payment providers and what their adapters can do",
                    discussion: """
                        What an adapter can do is what it conforms to, so this list cannot promise \
                        more. Its status map is the one table of the provider's words and their \
                        meaning here. With --config, your accounts are listed too, and which of \
                        them can be asked.
                        """,
                    options: [.format],
                    examples: [
                        Example("providers", "Every adapter of this program"),
                        Example("providers --json", "The same for a program"),
                    ]),
                .providersCheck,
            ], default: "list"),
        verbs: [["list"]: listProviders, ["check"]: checkProviders])
}

private func listProviders(_ context: Context) throws -> ExitCode {
    var list = try Listing(context, providerShape, providerColumns)
    let accounts = try context.configuration()?.accounts ?? []
    for type in Adapters.all {
        let own = accounts.filter { $0.scope.provider == type.descriptor.id }
        let row = ProviderRow(type, own)
        try list.add(json: row.write, cells: row.cells)
    }
    try list.finish()
    return .done
}

let providerShape = RowShape(
    title: "providers",
    members: [
        ("provider", "the short name, as --provider takes it"),
        ("name", "the name a person knows"),
        ("adapterVersion", "stored with every event that the adapter reads"),
        ("capabilities", "what the adapter can do"),
        ("webhookScheme", "how its webhooks are signed, or null"),
        ("webhookIDHeader", "the header that names a delivery; null when the body does"),
        ("accounts", "yours by --config: {account, mode, receivesWebhooks, canBeAsked}"),
        ("statusMap", "the source file with the provider's words and their meaning"),
    ])

private let providerColumns = [
    Column("PROVIDER"), Column("NAME"), Column("WEBHOOK SCHEME"),
    Column("CAPABILITIES", shrinks: true), Column("ACCOUNTS", shrinks: true),
    Column("STATUS MAP", shrinks: true),
]

struct ProviderRow {
    let descriptor: ProviderDescriptor
    let capabilities: [String]
    let accounts: [LedgerConfiguration.Account]
    let statusMap: String

    /// The words that adapters state with each verification; a test signs a webhook for each and
    /// compares.
    private static let schemes: [ProviderID: String] = [
        "adyen": "adyen/item",
        "alipay": "alipay/rsa2",
        "checkout.com": "checkout.com/hmac-sha256",
        "coinbase-commerce": "coinbase-commerce/hmac-sha256",
        "dodo": "standard-webhooks/v1",
        "gocardless": "gocardless/sha256",
        "lemonsqueezy": "lemonsqueezy/hmac-sha256",
        "mollie": "mollie/sha256",
        "paddle": "paddle/h1",
        "paypal": "paypal/sha256-rsa",
        "polar": "standard-webhooks/v1",
        "razorpay": "razorpay/webhook",
        "sandbox": "standard-webhooks/v1",
        "square": "square/hmacsha256",
        "stripe": "stripe/v1",
        "wechatpay": "wechatpay/sha256-rsa2048",
    ]

    init(_ type: any PaymentProvider.Type, _ accounts: [LedgerConfiguration.Account]) {
        descriptor = type.descriptor
        self.accounts = accounts
        let able = ProviderCapability.all(of: type)
        capabilities = ProviderCapability.allCases.filter(able.contains).map(\.rawValue)
        // An adapter is a module of its own, in a folder of that name.
        let module = String(reflecting: type).prefix { $0 != "." }
        statusMap = "Plugins/\(module)/StatusMapping.swift"
    }

    var scheme: String? { Self.schemes[descriptor.id] }

    func write(to writer: inout JSONWriter) {
        writer.field("provider", descriptor.id.rawValue)
        writer.field("name", descriptor.name)
        writer.field("adapterVersion", descriptor.adapterVersion)
        writer.field("capabilities", capabilities)
        writer.field("webhookScheme", scheme)
        writer.field("webhookIDHeader", descriptor.webhookIDHeader)
        writer.array("accounts") { writer in
            for account in accounts {
                writer.object {
                    $0.field("account", account.scope.account)
                    $0.field("mode", account.scope.mode.name)
                    $0.field("receivesWebhooks", account.receivesWebhooks)
                    $0.field("canBeAsked", account.canBeAsked)
                }
            }
        }
        writer.field("statusMap", statusMap)
    }

    func cells() -> [Cell] {
        [
            Cell(descriptor.id.rawValue), Cell(descriptor.name),
            scheme.map { Cell($0) } ?? .none, Cell(capabilities.joined(separator: ", ")),
            accounts.isEmpty ? .none : Cell(accounts.map(\.sentence).joined(separator: "; ")),
            Cell(statusMap, .dim),
        ]
    }
}

extension LedgerConfiguration.Account {
    /// `eu (live, webhooks, can be asked)`.
    fileprivate var sentence: String {
        var notes = scope.mode == .unknown ? [] : [scope.mode.name]
        if receivesWebhooks { notes.append("webhooks") }
        notes.append(canBeAsked ? "can be asked" : "cannot be asked")
        let name = scope.account.isEmpty ? "one account" : scope.account
        return "\(name) (\(notes.joined(separator: ", ")))"
    }
}
