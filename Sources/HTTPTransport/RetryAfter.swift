public import CheckoutModel
public import ProviderKit

extension HTTPReply {
    /// How long the host asks to be left alone, from `Retry-After`: a number of seconds, or a date
    /// as HTTP writes it.
    ///
    /// Nil without the header or with other text; at most a day, never negative. Source: RFC 9110
    /// §10.2.3.
    public func retryAfter(at now: Instant) -> Duration? {
        guard let text = headers.first("Retry-After") else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(text) ?? .max, Limits.retryAfterSeconds))
        }
        guard let date = HTTPDate.read(text) else { return nil }
        return .seconds(min(max(date.seconds - now.seconds, 0), Limits.retryAfterSeconds))
    }
}

/// Dates in HTTP headers.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The one form that is sent today, `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other text.
    ///
    /// Source: RFC 9110 §5.6.7.
    static func read(_ text: String) -> Instant? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","),
            words[1].utf8.count == 2, words[3].utf8.count == 4, words[5] == "GMT",
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let number = month + 1
        let iso = "\(words[3])-\(number < 10 ? "0" : "")\(number)-\(words[1])T\(words[4])Z"
        return try? Instant(iso8601: iso)
    }
}
