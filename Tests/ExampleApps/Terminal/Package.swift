// swift-tools-version: 6.3
// An app as a stranger would write it: it has the package as a dependency, and nothing else of it.
import PackageDescription

let package = Package(
    name: "TerminalShop",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "checkout-ledger", path: "../../..")],
    targets: [
        .executableTarget(
            name: "TerminalShop",
            dependencies: [
                .product(name: "CheckoutFlow", package: "checkout-ledger"),
                .product(name: "CheckoutModel", package: "checkout-ledger"),
                .product(name: "DodoPayments", package: "checkout-ledger"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ])
