/// What one parameter of a return URL tells.
public enum ReturnRole: UInt8, Sendable, Hashable, CaseIterable {
    /// The word that says how it went.
    case status = 0
    /// The attempt to pay.
    case payment = 1
    /// The subscription.
    case subscription = 2
    /// The hosted checkout.
    case session = 3
    /// The merchant's own reference.
    case order = 4
    /// The provider's customer.
    case customer = 5
    /// The customer's e-mail address: private.
    case email = 6
    /// Licence keys, several parameters or several in one, between commas: private.
    case licenseKey = 7

    /// Two different values of these leave open which payment is meant.
    var isDeciding: Bool { self != .customer && self != .email && self != .licenseKey }
}

/// The words of one provider's return URLs, as data.
///
/// An adapter is this table and nothing more.
///
/// Parameter names are exact, case and all. Status words are exact but for ASCII case, and not
/// trimmed. A word that is not listed means pending, and so does no word at all.
public struct ReturnVocabulary: Sendable {
    /// A shared object, so that a vocabulary and each of its readings are one reference.
    private final class Tables: Sendable {
        let names: WordTable
        let words: WordTable

        init(names: WordTable, words: WordTable) {
            self.names = names
            self.words = words
        }
    }

    private let tables: Tables

    /// Takes which parameter tells what, and what the status words mean (words in lower case).
    ///
    /// Several names may have one role; a name or word listed twice keeps its first meaning.
    public init(
        parameters: KeyValuePairs<String, ReturnRole>,
        statusWords: KeyValuePairs<String, CheckoutStatus>
    ) {
        tables = Tables(
            names: WordTable(parameters.map { ($0.key, $0.value.rawValue) }),
            words: WordTable(
                statusWords.map { ($0.key.lowercased(), $0.value.rawValue) }))
    }

    /// What a status word means; `pending` unless it is listed.
    public func status(word: some StringProtocol) -> CheckoutStatus {
        URLScanner.withPadded(word.utf8) { text in
            status(of: 0..<text.count, in: text) ?? .pending
        }
    }

    /// Reads what a return URL says.
    ///
    /// Does not ask whether the URL is ours.
    public func read(_ url: consuming ReturnURL) -> ReturnReading {
        var tally = ReturnTally()
        let status = url.storage.withContents { text, spans in
            for index in 0..<spans.count {
                guard let role = role(of: spans[index].name, in: text) else { continue }
                tally.take(index, as: role, value: spans[index].value, in: text) {
                    spans[$0].value
                }
            }
            return tally.status(self, in: text) { spans[$0].value }
        }
        let keys = tally.hasSeveralKeys ? keyIndices(in: url.storage) : nil
        return ReturnReading(url: url, status: status, tally: tally, keyIndices: keys)
    }

    @inline(never)
    private func keyIndices(in storage: ReturnURLStorage) -> [Int] {
        storage.withContents { text, spans in
            spans.indices.filter { role(of: spans[$0].name, in: text) == .licenseKey }
        }
    }

    @inline(__always)
    func role(of name: Range<Int>, in text: URLScanner) -> ReturnRole? {
        tables.names.meaning(of: name, in: text).flatMap(ReturnRole.init(rawValue:))
    }

    @inline(__always)
    func status(of word: Range<Int>, in text: URLScanner) -> CheckoutStatus? {
        tables.words.foldedMeaning(of: word, in: text).flatMap(CheckoutStatus.init(rawValue:))
    }
}

/// What has been seen of each role so far: the first non-empty value, and whether another differed.
struct ReturnTally: Sendable {
    /// Sixteen bits a role, four roles a word: the index of the parameter and one, 0 when none.
    ///
    /// They hold `ModelLimits.urlParameters`. Two words, because they stay in registers, where a
    /// vector is written to memory and read back for each parameter.
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private(set) var flags: ReturnFlags = []
    /// True when more than one parameter has licence keys; these never conflict.
    private(set) var hasSeveralKeys = false

    @inline(__always)
    func index(of role: ReturnRole) -> Int? {
        let word = role.rawValue < 4 ? low : high
        let place = UInt16(truncatingIfNeeded: word &>> UInt64(16 &* role.rawValue))
        return place == 0 ? nil : Int(place) &- 1
    }

    /// Empty values are passed over, so they never erase a real one.
    @inline(__always)
    mutating func take(
        _ index: Int, as role: ReturnRole, value: Range<Int>, in text: URLScanner,
        valueAt: (Int) -> Range<Int>
    ) {
        guard !value.isEmpty else { return }
        if let earlier = self.index(of: role) {
            compare(valueAt(earlier), value, as: role, in: text)
            return
        }
        let place = UInt64(truncatingIfNeeded: index &+ 1) &<< UInt64(16 &* role.rawValue)
        if role.rawValue < 4 { low |= place } else { high |= place }
    }

    @inline(never)
    private mutating func compare(
        _ earlier: Range<Int>, _ value: Range<Int>, as role: ReturnRole, in text: URLScanner
    ) {
        if role == .licenseKey {
            hasSeveralKeys = true
        } else if !Self.agree(earlier, value, in: text, folded: role == .status) {
            flags.insert(.conflict(role))
        }
    }

    /// Settles the status once every parameter was taken.
    @inline(__always)
    mutating func status(
        _ vocabulary: ReturnVocabulary, in text: URLScanner, valueAt: (Int) -> Range<Int>
    ) -> CheckoutStatus {
        guard let index = index(of: .status) else {
            flags.insert(.missingStatus)
            return .pending
        }
        guard flags.isDisjoint(with: .decidingConflicts) else { return .pending }
        guard let status = vocabulary.status(of: valueAt(index), in: text) else {
            flags.insert(.unknownStatus)
            return .pending
        }
        return status
    }

    private static func agree(
        _ left: Range<Int>, _ right: Range<Int>, in text: URLScanner, folded: Bool
    ) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                let (left, right) = (text.bytes[left], text.bytes[right])
                return folded ? URLNormal.fold(left) == URLNormal.fold(right) : left == right
            }
    }
}
