// swift-tools-version: 6.3
import Foundation
import PackageDescription

// Fuzz targets are a package of their own: they need flags that a package one depends on may not
// have, and a whole build with the fuzzer's instrumentation. Run them with './run fuzz'.
//
// A target is a folder here in which one file defines `LLVMFuzzerTestOneInput`; seeds go
// into its folder `Seeds`. The table says what each may import.
let targets: [(name: String, products: [String])] = [
    ("FuzzReturnURL", ["CheckoutModel", "ProviderKit", "DodoPayments", "Stripe"]),
    ("FuzzPayload", ["CheckoutModel", "ProviderKit", "CheckoutLedger"]),
    ("FuzzRecord", ["CheckoutModel", "EventLog", "CheckoutLedger"]),
    ("FuzzDamage", ["CheckoutModel", "EventLog", "CheckoutLedger"]),
    ("FuzzNote", ["Cryptography", "EventLog"]),
    ("FuzzProof", ["Cryptography", "EventLog", "CheckoutLedger"]),
    ("FuzzRedaction", ["CheckoutModel", "ProviderKit", "CheckoutLedger"]),
    ("FuzzWebhook", ["CheckoutModel", "ProviderKit", "DodoPayments", "Stripe"]),
]

let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
let existing = targets.filter { FileManager.default.fileExists(atPath: "\(here)/\($0.name)") }

let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "checkout-ledger", path: "../..")],
    targets: existing.map { target in
        .executableTarget(
            name: target.name,
            dependencies: target.products.map { .product(name: $0, package: "checkout-ledger") },
            path: target.name, exclude: hasSeeds(target.name) ? ["Seeds"] : [],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                // libFuzzer brings the `main` function.
                .unsafeFlags(["-parse-as-library"]),
            ])
    })

func hasSeeds(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(here)/\(name)/Seeds")
}
