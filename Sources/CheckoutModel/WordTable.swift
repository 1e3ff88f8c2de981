/// A few short words, each with a number, looked up without hashing a string or making one.
///
/// A word of up to 16 bytes is its length, first eight and last eight bytes: one look and three
/// comparisons decide. Longer ones are compared byte by byte after that.
struct WordTable: Sendable {
    private struct Key: Hashable {
        var length: Int
        var head: UInt64
        var tail: UInt64
    }

    private struct Slot {
        var key: Key
        var meaning: UInt8
        /// The word's number for `words`; -1 in an empty slot.
        var word: Int16
    }

    /// A power of two many, with every word in the slot that its key names: a list of names walked
    /// in order costs a mispredicted branch for each parameter.
    private var slots: [Slot]
    private var multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var shift: UInt64
    private var words: [[UInt8]] = []

    /// A word listed twice keeps its first number.
    ///
    /// The empty word is left out.
    init(_ table: [(word: String, meaning: UInt8)]) {
        var entries: [Slot] = []
        for (word, meaning) in table {
            let bytes = Array(word.utf8)
            let key = URLScanner.withPadded(bytes) { Self.key($0, 0..<$0.count) }
            guard !words.contains(bytes) else { continue }
            entries.append(Slot(key: key, meaning: meaning, word: Int16(words.count)))
            words.append(bytes)
        }
        slots = []
        shift = 58
        // Some multiplier separates the keys soon; more slots every few tries make sure of it.
        // Words that share a key, alike but in the middle, are told apart by going on one slot.
        var attempt = 0
        while !place(entries) {
            attempt += 1
            multiplier = multiplier &* 0x5851_F42D_4C95_7F2D | 1
            if attempt % 64 == 0 { shift -= 1 }
        }
    }

    private mutating func place(_ entries: [Slot]) -> Bool {
        let empty = Slot(key: Key(length: -1, head: 0, tail: 0), meaning: 0, word: -1)
        slots = Array(repeating: empty, count: 1 << (64 - Int(shift)))
        for entry in entries {
            var index = index(of: entry.key)
            while slots[index].word >= 0, slots[index].key == entry.key {
                index = (index + 1) % slots.count
            }
            guard slots[index].word < 0 else { return false }
            slots[index] = entry
        }
        return true
    }

    /// The number of the word that stands in that range.
    @inline(__always)
    func meaning(of range: Range<Int>, in text: URLScanner) -> UInt8? {
        find(Self.key(text, range), range, in: text, folded: false)
    }

    /// The same with A to Z folded; the table's words are lower-case.
    @inline(__always)
    func foldedMeaning(of range: Range<Int>, in text: URLScanner) -> UInt8? {
        var key = Self.key(text, range)
        key.head = URLNormal.fold(key.head)
        key.tail = URLNormal.fold(key.tail)
        return find(key, range, in: text, folded: true)
    }

    @inline(__always)
    private func find(
        _ key: Key, _ range: Range<Int>, in text: URLScanner, folded: Bool
    ) -> UInt8? {
        let index = index(of: key)
        let slot = slots.withUnsafeBufferPointer { $0[index] }
        guard slot.key == key else { return nil }
        if key.length <= 16 { return slot.meaning }
        return findLong(key, range, in: text, folded: folded)
    }

    /// Goes through the words that share a key; only long ones do.
    @inline(never)
    private func findLong(
        _ key: Key, _ range: Range<Int>, in text: URLScanner, folded: Bool
    ) -> UInt8? {
        var index = index(of: key)
        while slots[index].key == key {
            if isWord(Int(slots[index].word), range, text, folded) { return slots[index].meaning }
            index = (index &+ 1) & (slots.count &- 1)
        }
        return nil
    }

    @inline(__always)
    private func index(of key: Key) -> Int {
        let mixed = key.head ^ key.tail &<< 1 ^ UInt64(truncatingIfNeeded: key.length)
        return Int(truncatingIfNeeded: (mixed &* multiplier) &>> shift)
    }

    private func isWord(
        _ index: Int, _ range: Range<Int>, _ text: URLScanner, _ folded: Bool
    ) -> Bool {
        zip(range, words[index]).allSatisfy { place, byte in
            (folded ? URLNormal.fold(text.bytes[place]) : text.bytes[place]) == byte
        }
    }

    @inline(__always)
    private static func key(_ text: URLScanner, _ range: Range<Int>) -> Key {
        let length = range.count
        let head = text.word(at: range.lowerBound)
        guard length < 8 else {
            return Key(length: length, head: head, tail: text.word(at: range.upperBound &- 8))
        }
        let mask = ((1 as UInt64) &<< UInt64(8 &* length)) &- 1
        return Key(length: length, head: head & mask, tail: head & mask)
    }
}
