package import CheckoutLedger
import CheckoutModel
package import CommandKit
import EventLog

/// What became of an event's private fields, class by class, and nothing of what they say.
///
/// A class is `kept`, `erased`, `key_missing` or `tampered`, never two of them in one word; null
/// where that cannot be told, because the root key is not here. In an event line `privateFields`.
package struct PrivateStates: JSONWritable {
    package static let member = (
        name: "privateFields",
        about: "of each class of sealed fields: kept, erased, key_missing or tampered; null without "
            + "the root key"
    )

    /// Class and word, in the order in which the event has them.
    package let words: [(dataClass: String, word: String?)]

    /// Opens the fields to see whether they are what was sealed; nil where there are none.
    package init?<Store>(of recorded: RecordedEvent, in ledger: Ledger<Store>) {
        guard recorded.hasSealedFields || recorded.payload.discarded != nil else { return nil }
        guard let parts = try? ledger.privateParts(of: recorded) else {
            words = recorded.sealedClasses.map { ($0.name, nil) }
            return
        }
        var words: [(dataClass: String, word: String?)] = []
        for part in parts {
            let (name, word) = (part.dataClass.name, part.answer.lossWord ?? Self.kept)
            if let place = words.firstIndex(where: { $0.dataClass == name }) {
                // Two blobs of one class, which only somebody else can have made: the graver word.
                let gravity = words[place].word.map(Self.gravity)
                if Self.gravity(word) > gravity ?? 0 { words[place].word = word }
            } else {
                words.append((name, word))
            }
        }
        self.words = words
    }

    private static let kept = "kept"

    private static func gravity(_ word: String) -> Int {
        [kept, "erased", "key_missing", "tampered"].firstIndex(of: word) ?? 0
    }

    /// In words for a person.
    package var text: String {
        words.map { "\($0.dataClass) \($0.word ?? "sealed: the root key is not here")" }
            .joined(separator: ", ")
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { object in
            for (dataClass, word) in words { object.field(dataClass, word) }
        }
    }
}
