// Card numbers (R1, R2) and track data (R5).

extension Scan {
    /// The digit at an index, of any script, and the index behind it and what is invisible.
    func digit(at index: Int) -> (value: UInt8, next: Int)? {
        guard index < limit else { return nil }
        let byte = text[index]
        if byte.isDigit {
            let next = index + 1
            return (byte - 0x30, next < limit && text[next] >= 0xC2 ? visible(from: next) : next)
        }
        guard byte >= 0xD9,
            let (scalar, count) = DecimalDigits.scalar(text, at: index, before: limit),
            let value = DecimalDigits.value(of: scalar)
        else { return nil }
        return (value, visible(from: index + count))
    }

    /// Passes over what is there and cannot be seen, in front of a digit.
    private func visible(from start: Int) -> Int {
        var index = start
        while index < limit, text[index] >= 0xC2,
            let (scalar, count) = DecimalDigits.scalar(text, at: index, before: limit),
            DecimalDigits.isInvisible(scalar)
        { index += count }
        // Nothing is passed over at the end of a number: it is not part of it.
        guard index > start, index < limit else { return start }
        return text[index].isDigit || text[index] >= 0xC2 ? index : start
    }

    /// The index behind a single space, hyphen, dash or dot; nil when there is none.
    private func separator(at index: Int) -> Int? {
        guard index < limit else { return nil }
        let byte = text[index]
        if byte == 0x20 || byte == 0x2D || byte == 0x2E { return index + 1 }
        guard byte >= 0xC2,
            let (scalar, count) = DecimalDigits.scalar(text, at: index, before: limit),
            DecimalDigits.isSeparator(scalar)
        else { return nil }
        return index + count
    }

    /// Looks at the number that begins at an index, with the groups of digits behind it.
    ///
    /// Gives the end of what was masked; `digitsEnd` is then the end of the first group.
    mutating func digits(at start: Int, _ digitsEnd: inout Int) -> Int? {
        let groups = groups(from: start)
        digitsEnd = groups.firstEnd
        guard groups.total >= Limits.cardDigits.lowerBound else { return nil }
        let first = Int(groups.lengths & 31)
        if let end = track(at: start, first, groups.firstEnd) { return end }
        for count in candidates(groups, at: start) {
            let (number, end) = read(count, from: start)
            guard let brand = brand(of: number, start, end) else { continue }
            guard !isPartOfSomethingElse(start, end, isOneBlock: count == first) else { continue }
            let rule: RedactionRule = count == 13 ? .oldVisaNumber : .cardNumber
            return take(start, end, rule, "pan:\(brand)", "[pan \(brand) ****\(number.lastFour)]")
        }
        return nil
    }

    /// Lengths of the groups of digits from a place on, five bits each.
    private struct Groups {
        var lengths: UInt128 = 0
        var count = 0
        var total = 0
        var firstEnd = 0
        /// Groups of one digit at the beginning.
        var singles = 0
    }

    private func groups(from start: Int) -> Groups {
        var groups = Groups()
        var index = start
        while groups.count < Limits.digitGroups, groups.total <= Limits.cardDigits.upperBound {
            var length = 0
            while let digit = digit(at: index) {
                length += 1
                index = digit.next
            }
            groups.lengths |= UInt128(min(length, 31)) << UInt128(5 * groups.count)
            if groups.count == 0 { groups.firstEnd = index }
            if length == 1, groups.singles == groups.count { groups.singles += 1 }
            groups.count += 1
            groups.total += length
            guard let next = separator(at: index), digit(at: next) != nil else { break }
            index = next
        }
        return groups
    }

    /// How many digits could be a card number, by the way they are grouped; the longest first.
    private func candidates(_ groups: Groups, at start: Int) -> [Int] {
        var found: [Int] = []
        for grouping in CardIssuers.groupings where grouping.count <= groups.count {
            let fits = grouping.enumerated().allSatisfy { index, length in
                groups.lengths >> UInt128(5 * index) & 31 == UInt128(length)
            }
            if fits { found.append(grouping.reduce(0) { $0 + Int($1) }) }
        }
        let first = Int(groups.lengths & 31)
        if Limits.cardDigits.contains(first) { found.append(first) }
        if groups.singles >= Limits.singleDigits, groups.singles <= Limits.cardDigits.upperBound,
            !followsSingleDigit(start)
        {
            found.append(groups.singles)
        }
        return found
    }

    /// True when the digit-by-digit number began further in front.
    private func followsSingleDigit(_ start: Int) -> Bool {
        start >= floor + 2 && !text[start - 1].isDigit && text[start - 2].isDigit
    }

    private func read(_ count: Int, from start: Int) -> (number: DigitString, end: Int) {
        var number = DigitString()
        var index = start
        while number.count < count {
            if let digit = digit(at: index) {
                number.append(digit.value)
                index = digit.next
            } else if let next = separator(at: index) {
                index = next
            } else {
                break
            }
        }
        return (number, index)
    }

    private func brand(of number: DigitString, _ start: Int, _ end: Int) -> String? {
        guard number.count == 13 else { return CardIssuers.brand(of: number) }
        guard number.first(1) == 4, number.isLuhnValid, isNearCardWord(start, end) else {
            return nil
        }
        return "visa"
    }

    private func isNearCardWord(_ start: Int, _ end: Int) -> Bool {
        let reach = Limits.cardWordReach
        let around = max(0, start - reach)..<min(text.count, end + reach)
        return around.contains { index in
            SecretForm.cardWords.contains { word in
                guard index + word.count <= around.upperBound else { return false }
                return word.indices.allSatisfy { text[index + $0].lower == word[$0] }
            }
        }
    }

    /// True for a decimal fraction, a telephone number, a UUID, and a piece of a hash.
    private func isPartOfSomethingElse(_ start: Int, _ end: Int, isOneBlock: Bool) -> Bool {
        func isDigit(_ index: Int) -> Bool {
            index >= 0 && index < text.count && text[index].isDigit
        }
        if start > 0, text[start - 1] == 0x2E, isDigit(start - 2) { return true }
        if end < text.count, text[end] == 0x2E, isDigit(end + 1) { return true }
        if isTelephoneNumber(start, end) { return true }
        if isOneBlock { return isInHash(start, end) }
        return isInUUID(start, end)
    }

    private func isTelephoneNumber(_ start: Int, _ end: Int) -> Bool {
        func isInside(_ byte: UInt8) -> Bool {
            byte.isDigit || byte == 0x20 || byte == 0x2D || byte == 0x2E
        }
        var first = start
        while first > 0, isInside(text[first - 1]) { first -= 1 }
        guard first > 0, text[first - 1] == 0x2B else { return false }
        var count = 0
        var index = first
        while index < text.count, isInside(text[index]), count <= Limits.phoneDigits {
            if text[index].isDigit { count += 1 }
            index += 1
        }
        return count <= Limits.phoneDigits
    }

    private func isInHash(_ start: Int, _ end: Int) -> Bool {
        var (first, last) = (start, end)
        while first > 0, text[first - 1].isHexadecimal { first -= 1 }
        while last < text.count, text[last].isHexadecimal { last += 1 }
        let hasLetters = first < start || last > end
        return last - first >= Limits.hexToken && hasLetters
    }

    private func isInUUID(_ start: Int, _ end: Int) -> Bool {
        func isInside(_ byte: UInt8) -> Bool { byte.isHexadecimal || byte == 0x2D }
        var (first, last) = (start, end)
        while first > 0, isInside(text[first - 1]) { first -= 1 }
        while last < text.count, isInside(text[last]) { last += 1 }
        return IdentifierGrammar.isUUID(UnsafeBufferPointer(rebasing: text[first..<last]))
    }

    /// The end of a magnetic stripe's or a chip's track that begins with one block of digits.
    ///
    /// `;PAN=YYMM…`, `%BPAN^NAME^YYMM…`, and tag 57 of EMV, which has a `D` for the `=` and may
    /// have its tag and length in front.
    private mutating func track(at start: Int, _ count: Int, _ end: Int) -> Int? {
        guard end < limit, count >= Limits.cardDigits.lowerBound else { return nil }
        switch text[end] {
        case 0x3D, 0x44, 0x64:
            guard isTrackExpiry(end + 1), isTrackNumber(start, count) else { return nil }
            var last = end + 1
            while last < limit, text[last].isHexadecimal || text[last] == 0x3D { last += 1 }
            return takeTrack(start, last, opener: 0x3B)
        case 0x5E:
            guard isTrackNumber(start, count),
                let name = text[(end + 1)..<min(limit, end + 32)].firstIndex(of: 0x5E),
                isTrackExpiry(name + 1)
            else { return nil }
            var last = name + 1
            while last < limit, text[last].isLetterOrDigit || text[last] == 0x20 { last += 1 }
            return takeTrack(start, last, opener: 0x42)
        default: return nil
        }
    }

    private mutating func takeTrack(_ start: Int, _ last: Int, opener: UInt8) -> Int {
        var (start, last) = (start, last)
        if last < limit, text[last] == 0x3F { last += 1 }
        if start > floor, text[start - 1] == opener { start -= 1 }
        if opener == 0x42, start > floor, text[start] == 0x42, text[start - 1] == 0x25 {
            start -= 1
        }
        return take(start, last, .trackData, "track", "[track]")
    }

    /// Four digits of year and month and the three of the service code.
    private func isTrackExpiry(_ index: Int) -> Bool {
        guard index + 7 <= limit, (index..<(index + 7)).allSatisfy({ text[$0].isDigit }) else {
            return false
        }
        let month = (text[index + 2] - 0x30) * 10 + text[index + 3] - 0x30
        return (1...12).contains(month)
    }

    /// The block is a card's number, or the tag 57 and its length and then one.
    private func isTrackNumber(_ start: Int, _ count: Int) -> Bool {
        if Limits.cardDigits.contains(count),
            CardIssuers.brand(of: read(count, from: start).number) != nil
        {
            return true
        }
        let behindTag = start + 4
        guard Limits.cardDigits.contains(count - 4), text[start] == 0x35, text[start + 1] == 0x37
        else { return false }
        return CardIssuers.brand(of: read(count - 4, from: behindTag).number) != nil
    }
}
