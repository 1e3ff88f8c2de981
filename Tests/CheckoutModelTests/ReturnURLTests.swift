import CheckoutModel
import Testing

@Suite struct ReturnURLTests {
    @Test(
        "A URL that is not the registered one is refused for what differs first",
        arguments: [
            ("https://shop.example/r", "HTTPS://SHOP.example:443/r/?x#y", nil),
            ("https://shop.example:/r", "https://shop.example/r", nil),
            ("http://shop.example/r", "http://shop.example:80/r", nil),
            ("https://shop.example/r", "http://shop.example/r", "scheme"),
            ("https://shop.example/r", "https://@shop.example/r", "user_info"),
            ("https://me@shop.example/r", "https://me@shop.example/r", nil),
            ("https://me@shop.example/r", "https://Me@shop.example/r", "user_info"),
            ("https://me@shop.example/r", "https://shop.example/r", "user_info"),
            ("https://shop.example/r", "https://shop.example./r", "host"),
            ("https://shop.example/r", "https://shop%2Eexample/r", "host"),
            ("https://shop.example/r", "https:/r", "host"),
            ("https://shop.example/r", "https://shop.example:8443/r", "port"),
            ("app://h:1/r", "app://h/r", "port"), ("app://h:1/r", "app://h:1/r", nil),
            ("app://h:01/r", "app://h:1/r", nil), ("app://h:1/r", "app://h:1/r/", nil),
            ("https://h:443/r", "https://h:443/r", nil), ("https://h/r", "https://h:444/r", "port"),
            ("https://a@b@h:8/r", "https://a@b@h:8/r?x", nil),
            ("https://shop.example/a/b", "https://shop.example/a%2Fb", "path"),
            ("https://shop.example/a%2fb", "https://shop.example/a%2Fb", nil),
            ("https://shop.example/~a", "https://shop.example/%7ea", nil),
            ("https://shop.example/caf\u{E9}", "https://shop.example/caf%c3%a9", nil),
            ("https://shop.example/r", "https://shop.example/r%20", "path"),
            ("https://shop.example/r", "https://shop.example/r\n", "path"),
            ("https://shop.example/r", "https://shop.example//r", "path"),
            ("https://shop.example/r", "https://shop.example/./r", "path"),
            ("https://shop.example/r", "shop.example/r", "not_a_url"),
            ("https://shop.example/r", "https://shop.example\\@evil.example/r", "malformed_host"),
            ("https://shop.example/r", "https://shop.example:x/r", "malformed_port"),
            ("https://shop.example/r", "https://shop.example:1:2/r", "malformed_port"),
            ("https://shop.example/r", "https://shop.example:65536/r", "malformed_port"),
            ("https://m\u{FC}nchen.example/r", "https://xn--mnchen-3ya.example/r", nil),
            ("https://xn--mnchen-3ya.example/r", "https://M\u{DC}NCHEN.example/r", nil),
            ("https://xn--mnchen-3ya.example/r", "https://munchen.example/r", "host"),
            ("https://xn--mnchen-3ya.example/r", "https://m\u{F6}nchen.example/r", "host"),
            ("https://[2001:db8::1]:8/r", "https://[2001:DB8::1]:8/r", nil),
            ("https://[2001:db8::1]/r", "https://[2001:db8::1/r", "malformed_host"),
        ] as [(String, String, String?)])
    func matching(registered: String, incoming: String, code: String?) throws {
        let pattern = try ReturnURLPattern(registered: registered)
        #expect(pattern.match(incoming).code == code)
    }

    @Test(
        "A return URL that no app can own is refused when it is registered",
        arguments: [
            ("", "not_a_url"), ("not-a-url", "not_a_url"), ("//h/x", "not_a_url"),
            (" app://h", "not_a_url"), ("1app://h", "not_a_url"), ("javascript://x/y", "scheme"),
            ("DATA:text/html,x", "scheme"), ("file:///etc", "scheme"), ("app:///r", "missing_host"),
            ("app:/r", "missing_host"), ("app:r", "missing_host"), ("app://:1/r", "missing_host"),
            ("app://a_b/r", "host"), ("app://a%2Fb/r", "host"), ("app://a..b/r", "host"),
            ("app://a b/r", "not_a_url"), ("https://Pay.example/x", "provider_host"),
        ])
    func refusing(text: String, code: String) {
        do throws(ReturnURLRefusal) {
            _ = try ReturnURLPattern(registered: text, refusedHosts: ["pay.example"])
            Issue.record("accepted")
        } catch {
            #expect(error.code == code)
        }
    }

    @Test("A name without = is told from an empty value, and empty pairs are skipped")
    func emptyValues() throws {
        let list = try ReturnURL(parsing: "app://h?a&b=&&=c&").parameters
        #expect(list.map(\.name) == ["a", "b", ""])
        #expect(list.map(\.hasEqualsSign) == [false, true, true])
        #expect(list.last?.value == "c")
    }

    @Test("Escapes that are no UTF-8 keep their bytes, and their text stays as written")
    func foreignBytes() throws {
        let url = try ReturnURL(parsing: "app://h?a=%FF%00x&b=%C3%A9&c=%4")
        #expect(
            url.parameters.map(\.valueBytes) == [[0xFF, 0, 0x78], [0xC3, 0xA9], [0x25, 0x34]])
        #expect(url.parameters.map(\.value) == ["%FF%00x", "\u{E9}", "%4"])
    }

    @Test("Several parameters of a name agree, conflict, or say nothing")
    func uniqueValues() throws {
        let list = try ReturnURL(parsing: "app://h?a=1&a=%31&a=&b=1&b=2&c=&c").parameters
        #expect(list.uniqueValue(named: "a") == .one("1"))
        #expect(list.uniqueValue(named: "b") == .conflict)
        #expect(list.uniqueValue(named: "c") == .absent)
        #expect(list.uniqueValue(named: "d").text == nil)
    }

    @Test("Conflicts make the status pending where they decide, and leave the field empty")
    func conflicts() throws {
        func read(_ query: String) throws -> ReturnReading {
            dodoWords.read(try ReturnURL(parsing: "app://h?\(query)"))
        }
        let ids = try read("status=succeeded&payment_id=a&payment_id=b")
        #expect(ids.status == .pending)
        #expect(ids.paymentID == nil)
        #expect(ids.flags.codes == ["conflicting_payment"])
        let mail = try read("status=succeeded&email=a&email=b")
        #expect(mail.status == .succeeded)
        #expect(mail.customerEmail == nil)
        #expect(try read("status=&status=SUCCEEDED&status=succeeded").status == .succeeded)
        #expect(try read("status=active&status=succeeded").status == .pending)
        #expect(try read("x=1").flags.codes == ["missing_status"])
        #expect(try read("status=paid").flags.codes == ["unknown_status"])
        #expect(
            try read("license_key=%20A%2C,%20B%20&license_key=C").licenseKeys == ["A", "B", "C"])
    }

    @Test("Words longer than sixteen bytes are compared whole")
    func longWords() throws {
        let words = ReturnVocabulary(
            parameters: [
                "merchant_AAAA_order_reference": .order, "result_of_the_payment": .status,
            ],
            statusWords: ["partially_AAAA_and_capturable": .succeeded])
        let query = "result_of_the_payment=PARTIALLY_aaaa_and_capturable"
        #expect(words.read(try ReturnURL(parsing: "a://h?\(query)")).status == .succeeded)
        #expect(words.status(word: "partially_BBBB_and_capturable") == .pending)
        let other = try ReturnURL(parsing: "a://h?merchant_BBBB_order_reference=1")
        #expect(words.read(other).orderID == nil)
        let mine = try ReturnURL(parsing: "a://h?merchant_AAAA_order_reference=1")
        #expect(words.read(mine).orderID == "1")
    }

    @Test(
        "A checkout URL that a browser could read as another page is refused with the reason",
        arguments: [
            ("https://pay.example/session/s1", nil),
            ("HTTPS://PAY.example:443/session/s1/?a#b", nil),
            ("https://pay.example/session/s1//", "path"),
            ("https://pay.example/session/%2e%2e", "path"),
            ("https://pay.example/session/.", "path"),
            ("https://pay.example/session/a%2Fb", "path"),
            ("https://pay.example/session/a\\b", "path"),
            ("https://pay.example/session/a%5cb", "path"),
            ("https://pay.example\\session/s1", "host"),
            ("https://pay.example./session/s1", "host"),
            ("https://p\u{430}y.example/session/s1", "host"), ("https:/session/s1", "host"),
            ("https://@pay.example/session/s1", "user_info"),
            ("https://pay.example:8443/session/s1", "port"),
            ("https://pay.example:x/session/s1", "port"),
            ("https://pay.example/session/", "missing_session"),
            ("https://pay.example/session/s%00", "control_character"),
            ("https://pay.example/session/s1\n", "control_character"),
            ("https://pay.example/session/s%E2%80%AE1", "control_character"),
            ("https://pay.example/session/s%", "malformed_escape"),
            ("https://pay.example/session/s%FF", "malformed_escape"),
            ("ftp://pay.example/session/s1", "scheme"), ("pay.example/session/s1", "not_a_url"),
            ("", "not_a_url"),
        ] as [(String, String?)])
    func checkoutURLs(text: String, code: String?) {
        let rule = CheckoutURLRule(hosts: ["pay.example": .live], pathPrefix: "/session/")
        do throws(CheckoutURLRefusal) {
            let checkout = try rule.read(text)
            #expect(code == nil)
            #expect(checkout.sessionID == "s1")
        } catch {
            #expect(error.code == code)
        }
    }

    @Test("A URL's parts stand as written, and its canonical text can be opened")
    func parts() throws {
        let url = try URLText(parsing: "HTTPS://me:pw@Pay.Example:8/a%2f b?q=|%7c#f?g")
        #expect(url.scheme == "HTTPS")
        #expect(url.userInfo == "me:pw")
        #expect(url.host == "Pay.Example")
        #expect(url.port == 8)
        #expect(url.path == "/a%2f b")
        #expect(url.query == "q=|%7c")
        #expect(url.canonicalText == "https://me:pw@pay.example:8/a%2f%20b?q=%7C%7c#f?g")
    }
}
