// swift-tools-version: 6.3
// For tests only: runs the transport that Apple's systems use against Foundation's client on Linux,
// which no product here links. The folders under Sources/ are links to the package's own, because
// a target may not lie outside its package.
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    .define("TESTS_URLSESSION"),
]

func target(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "URLSessionTests",
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto"),
        target("Cryptography", ["CCrypto"]),
        target("CheckoutModel", [], exclude: ["checkout_event.proto"]),
        target("ProviderKit", ["CheckoutModel", "Cryptography"]),
        .target(
            name: "HTTPTransport", dependencies: ["ProviderKit"],
            exclude: ["HTTPTransport.docc"],
            sources: ["Limits.swift", "RequestTarget.swift", "URLSessionTransport.swift"],
            swiftSettings: settings),
        target("TestSupport", []),
        .testTarget(
            name: "URLSessionTests", dependencies: ["HTTPTransport", "ProviderKit", "TestSupport"],
            swiftSettings: settings),
    ])
