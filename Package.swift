// swift-tools-version: 6.3
import PackageDescription

/// One set of rules for every Swift target.
///
/// No warnings, no implicit existentials, no accidental re-exports.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The payment providers' adapters: folder, target and product of one name.
///
/// SwiftPM gives the folder `Plugins/` to build-tool plugins by convention. Ours are ordinary
/// library targets, so each of them names its `path:`.
let providers = [
    "Adyen",
    "Alipay",
    "CheckoutCom",
    "CoinbaseCommerce",
    "DodoPayments",
    "GoCardless",
    "LemonSqueezy",
    "Mollie",
    "Paddle",
    "PayPal",
    "Polar",
    "Razorpay",
    "Sandbox",
    "Square",
    "Stripe",
    "WeChatPay",
]

/// All of them, for programs and tests that take whatever there is.
let allProviders: [Target.Dependency] = providers.map { .byName(name: $0) }

func library(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
        swiftSettings: strict)
}

let package = Package(
    name: "checkout-ledger",
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        .library(name: "CheckoutLedger", targets: ["CheckoutLedger"]),
        .library(name: "CheckoutModel", targets: ["CheckoutModel"]),
        .library(name: "CheckoutFlow", targets: ["CheckoutFlow"]),
        .library(name: "Cryptography", targets: ["Cryptography"]),
        .library(name: "DodoCheckout", targets: ["DodoCheckout"]),
        .library(name: "PaymentSDK", targets: ["PaymentSDK"]),
        .library(name: "DesktopCheckout", targets: ["DesktopCheckout"]),
        .library(name: "EventLog", targets: ["EventLog"]),
        .library(name: "ProviderKit", targets: ["ProviderKit"]),
        .library(name: "ProviderConformance", targets: ["ProviderConformance"]),
        .executable(name: "checkout-ledger", targets: ["checkout-ledger"]),
    ] + providers.map { .library(name: $0, targets: [$0]) },
    targets: [
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),

        .systemLibrary(name: "CVectorBits"),

        library("LMDB", ["CLMDB"]),
        // Phones have CryptoKit; a server needs chains of certificates too, which only libcrypto
        // offers everywhere.
        library(
            "Cryptography",
            [.target(name: "CCrypto", condition: .when(platforms: [.linux, .macOS]))]),
        .target(
            name: "EventLog", dependencies: ["LMDB", "Cryptography"],
            swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
        library("Redaction", []),
        // A header with one instruction of x86 processors; other places do without.
        library(
            "CheckoutModel", [.target(name: "CVectorBits", condition: .when(platforms: [.linux]))],
            exclude: ["checkout_event.proto"]),
        library("ProviderKit", ["CheckoutModel", "Cryptography"]),
        library("CheckoutFlow", ["ProviderKit"]),
        library("HTTPTransport", ["ProviderKit", "CCurl"]),
        library("ProviderConformance", ["ProviderKit"]),
        .target(
            name: "ProviderVectors", path: "Tests/Vectors",
            exclude: [
                "cases-public.json", "dodo-vectors.json", "ledger-before-classes.json",
                "redaction-vectors.json", "reference-provider.json",
            ],
            sources: ["KnownKeyPair.swift", "ProviderVectors.swift"],
            resources: [.embedInCode("providers")],
            swiftSettings: strict),
        .target(
            name: "AdapterChecks",
            dependencies: ["ProviderConformance", "ProviderVectors"] + allProviders,
            swiftSettings: strict),
        library("DodoCheckout", ["CheckoutFlow", "DodoPayments"]),
        library("PaymentSDK", ["CheckoutFlow", "ProviderKit"]),
        library("DesktopCheckout", ["CMicroHTTPD", "CheckoutFlow"]),
        library(
            "CheckoutLedger", ["LMDB", "Cryptography", "EventLog", "ProviderKit", "Redaction"]),
        library("Markup", []),
        library("HTTPServer", ["CMicroHTTPD"]),
        library("LedgerServer", ["CheckoutLedger", "HTTPServer", "Markup"]),
        library("SandboxCheckout", ["ProviderKit", "HTTPServer", "Markup"]),
        library("CommandKit", []),
        library("LedgerViews", ["CheckoutLedger", "CommandKit"]),
        library("Dashboard", ["LedgerViews", "CheckoutLedger", "HTTPServer", "Markup"]),
        .executableTarget(
            name: "checkout-ledger",
            dependencies: [
                "AdapterChecks", "CheckoutLedger", "CommandKit", "DesktopCheckout", "HTTPTransport",
                "Dashboard", "LedgerServer", "LedgerViews", "SandboxCheckout",
            ] + allProviders,
            swiftSettings: strict),

        .systemLibrary(
            name: "CSQLite", path: "Benchmarks/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "LedgerBenchmarks",
            dependencies: [
                "CheckoutLedger", "LedgerServer", "DodoPayments", "Stripe", "CLMDB", "CSQLite",
                "CCurl",
            ],
            path: "Benchmarks/LedgerBenchmarks", swiftSettings: strict),

        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        tests("LMDBTests", ["LMDB"]),
        tests("CryptographyTests", ["Cryptography"]),
        .target(
            name: "EventLogTestKit", dependencies: ["EventLog"], path: "Tests/EventLogTestKit",
            swiftSettings: strict),
        .executableTarget(
            name: "EventLogCrashChild", dependencies: ["EventLogTestKit"],
            path: "Tests/EventLogCrashChild", swiftSettings: strict),
        tests("EventLogTests", ["EventLog", "EventLogTestKit", "EventLogCrashChild"]),
        tests("RedactionTests", ["Redaction"]),
        tests("CheckoutModelTests", ["CheckoutModel"]),
        tests("ProviderKitTests", ["ProviderKit", "ProviderVectors"]),
        tests("HTTPTransportTests", ["HTTPTransport"]),
        tests("ProviderTests", ["HTTPTransport", "ProviderVectors"] + allProviders),
        tests(
            "ProviderConformanceTests",
            ["ProviderConformance", "AdapterChecks", "ProviderVectors"]),
        tests("CheckoutFlowTests", ["CheckoutFlow", "DodoPayments", "Stripe"]),
        .executableTarget(
            name: "PrivacyChild", dependencies: ["CheckoutLedger"], path: "Tests/PrivacyChild",
            swiftSettings: strict),
        tests(
            "CheckoutLedgerTests",
            ["CheckoutLedger", "HTTPTransport", "PrivacyChild"] + allProviders),
        tests("DodoCheckoutTests", ["DodoCheckout", "CheckoutFlow"]),
        tests(
            "PaymentSDKTests",
            ["PaymentSDK", "CheckoutFlow", "Adyen", "DodoPayments", "Paddle", "ProviderKit"]),
        tests(
            "DesktopCheckoutTests",
            ["DesktopCheckout", "CheckoutFlow", "CheckoutLedger", "DodoPayments"]),
        tests("MarkupTests", ["Markup"]),
        tests("DashboardTests", ["Dashboard", "DodoPayments", "Markup"]),
        tests("HTTPServerTests", ["HTTPServer"]),
        tests(
            "LedgerServerTests",
            [
                "LedgerServer", "CheckoutLedger", "HTTPServer", "HTTPTransport", "DodoPayments",
                "Mollie",
            ]),
        tests("SandboxCheckoutTests", ["SandboxCheckout", "HTTPTransport", "Sandbox"]),
        tests("CommandKitTests", ["CommandKit"], exclude: ["Snapshots"]),
        tests(
            "CommandLineTests",
            [
                "checkout-ledger", "CheckoutLedger", "DesktopCheckout", "LMDB", "LedgerViews",
                "ProviderVectors",
            ]),
        tests(
            "ReadmeTests",
            ["checkout-ledger", "CheckoutLedger", "DodoPayments", "Cryptography"]),
        tests(
            "CaseTests",
            ["checkout-ledger", "CheckoutLedger", "CheckoutFlow", "DodoPayments", "Cryptography"]),
        tests("TidyTests", []),
    ]
        + providers.map { name in
            .target(
                name: name, dependencies: ["ProviderKit"], path: "Plugins/\(name)",
                swiftSettings: strict)
        }
)
