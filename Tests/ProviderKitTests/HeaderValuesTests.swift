import ProviderKit
import Testing

@Suite("Headers that carry several values")
struct HeaderValuesTests {
    @Test("Every line and every part between commas is a value")
    func values() throws {
        let headers: HeaderList = ["X-Sig": "a, b", "Other": "c", "x-sig": "d,,", "X-SIG": ""]
        #expect(try headers.all("x-sig") == ["a", "b", "d"])
        #expect(throws: WebhookRejection.missingHeader("X-None")) { try headers.all("X-None") }
        let empty: HeaderList = ["X-Sig": " , "]
        #expect(throws: WebhookRejection.missingHeader("X-Sig")) { try empty.all("X-Sig") }
    }

    @Test("Of a long list the first values count")
    func longList() throws {
        let list = (0..<Limits.signatures + 9).map { "\($0)" }
        let headers: HeaderList = ["X-Sig": list.joined(separator: ",")]
        #expect(try headers.all("X-Sig") == Array(list.prefix(Limits.signatures)))
        let long: HeaderList = ["X-Sig": String(repeating: "x", count: Limits.headerBytes + 1)]
        #expect(throws: WebhookRejection.malformedHeader("X-Sig")) { try long.all("X-Sig") }
    }
}
