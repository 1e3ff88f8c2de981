import Markup
import Testing

@Suite("Markup")
struct MarkupTests {
    @Test(
        "Text that is put in cannot become markup",
        arguments: [
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\" onload=\"x", "&quot; onload=&quot;x"),
            ("' onload='x", "&#39; onload=&#39;x"),
            ("a & b", "a &amp; b"),
            ("\u{0}\u{8}\u{1B}[2J", "\u{FFFD}\u{FFFD}\u{FFFD}[2J"),
            ("evil\u{202E}gnp.exe", "evil\u{FFFD}gnp.exe"),
            ("schöne Grüße ✓", "schöne Grüße ✓"),
            ("two\nlines", "two\nlines"),
        ])
    func escapes(value: String, expected: String) {
        let markup: Markup = "<b title=\"\(value)\">\(value)</b>"
        #expect(markup.text == "<b title=\"\(expected)\">\(expected)</b>")
        #expect(Markup.text(value).text == expected)
    }

    @Test("A piece goes into another as it is")
    func nests() {
        let item: Markup = "<li>\("<&>")</li>"
        let list: Markup = "<ul>\([item, item])\(Markup?.none)</ul>\(item)"
        let escaped = "<li>&lt;&amp;&gt;</li>"
        #expect(list.text == "<ul>\(escaped)\(escaped)</ul>\(escaped)")
        #expect((item + item).text == Markup([item, item]).text)
    }

    @Test(
        "A path segment or query value stays one",
        arguments: [
            ("cks_7Qm", "cks_7Qm"), ("a/b?c#d", "a%2Fb%3Fc%23d"), ("..", "%2E%2E"), (".", "%2E"),
            ("a.b", "a.b"), ("é", "%C3%A9"), ("a b+c&d=e", "a%20b%2Bc%26d%3De"),
            ("\"><x", "%22%3E%3Cx"),
        ])
    func encodes(value: String, expected: String) {
        let link: Markup = "<a href=\"/sessions/\(segment: value)?q=\(query: value)\">x</a>"
        #expect(link.text == "<a href=\"/sessions/\(expected)?q=\(expected)\">x</a>")
    }
}
