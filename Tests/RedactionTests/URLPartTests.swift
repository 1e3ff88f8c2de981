import Redaction
import Testing

@Suite("No part of a URL is a place where a card number can stay")
struct URLPartTests {
    static let pan = "4111" + "111111111111"
    static let mask = "%5Bpan%20visa%20%2A%2A%2A%2A1111%5D"

    static let cases: [(url: String, kept: String)] = [
        ("https://shop.example/r?\(pan)&a=1", "https://shop.example/r?\(mask)&a=1"),
        ("https://shop.example/r?a=1&\(pan)=x", "https://shop.example/r?a=1&\(mask)=x"),
        (
            "https://shop.example/r?declined for \(pan), retry",
            "https://shop.example/r?declined%20for%20\(mask)%2C%20retry"
        ),
        ("https://shop.example/\(pan)/r", "https://shop.example/\(mask)/r"),
        ("https://\(pan)/r?a=1", "https://\(mask)/r?a=1"),
        ("\(pan)://r?a=1", "\(mask)://r?a=1"),
        ("https://shop.example/r#\(pan)", "https://shop.example/r#\(mask)"),
        ("https://shop.example/r?a&b=&&c=1", "https://shop.example/r?a&b=&&c=1"),
    ]

    @Test("Scheme, host, path, names, values and fragment", arguments: cases)
    func parts(url: String, kept: String) {
        let found = bytes(url) { RedactionBook().redact(url: $0, in: .sealed) }
        #expect(found?.text ?? url == kept)
        #expect(bytes(kept) { RedactionBook().redact(url: $0, in: .sealed) }?.text == nil)
    }
}
