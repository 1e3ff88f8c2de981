import AdapterChecks
import CheckoutModel
import ProviderConformance
import ProviderVectors
import Testing

@Suite("The adapters that ship here keep the contract")
struct ShippedAdapterTests {
    @Test("An adapter passes every check", arguments: AdapterChecks.providers.map(\.rawValue))
    func everyCheck(provider: String) throws {
        let report = try #require(try AdapterChecks.report(on: ProviderID(rawValue: provider)))
        #expect(report.provider.rawValue == provider)
        for finding in report.findings { Issue.record("\(provider): \(finding)") }
        #expect(report.results.map(\.check) == ConformanceCheck.all)
        #expect(report.results.count { $0.verdict == .held } >= 10)
    }

    @Test("Every vector file belongs to an adapter that is checked")
    func everyFile() {
        #expect(ProviderVectors.providers == AdapterChecks.providers.map(\.rawValue).sorted())
    }
}
