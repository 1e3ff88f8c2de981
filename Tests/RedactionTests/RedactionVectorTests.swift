import Redaction
import Testing

@Suite("What may not be stored is found, and nothing else is")
struct RedactionVectorTests {
    @Test("Every vector gets the verdict it states", arguments: RedactionVector.all)
    func vectors(vector: RedactionVector) {
        #expect(vector.verdict == vector.expected)
    }

    @Test("The vectors are read: 176 of them")
    func count() { #expect(RedactionVector.all.count == 176) }

    @Test("What was masked once is left alone the second time", arguments: RedactionVector.all)
    func idempotent(vector: RedactionVector) {
        guard vector.action == "mask", let output = vector.output else { return }
        let book = RedactionBook(ownSecrets: vector.ownSecrets.map { Array($0.utf8) })
        if vector.fieldClass == "url" {
            #expect(bytes(output) { book.redact(url: $0, in: .clear) }?.text == nil)
        } else {
            #expect(bytes(output) { book.redact(text: $0, in: .clear) }?.text == nil)
        }
    }
}
