import CheckoutModel
import ProviderKit

/// A word of a provider's, and what its adapter makes of it.
///
/// Found by asking the adapter, not by reading its table: each word of its vectors is told to it as
/// the provider would, and what it says is taken down. A table of an adapter may know more words
/// than its vectors do.
package struct ProviderWord: Sendable, Hashable {
    /// Where a provider uses a word.
    package enum Place: String, Sendable, Hashable, CaseIterable {
        /// In the URL that a browser comes back with.
        case `return`
        /// In the answer to a question.
        case answer
        /// In a webhook.
        case webhook
    }

    package let place: Place
    /// What the word is about, such as `payment`; the parameter's name in a return.
    package let about: String
    /// The word as the provider writes it.
    package let word: String
    /// What it means here, such as `succeeded` or `refund.failed`.
    package let meaning: String
}

extension Examination {
    /// Every word of the vectors that the adapter understands, in their order.
    var words: [ProviderWord] { ReturnChecks.said(self) + StatusChecks.said(self) + told }

    private var told: [ProviderWord] {
        var words: [ProviderWord] = []
        for kind in facts.events {
            for event in events(of: usual(sample(kind))).events {
                let word = ProviderWord(
                    place: .webhook, about: "event",
                    word: [event.rawType, event.rawStatus].compactMap { $0 }
                        .joined(separator: " "),
                    meaning: EventSample.Kind(event.kind).name)
                if !words.contains(word) { words.append(word) }
            }
        }
        return words
    }
}

extension PretendSender {
    /// The provider's words with what its adapter makes of them; none where it cannot be made.
    package var words: [ProviderWord] { (try? Examination(fixtures, vectors))?.words ?? [] }
}
