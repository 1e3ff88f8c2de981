// swift-tools-version: 6.3
// The two ways to have the package, as its articles name them; the addresses are made up.
import PackageDescription

let package = Package(
    name: "Shop",
    dependencies: [
        .package(url: "https://example.com/checkout-ledger.git", from: "1.0.0")
    ],
    targets: [
        .binaryTarget(
            name: "CheckoutFlow",
            url: "https://example.com/CheckoutFlow-1.0.0.xcframework.zip",
            checksum: "…")
    ])
