package import CheckoutModel
package import ProviderConformance
import ProviderKit
import ProviderVectors

/// The adapters that ship here, each with the other side that it is checked against.
///
/// Adding one is a file of fixtures beside this, `<id>.json` among the vectors, and a line here.
package enum AdapterChecks {
    private static let fixtures: [any ProviderFixtures] = [
        AdyenFixtures(), AlipayFixtures(), CheckoutComFixtures(), CoinbaseCommerceFixtures(),
        DodoFixtures(), GoCardlessFixtures(), LemonSqueezyFixtures(), MollieFixtures(),
        PaddleFixtures(), PayPalFixtures(), PolarFixtures(), RazorpayFixtures(), SandboxFixtures(),
        SquareFixtures(), StripeFixtures(), WeChatPayFixtures(),
    ]

    /// The ids of the adapters that can be checked, in the order of the list.
    package static var providers: [ProviderID] { fixtures.map { id($0) } }

    /// Runs every check against one adapter; nil when no fixtures are known for it.
    ///
    /// Takes a second; pure and offline. Throws when the fixtures cannot make their adapter.
    package static func report(
        on provider: ProviderID
    ) throws -> ConformanceReport? {
        guard let found = fixtures.first(where: { id($0) == provider }) else { return nil }
        return try report(found, vectors: ProviderVectors.json(of: provider.rawValue) ?? [])
    }

    /// Speaks as a provider would; nil when no fixtures are known for it.
    package static func sender(of provider: ProviderID) -> PretendSender? {
        fixtures.first { id($0) == provider }.map {
            PretendSender($0, vectors: ProviderVectors.json(of: provider.rawValue) ?? [])
        }
    }

    private static func report(
        _ fixtures: some ProviderFixtures, vectors: [UInt8]
    ) throws -> ConformanceReport {
        try ConformanceReport(checking: fixtures, vectors: vectors)
    }

    private static func id(_ fixtures: some ProviderFixtures) -> ProviderID {
        type(of: fixtures).Adapter.descriptor.id
    }
}
