import CheckoutModel
import ProviderKit
import Testing

@Suite("Drafts of sessions")
struct SessionDraftTests {
    private func draft(_ lines: [(units: Int64?, currency: String, quantity: Int)]) -> SessionDraft
    {
        SessionDraft(
            items: lines.map { line in
                .init(
                    name: "Tea", quantity: line.quantity,
                    unitAmount: line.units.flatMap { units in
                        Currency(line.currency).map { Money(minorUnits: units, currency: $0) }
                    })
            }, reference: "42", returnURL: "https://shop.example/")
    }

    @Test("The total of a draft is the exact sum of its lines")
    func total() throws {
        let total = try draft([(1999, "EUR", 2), (1, "EUR", 1), (0, "EUR", 7)]).total()
        #expect(total.minorUnits == 3999)
        #expect(total.currency.code == "EUR")
    }

    @Test("A total that cannot be exact is refused before anything is sent")
    func refused() {
        for (lines, error) in [
            ([], .missingField("items")), ([(nil, "EUR", 1)], .missingField("unitAmount")),
            ([(1, "EUR", 0)], .missingField("quantity")), ([(-1, "EUR", 1)], .unusableAmount),
            ([(1, "EUR", 1), (1, "USD", 1)], .unusableAmount),
            ([(.max, "EUR", 2)], .unusableAmount),
            ([(.max, "EUR", 1), (1, "EUR", 1)], .unusableAmount),
        ] as [([(units: Int64?, currency: String, quantity: Int)], RequestPlanError)] {
            #expect(throws: error) { try draft(lines).total() }
        }
    }

    @Test("A draft is titled by its names, else by its reference")
    func title() {
        #expect(draft([(1, "EUR", 2), (1, "EUR", 1)]).title == "2 × Tea, Tea")
        var nameless = draft([(1, "EUR", 1)])
        nameless.items[0].name = ""
        #expect(nameless.title == "42")
    }
}
