import CheckoutModel
import Testing

@Suite("Checkout pages that name the session in their query")
struct CheckoutURLParameterTests {
    static let rule = CheckoutURLRule(
        hosts: ["pay.example": .live, "sandbox.pay.example": .test], path: "/now",
        idParameter: "token", idPrefix: "EC-")

    static let cases: [(url: String, id: String?, code: String?)] = [
        ("https://pay.example/now?token=EC-1", "EC-1", nil),
        ("https://pay.example/now/?a=1&token=EC-1&b#top", "EC-1", nil),
        ("https://PAY.example/%6Eow?%74oken=EC%2D1", "EC-1", nil),
        ("https://pay.example/now?token=EC-1&token=EC-1&token=", "EC-1", nil),
        ("https://pay.example/now?token=EC-1&token=EC-2", nil, "missing_session"),
        ("https://pay.example/now?token=", nil, "missing_session"),
        ("https://pay.example/now?token", nil, "missing_session"),
        ("https://pay.example/now#token=EC-1", nil, "missing_session"),
        ("https://pay.example/now?Token=EC-1", nil, "missing_session"),
        ("https://pay.example/now", nil, "missing_session"),
        ("https://pay.example/nowhere?token=EC-1", nil, "path"),
        ("https://pay.example/now/x?token=EC-1", nil, "path"),
        ("https://pay.example/?token=EC-1", nil, "path"),
        ("https://pay.example/now?token=..%2Fx", nil, "path"),
        ("https://pay.example/now?token=%zz", nil, "malformed_escape"),
        ("https://pay.example/%zz?token=EC-1", nil, "malformed_escape"),
        ("https://pay.example/now?token=a%20b", nil, "control_character"),
        ("http://pay.example/now?token=EC-1", nil, "scheme"),
        ("https://pay.example.evil.example/now?token=EC-1", nil, "host"),
        ("https://pay.example:8443/now?token=EC-1", nil, "port"),
    ]

    @Test("One parameter names the session, and nothing else does", arguments: cases)
    func read(_ item: (url: String, id: String?, code: String?)) {
        do throws(CheckoutURLRefusal) {
            let page = try Self.rule.read(item.url)
            #expect(page.sessionID == item.id)
            #expect(page.mode == .live)
            #expect(page.hasUsualID)
            #expect(item.code == nil)
        } catch {
            #expect(error.code == item.code)
        }
    }
}
