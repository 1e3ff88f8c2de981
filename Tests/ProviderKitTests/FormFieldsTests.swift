import ProviderKit
import Testing

@Suite("Forms")
struct FormFieldsTests {
    private func pairs(_ text: String) -> [String]? {
        FormFields(Array(text.utf8))?.pairs.map { "\($0.name)=\($0.value)" }
    }

    @Test("A form is decoded once, in its order, with blanks kept")
    func decoding() {
        #expect(pairs("a=1&b=x+y%2Bz&c=%2541&a=2") == ["a=1", "b=x y+z", "c=%41", "a=2"])
        #expect(pairs("a&b=&=c&&d=e=f") == ["a=", "b=", "=c", "d=e=f"])
        #expect(pairs("a=+x+") == ["a= x "])
        #expect(pairs("") == [])
        #expect(pairs("name=%E5%95%86%E5%93%81") == ["name=商品"])
    }

    @Test("A text that two readers could read differently is no form")
    func refused() {
        for text in ["a=%", "a=%4", "a=%zz", "a=%FF", "%C3=1"] { #expect(pairs(text) == nil) }
        #expect(FormFields([0x61, 0x3D, 0xFF]) == nil)
        #expect(pairs(String(repeating: "a=1&", count: Limits.formPairs + 1)) == nil)
    }

    @Test("A repeated name has no value of its own")
    func repeated() throws {
        let form = try #require(FormFields(Array("id=tr_1&x=1&x=2".utf8)))
        #expect(form["id"] == "tr_1")
        #expect(form["x"] == nil)
        #expect(form["y"] == nil)
    }
}
