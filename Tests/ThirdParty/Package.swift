// swift-tools-version: 6.3
import PackageDescription

// A company's own package: an adapter that the core has never heard of, what it is checked with,
// and a program that records its webhooks. './run test' builds and runs it, which shows that a
// provider is added without a change to the core.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func ledger(_ products: String...) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "checkout-ledger") }
}

let package = Package(
    name: "acme-pay",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "AcmePay", targets: ["AcmePay"])],
    dependencies: [.package(name: "checkout-ledger", path: "../..")],
    targets: [
        .target(
            name: "AcmePay", dependencies: ledger("ProviderKit", "CheckoutModel"),
            swiftSettings: strict),
        .executableTarget(
            name: "AcmeShop",
            dependencies: ["AcmePay"]
                + ledger(
                    "CheckoutLedger", "CheckoutModel", "Cryptography", "EventLog", "ProviderKit",
                    "ProviderConformance"),
            resources: [.embedInCode("acme.json")], swiftSettings: strict),
    ]
)
