import CheckoutModel
import Testing

@Suite("Checkout pages on hosts that are named by merchants")
struct CheckoutURLFamilyTests {
    @Test(
        "A starred host stands for exactly one whole label",
        arguments: [
            ("https://shop.pay.example/s/1", true), ("https://MY-shop2.pay.example/s/1", true),
            ("https://other.example/s/1", true), ("https://pay.example/s/1", false),
            ("https://.pay.example/s/1", false), ("https://a.b.pay.example/s/1", false),
            ("https://evilpay.example/s/1", false), ("https://shop.pay.example.evil/s/1", false),
            ("https://shop.pay.example./s/1", false), ("https://sh_op.pay.example/s/1", false),
            ("https://шоп.pay.example/s/1", false), ("https://*.pay.example/s/1", false),
        ])
    func family(text: String, isTaken: Bool) {
        let rule = CheckoutURLRule(
            hosts: ["*.pay.example": .live, "other.example": .test], pathPrefix: "/s/")
        #expect(((try? rule.read(text)) != nil) == isTaken)
        #expect(rule.hosts == ["other.example"])
    }
}
