import CheckoutLedger
import CheckoutModel
import EventLog
import Testing

@Suite("Secrets that are taken over while the ledger is open")
struct MaskingLaterTests {
    @Test("A secret is masked from the moment it is known, and the earlier ones stay masked")
    func later() async throws {
        var options = try Fixture.options()
        options.redactor = Redactor(secrets: ["first-own-secret"])
        let ledger = try Ledger<InMemoryStore>.inMemory(options: options)
        func told(_ name: String) async throws -> String? {
            let event = CheckoutEvent(
                .noteAdded, source: .operator, occurredAt: Fixture.now, provider: "dodo",
                ids: ProviderIDs(session: "cks_1"),
                reason: "first-own-secret and second-own-secret")
            let place = try await ledger.record(event, name: name).position
            return try ledger.event(at: place).event.reason
        }
        let before = try #require(try await told("a"))
        #expect(before.contains("second-own-secret") && !before.contains("first-own"))
        ledger.mask(Redactor(secrets: ["second-own-secret"]))
        let after = try #require(try await told("b"))
        #expect(!after.contains("second-own") && !after.contains("first-own"))
    }
}
