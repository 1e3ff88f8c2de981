/// The words of the product, one meaning each; terminal and pages say the same.
package enum Vocabulary {
    /// A word and its meaning, in lines that fit a terminal.
    package static let entries: [(word: String, meaning: [String])] = [
        ("event", ["a fact that happened to a checkout, never edited"]),
        ("position", ["place in the whole log, from 0, without gaps; written @311"]),
        ("session", ["one hosted checkout; named by the provider's id, or provider/id"]),
        ("stream", ["the events of one session, in order"]),
        ("status", ["what an app may show: succeeded, failed, cancelled, pending, expired"]),
        (
            "evidence",
            [
                "how we know: hint (app, return URL), verified (signed webhook,",
                "provider's answer), operator (a person, with a reason)",
            ]
        ),
        ("outcome", ["what is held true; only verified or operator evidence makes one"]),
        (
            "abandoned",
            [
                "shown to a customer, no outcome, and old enough to ask about;",
                "it may have been paid",
            ]
        ),
        ("discrepancy", ["a contradiction worth a person's look"]),
        ("delivery", ["one arrival of a webhook, kept byte for byte, sealed"]),
        ("projection", ["what is folded from the events; can be rebuilt by 'replay'"]),
        ("seal", ["a signed head: how many events there are, and their root hash"]),
        ("anchor", ["a seal that was kept elsewhere, and is compared by 'verify'"]),
        ("epoch", ["what was sealed as one log; a new one begins after a restore"]),
        (
            "sealed",
            ["kept encrypted under a key of its own session; --private opens it"]
        ),
        ("erase", ["destroy the keys of a subject's private fields; the log stays"]),
        ("subject", ["whose private fields are meant: a session, or a customer"]),
        ("hold", ["keys that the law wants kept: nothing destroys them until it is released"]),
    ]

    /// The entries as lines of two columns, and an empty one at the end.
    package static var lines: [String] {
        let width = 14
        return entries.flatMap { word, meaning in
            meaning.enumerated().map { index, line in
                let left = index == 0 ? word : ""
                return left + String(repeating: " ", count: width - left.utf8.count) + line
            }
        } + [""]
    }
}
