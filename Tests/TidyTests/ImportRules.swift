/// Who may import whom.
///
/// A target imports only what stands above it; the heart knows no provider, and a provider knows
/// the kit alone.
enum ImportRules {
    /// Targets in the order of the layers, with what each names directly.
    static let layers: [(target: String, imports: [String])] = [
        ("CLMDB", []),
        ("CCrypto", []),
        ("CMicroHTTPD", []),
        ("CCurl", []),
        ("CVectorBits", []),
        ("LMDB", ["CLMDB"]),
        ("Cryptography", ["CCrypto"]),
        ("EventLog", ["LMDB", "Cryptography"]),
        ("Redaction", []),
        ("CheckoutModel", ["CVectorBits"]),
        ("ProviderKit", ["CheckoutModel", "Cryptography"]),
        ("HTTPTransport", ["ProviderKit", "CCurl"]),
        ("ProviderConformance", ["ProviderKit"]),
        ("CheckoutLedger", ["EventLog", "ProviderKit", "Redaction"]),
        ("CheckoutFlow", ["ProviderKit"]),
        ("PaymentSDK", ["CheckoutFlow"]),
        ("DesktopCheckout", ["CMicroHTTPD", "CheckoutFlow"]),
        ("Markup", []),
        ("HTTPServer", ["CMicroHTTPD"]),
        ("CommandKit", []),
        ("LedgerViews", ["CheckoutLedger", "CommandKit"]),
        ("Dashboard", ["LedgerViews", "HTTPServer", "Markup"]),
        ("SandboxCheckout", ["ProviderKit", "HTTPServer", "Markup"]),
        ("LedgerServer", ["CheckoutLedger", "HTTPServer", "Markup"]),
    ]

    /// System libraries are for the one target that wraps each; nobody else reaches through.
    private static let systemLibraries: Set<String> = [
        "CLMDB", "CCrypto", "CMicroHTTPD", "CCurl", "CVectorBits",
    ]

    /// What a plugin may import: the kit and the two targets whose types the kit's API shows.
    private static let pluginImports: Set<String> = [
        "ProviderKit", "CheckoutModel", "Cryptography",
    ]

    /// Sources that may import plugins: the program, what it checks them with, and the ready-made
    /// facade.
    private static let pluginUsers: Set<String> = [
        "checkout-ledger", "AdapterChecks", "DodoCheckout",
    ]

    /// Library files that may import Foundation, with the reason.
    ///
    /// It costs every command eight milliseconds of start-up.
    static let foundationFiles: [String: String] = [
        "Sources/Cryptography/CryptoKit/CryptoKitSealing.swift":
            "CryptoKit speaks in Data; the file is empty elsewhere.",
        "Sources/Cryptography/CryptoKit/CryptoKitEd25519.swift":
            "CryptoKit speaks in Data; the file is empty elsewhere.",
        "Sources/Cryptography/CryptoKit/SecurityRSA.swift":
            "The Security framework speaks in NSData; the file is empty elsewhere.",
        "Sources/HTTPTransport/URLSessionTransport.swift":
            "Apple's own client is Foundation's; the file is empty elsewhere.",
        "Sources/PaymentSDK/PaymentRequest.swift": "Apps have their amounts as Decimal.",
        "Sources/PaymentSDK/PaymentSDK.swift": "Apps are opened with a URL.",
        "Sources/PaymentSDK/PaymentDesk+Session.swift":
            "A network's time-out is an error of Foundation's.",
    ]

    /// The targets that `target` reaches through the table, system libraries only directly.
    static func allowed(_ target: String) -> Set<String> {
        guard let direct = layers.first(where: { $0.target == target })?.imports else { return [] }
        return direct.reduce(into: Set(direct)) { all, name in
            all.formUnion(allowed(name).subtracting(systemLibraries))
        }
    }

    /// What is wrong with one import, as a sentence that says what to do; nil when nothing is.
    static func fault(of module: String, in path: String, plugins: Set<String>) -> String? {
        let parts = path.split(separator: "/").map { String($0) }
        guard parts.count > 2 else { return nil }
        let (folder, target) = (parts[0], parts[1])
        let known = Set(layers.map(\.target)).union(plugins).union(pluginUsers)
        if folder == "Plugins" {
            if module == target || pluginImports.contains(module) || !known.contains(module) {
                return foundationFault(module, path)
            }
            return "A plugin imports only ProviderKit, CheckoutModel and Cryptography; put what it "
                + "needs from \(module) into ProviderKit."
        }
        guard folder == "Sources" else { return nil }
        if pluginUsers.contains(target) {
            return systemLibraries.contains(module)
                ? "Use the target that wraps \(module)." : nil
        }
        if plugins.contains(module) {
            return "Only the program, the facade, tests and benchmarks import a plugin; "
                + "take a provider as a value instead."
        }
        guard layers.contains(where: { $0.target == target }) else {
            return "Give \(target) a place in ImportRules.layers."
        }
        if known.contains(module), module != target, !allowed(target).contains(module) {
            return "\(target) may import \(allowed(target).sorted().joined(separator: ", ")); "
                + "move the code, or turn the dependency round."
        }
        return foundationFault(module, path)
    }

    private static func foundationFault(_ module: String, _ path: String) -> String? {
        guard module.hasPrefix("Foundation"), foundationFiles[path] == nil else { return nil }
        return "Libraries do without Foundation; if this file cannot, list it with its reason in "
            + "ImportRules.foundationFiles."
    }
}
