/// A few short words, each with a number, looked up without hashing or making strings.
///
/// A word of up to 16 bytes is its length, first eight and last eight bytes: three comparisons
/// decide. Longer ones are compared byte by byte after that.
struct WordTable: Sendable {
    struct Key: Hashable {
        var length: Int
        var head: UInt64
        var tail: UInt64
    }

    private struct Entry {
        var key: Key
        var meaning: UInt8
    }

    private var entries: [Entry] = []
    private var words: [[UInt8]] = []

    init(_ table: [(word: String, meaning: UInt8)]) {
        for (word, meaning) in table {
            let bytes = Array(word.utf8)
            let key = bytes.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map {
                    Self.key(URLScanner(bytes: $0, count: buffer.count), 0..<buffer.count)
                }
            }
            guard let key else { continue }
            entries.append(Entry(key: key, meaning: meaning))
            words.append(bytes)
        }
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
        key.head = Self.fold(key.head)
        key.tail = Self.fold(key.tail)
        return find(key, range, in: text, folded: true)
    }

    @inline(__always)
    private func find(
        _ key: Key, _ range: Range<Int>, in text: URLScanner, folded: Bool
    ) -> UInt8? {
        entries.withUnsafeBufferPointer { entries in
            var index = 0
            while index < entries.count {
                let entry = entries[index]
                if entry.key == key, key.length <= 16 || isWord(index, range, text, folded) {
                    return entry.meaning
                }
                index &+= 1
            }
            return nil
        }
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
        let mask = (1 as UInt64) &<< UInt64(8 &* length) &- 1
        return Key(length: length, head: head & mask, tail: head & mask)
    }

    /// Adds 0x20 to every byte from A to Z of eight.
    @inline(__always)
    private static func fold(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (0x7F &* ones)
        let fromA = low &+ (0x3F &* ones)
        let pastZ = low &+ (0x25 &* ones)
        let capitals = fromA & ~pastZ & ~word & (0x80 &* ones)
        return word | capitals &>> 2
    }
}
