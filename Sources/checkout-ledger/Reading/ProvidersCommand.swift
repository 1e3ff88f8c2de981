import CheckoutModel
import CommandKit
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
                        meaning here.
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
    let registry = try Context.registry()
    for descriptor in registry.descriptors {
        let row = ProviderRow(descriptor, in: registry)
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
        ("statusMap", "the source file with the provider's words and their meaning"),
    ])

private let providerColumns = [
    Column("PROVIDER"), Column("NAME"), Column("WEBHOOK SCHEME"),
    Column("CAPABILITIES", shrinks: true), Column("STATUS MAP", shrinks: true),
]

private struct ProviderRow {
    let descriptor: ProviderDescriptor
    let capabilities: [String]
    let statusMap: String?

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
        "square": "square/hmacsha256",
        "stripe": "stripe/v1",
        "wechatpay": "wechatpay/sha256-rsa2048",
    ]

    init(_ descriptor: ProviderDescriptor, in registry: ProviderRegistry) {
        self.descriptor = descriptor
        let able = registry.capabilities(descriptor.id)
        capabilities = ProviderCapability.allCases.filter(able.contains).map(\.rawValue)
        // An adapter is a module of its own, in a folder of that name.
        statusMap = registry.provider(descriptor.id).map { provider in
            let module = String(reflecting: type(of: provider)).prefix { $0 != "." }
            return "Plugins/\(module)/StatusMapping.swift"
        }
    }

    private var scheme: String? { Self.schemes[descriptor.id] }

    func write(to writer: inout JSONWriter) {
        writer.field("provider", descriptor.id.rawValue)
        writer.field("name", descriptor.name)
        writer.field("adapterVersion", descriptor.adapterVersion)
        writer.field("capabilities", capabilities)
        writer.field("webhookScheme", scheme)
        writer.field("webhookIDHeader", descriptor.webhookIDHeader)
        writer.field("statusMap", statusMap)
    }

    func cells() -> [Cell] {
        [
            Cell(descriptor.id.rawValue), Cell(descriptor.name),
            scheme.map { Cell($0) } ?? .none, Cell(capabilities.joined(separator: ", ")),
            statusMap.map { Cell($0, .dim) } ?? .none,
        ]
    }
}
