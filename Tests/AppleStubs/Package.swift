// swift-tools-version: 6.3
// For tests only: compiles and runs the sources that only Apple's systems take, on Linux, against
// stand-ins for Apple's frameworks. Nothing depends on it, so no stand-in reaches the real package:
// a target called UIKit there would make `canImport(UIKit)` true everywhere.
//
// The folders under Sources/ are links to the package's own, because a target may not lie outside
// its package. The stand-ins' signatures are ours: this proves what the code does, and not that
// Apple's compiler takes it.
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func stub(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Stubs/\(name)",
        swiftSettings: [.swiftLanguageMode(.v6)])
}

func target(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let apple: [Target.Dependency] = ["UIKit", "SafariServices", "SwiftUI"]

let package = Package(
    name: "AppleStubs",
    targets: [
        stub("UIKit"),
        stub("SafariServices", ["UIKit"]),
        stub("SwiftUI", ["UIKit"]),
        // Swift Testing asks for these when a file imports it beside the framework.
        stub("_Testing_UIKit"),

        // These two compute what Apple's would, over libcrypto, so that the tests of Cryptography
        // run here over the sources that phones take.
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto"),
        stub("CryptoKit", ["CCrypto"]),
        stub("Security", ["CCrypto"]),
        target("Cryptography", ["CryptoKit", "Security"]),
        target("CheckoutModel", [], exclude: ["checkout_event.proto"]),
        target("ProviderKit", ["CheckoutModel", "Cryptography"]),
        target("CheckoutFlow", ["ProviderKit"] + apple),
        target("DodoPayments", ["ProviderKit"]),
        target("DodoCheckout", ["CheckoutFlow", "DodoPayments"] + apple),
        target("PaymentSDK", ["CheckoutFlow", "ProviderKit"] + apple),
        target(
            "ExampleApp", ["CheckoutFlow", "DodoCheckout", "DodoPayments", "PaymentSDK"] + apple),
        .testTarget(
            name: "CryptographyTests", dependencies: ["Cryptography"],
            // Chains of certificates are for servers, which have libcrypto.
            exclude: ["CertificateChainTests.swift"], swiftSettings: settings),
        .testTarget(
            name: "AppleFlowTests",
            dependencies: [
                "CheckoutFlow", "DodoCheckout", "DodoPayments", "PaymentSDK", "ExampleApp",
                "_Testing_UIKit",
            ] + apple,
            swiftSettings: settings),
    ])
