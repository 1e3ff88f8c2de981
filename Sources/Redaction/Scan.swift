/// One pass over a text: every rule that looks at values, from the first byte to the last.
///
/// Works on UTF-8 bytes in place and allocates nothing until it finds something. Bytes that are no
/// UTF-8 are passed over one by one.
struct Scan {
    /// What the pass looks for besides the rules that always hold.
    let book: RedactionBook
    /// Where the text will be kept.
    let place: RedactionBook.Place
    let text: UnsafeBufferPointer<UInt8>
    /// What was found, in order, none inside another.
    var spans: [RedactionSpan] = []

    /// No span begins in front of it.
    var floor = 0
    /// No span ends behind it.
    var limit: Int

    init(_ text: UnsafeBufferPointer<UInt8>, _ book: RedactionBook, in place: RedactionBook.Place) {
        self.text = text
        self.book = book
        self.place = place
        limit = text.count
    }

    /// Looks at a part of the text.
    mutating func scan(_ range: Range<Int>) {
        floor = range.lowerBound
        limit = range.upperBound
        book.starts.withUnsafeBufferPointer { scan(range, $0) }
        limit = text.count
    }

    private mutating func scan(_ range: Range<Int>, _ starts: UnsafeBufferPointer<UInt32>) {
        var index = range.lowerBound
        var isInWord = false
        let hasOwnSecrets = !book.ownSecrets.isEmpty
        // The end of the digits that were looked at, so that each group is looked at once.
        var digitsEnd = index
        while index < range.upperBound {
            let byte = text[index]
            if hasOwnSecrets, book.ownStarts.contains(byte),
                let length = book.ownSecret(text, at: index, before: limit)
            {
                index = take(index, index + length, .ownSecret, "secret:known", "[secret known]")
                isInWord = false
                continue
            }
            var end: Int?
            switch byte {
            case 0x30...0x39:
                if index >= digitsEnd { end = digits(at: index, &digitsEnd) }
                isInWord = true
            case 0x41...0x5A, 0x61...0x7A:
                if !isInWord, index + 1 < limit {
                    let second = text[index + 1]
                    if starts[Int(byte & 31)] >> UInt32(second & 31) & 1 == 1, second.isLetter {
                        end = word(at: index)
                    }
                    if end == nil, byte.isUpper, second.isUpper, place == .clear {
                        end = bankAccount(at: index)
                    }
                }
                isInWord = true
            case 0x5F:
                if index + 1 < limit, text[index + 1] == 0x73 { end = clientSecret(at: index) }
                isInWord = true
            case 0x40:
                if place == .clear { end = email(at: index) }
                isInWord = false
            case 0x3A:
                end = userInfo(at: index)
                isInWord = false
            case 0x2D:
                if !isInWord, index + 1 < limit, text[index + 1] == 0x2D {
                    end = privateKey(at: index)
                }
                isInWord = false
            case 0xC2...0xF4:
                if index >= digitsEnd, digit(at: index) != nil {
                    end = digits(at: index, &digitsEnd)
                }
                isInWord = false
            default: isInWord = false
            }
            if let end {
                index = end
                isInWord = false
            } else {
                index += 1
            }
        }
    }

    /// Notes a span and gives its end, where the pass goes on.
    mutating func take(
        _ start: Int, _ end: Int, _ rule: RedactionRule, _ word: String, _ replacement: String
    ) -> Int {
        spans.append(
            RedactionSpan(
                range: start..<end, replacement: Array(replacement.utf8),
                finding: RedactionFinding(rule, word, byteCount: end - start)))
        floor = end
        return end
    }

    /// True when the text goes on so, whatever the case of its letters; `expected` is lower case.
    func holds(_ expected: [UInt8], at index: Int) -> Bool {
        guard index + expected.count <= limit else { return false }
        for offset in expected.indices where text[index + offset].lower != expected[offset] {
            return false
        }
        return true
    }

    /// True when the text goes on exactly so.
    func holdsExactly(_ expected: [UInt8], at index: Int) -> Bool {
        guard index + expected.count <= limit else { return false }
        for offset in expected.indices where text[index + offset] != expected[offset] {
            return false
        }
        return true
    }
}

/// A part of a text that may not be stored, and what stands there instead.
struct RedactionSpan {
    var range: Range<Int>
    var replacement: [UInt8]
    var finding: RedactionFinding
}

extension [RedactionSpan] {
    /// The text with each span replaced; the other bytes as they are.
    func applied(to text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var copied = 0
        for span in self {
            result += text[copied..<span.range.lowerBound]
            result += span.replacement
            copied = span.range.upperBound
        }
        result += text[copied...]
        return result
    }
}
