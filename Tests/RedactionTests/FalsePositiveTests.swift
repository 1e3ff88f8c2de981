import Redaction
import TestSupport
import Testing

@Suite("Identifiers and times are no card numbers")
struct FalsePositiveTests {
    /// A quarter of a million; the whole of it where `REDACTION_MILLION` is in the environment.
    private static let count = BudgetSize.count

    @Test("Of many identifiers and times of every provider, and of our own, none is masked")
    func budget() {
        var generator = SeededGenerator(seed: 20_260_304)
        let book = RedactionBook(ownSecrets: [Array("an-own-secret-0123456789".utf8)])
        var masked: [String] = []
        for index in 0..<Self.count {
            let value = SampleIdentifiers.value(index, using: &generator)
            let isFound = bytes(value) { book.redact(text: $0, in: .clear) != nil }
            if isFound { masked.append(value) }
        }
        #expect(masked == [])
    }

    @Test("Of many webhook bodies with such values in them, none is changed")
    func bodies() {
        var generator = SeededGenerator(seed: 7)
        let book = RedactionBook()
        var changed: [String] = []
        for index in 0..<(Self.count / 20) {
            let body = SampleIdentifiers.body(index, using: &generator)
            let found = bytes(body) { book.redact(body: $0) }
            if found != nil { changed.append(body) }
        }
        #expect(changed == [])
    }
}
