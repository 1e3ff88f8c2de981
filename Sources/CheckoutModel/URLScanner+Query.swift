extension URLScanner {
    /// Cuts the query into its non-empty pairs, up to the fragment, and decodes nothing.
    ///
    /// Writes at most `capacity` spans and goes on counting, so that a caller with too little room
    /// learns how much is needed. Says too where the query ends. Not inlined: it needs every
    /// register.
    @inline(never)
    func pairs(
        from queryStart: Int, into spans: UnsafeMutablePointer<ParameterSpans>, capacity: Int
    ) -> (count: Int, queryEnd: Int) {
        var found = 0
        var start = queryStart
        // The first `=` of the pair that is open, when an earlier block has it.
        var equalsSign = Int.max
        var escapes: UInt32 = 0
        var index = queryStart
        // Sixty-four bytes become two masks first: a loop that ends in every eighth byte is
        // mispredicted there, and that costs more than the looking.
        while true {
            var (equals, marks) = queryMarks(at: index)
            // The end gets a mark too, on the first zero byte behind the text; none else has one.
            let left = count &- index
            if left < 64 { marks |= 1 &<< UInt64(truncatingIfNeeded: left) }
            while marks != 0 {
                let place = marks.trailingZeroBitCount
                let at = index &+ place
                let byte = bytes[at]
                marks &= marks &- 1
                let nameEnd = min(equalsSign, index &+ equals.trailingZeroBitCount, at)
                if byte == UInt8(ascii: "%") {
                    escapes |= nameEnd == at ? 1 : 2
                    continue
                }
                let isEnd = byte < 0x20 || byte == UInt8(ascii: "#")
                guard isEnd || byte == UInt8(ascii: "&") else { continue }
                if at > start {
                    if found < capacity {
                        let pair = ParameterSpans(start, nameEnd, at, escapes: escapes)
                        (spans + found).initialize(to: pair)
                    }
                    found &+= 1
                }
                if isEnd { return (found, at) }
                start = at &+ 1
                equals &= UInt64.max &<< UInt64(truncatingIfNeeded: place)
                equalsSign = .max
                escapes = 0
            }
            if equals != 0 { equalsSign = min(equalsSign, index &+ equals.trailingZeroBitCount) }
            index &+= 64
        }
    }

    /// Decodes the escapes of one span to `target`, which has room for the span and eight bytes
    /// more; nil when one of them is malformed, and then what was written is rubbish.
    @inline(never)
    func decode(
        from start: UInt32, to end: UInt32, into target: UnsafeMutablePointer<UInt8>
    ) -> (count: Int, isASCII: Bool)? {
        var index = Int(start)
        let end = Int(end)
        var written = 0
        var all: UInt64 = 0
        let raw = UnsafeMutableRawPointer(target)
        while index < end {
            let word = word(at: index)
            let escapes = Self.percentSigns(in: word)
            raw.storeBytes(of: word.littleEndian, toByteOffset: written, as: UInt64.self)
            // Takes in what stands behind the span too: at worst the text is checked in vain.
            all |= word
            let plain = escapes == 0 ? 8 : escapes.trailingZeroBitCount &>> 3
            index &+= plain
            written &+= plain
            guard escapes != 0, index < end else { continue }
            guard index &+ 2 < end else { return nil }
            let high = Self.hexDigit(bytes[index &+ 1])
            let low = Self.hexDigit(bytes[index &+ 2])
            guard high | low < 16 else { return nil }
            target[written] = high &<< 4 | low
            all |= UInt64(target[written])
            index &+= 3
            written &+= 1
        }
        // The last word may have gone past the end.
        return (written &- (index &- end), all & 0x8080_8080_8080_8080 == 0)
    }

    /// The high bit of the first percent sign among eight bytes, with others perhaps after it.
    @inline(__always)
    private static func percentSigns(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = word ^ (0x25 &* ones)
        return (difference &- ones) & ~difference & (0x80 &* ones)
    }
}
