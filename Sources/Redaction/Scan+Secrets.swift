// Secrets by their form (R8), credentials (R9) and security codes (R4): what begins with a word.

extension Scan {
    /// Looks at a word whose first two letters some rule's word has.
    mutating func word(at start: Int) -> Int? {
        if let end = secret(at: start) { return end }
        switch text[start].lower {
        case 0x62: return authorization(at: start)  // bearer, basic
        case 0x61, 0x70, 0x72, 0x73, 0x63:  // access_token …, password …, refresh_token, secret
            if let end = assignment(at: start) { return end }
            return securityCode(at: start)
        default: return nil
        }
    }

    private mutating func secret(at start: Int) -> Int? {
        for form in book.forms where form.start[0] == text[start] {
            guard holdsExactly(form.start, at: start) else { continue }
            let behind = start + form.start.count
            var end = behind
            while end < limit, form.tail.contains(text[end]) { end += 1 }
            guard end - behind >= form.atLeast, !form.isExact || end - behind == form.atLeast,
                form.dots == 0 || text[behind..<end].count(where: { $0 == 0x2E }) == form.dots,
                end == limit || !text[end].isWord
            else { continue }
            return take(start, end, .secretForm, "secret:\(form.kind)", "[secret \(form.kind)]")
        }
        return nil
    }

    /// `…_…_secret_…`, with which a payment page may be changed; the index is that of a `_`.
    mutating func clientSecret(at index: Int) -> Int? {
        guard holdsExactly(RedactionBook.secretInfix, at: index) else { return nil }
        var start = index
        while start > floor, text[start - 1].isWord { start -= 1 }
        let behind = index + RedactionBook.secretInfix.count
        var end = behind
        while end < limit, text[end].isLetterOrDigit { end += 1 }
        guard end - behind >= 16, text[start..<index].contains(0x5F) else { return nil }
        return take(start, end, .secretForm, "secret:client-secret", "[secret client-secret]")
    }

    /// A private key in PEM, up to its last line or else the end.
    mutating func privateKey(at start: Int) -> Int? {
        guard holdsExactly(RedactionBook.pemBegin, at: start) else { return nil }
        let header = start + RedactionBook.pemBegin.count
        guard let dashes = find(RedactionBook.pemDashes, from: header, to: header + 48),
            find(RedactionBook.pemPrivate, from: header - 1, to: dashes) != nil
        else { return nil }
        var end = limit
        if let last = find(RedactionBook.pemEnd, from: dashes, to: limit),
            let closing = find(
                RedactionBook.pemDashes, from: last + RedactionBook.pemEnd.count, to: limit)
        {
            end = closing + RedactionBook.pemDashes.count
        }
        return take(start, end, .secretForm, "secret:pem", "[secret pem]")
    }

    private func find(_ part: [UInt8], from start: Int, to end: Int) -> Int? {
        let last = min(end, limit) - part.count
        guard start <= last else { return nil }
        return (start...last).first { holdsExactly(part, at: $0) }
    }

    /// `Bearer …` and `Basic …`.
    private mutating func authorization(at start: Int) -> Int? {
        let isBearer = holds(RedactionBook.bearer, at: start)
        guard isBearer || holds(RedactionBook.basic, at: start) else { return nil }
        let behind = start + (isBearer ? RedactionBook.bearer.count : RedactionBook.basic.count)
        var end = behind
        while end < limit, SecretForm.Tail.token.contains(text[end]) { end += 1 }
        let token = UnsafeBufferPointer(rebasing: text[behind..<end])
        let isCredential =
            isBearer
            ? token.count >= 16 && token.contains { $0.isDigit || $0.isUpper }
            : Self.holdsPair(token)
        guard isCredential else { return nil }
        let kind = isBearer ? "bearer" : "basic"
        return take(start, end, .credential, "secret:\(kind)", "[secret \(kind)]")
    }

    /// True for base 64 of a text with a colon in it, which is what Basic sends.
    private static func holdsPair(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        guard token.count >= 8, token.count.isMultiple(of: 4) else { return false }
        var held: UInt32 = 0
        var count: UInt32 = 0
        var hasColon = false
        for (index, byte) in token.enumerated() {
            guard let value = base64Value(byte) else {
                return byte == 0x3D && index >= token.count - 2 && hasColon
            }
            held = held << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            if UInt8(truncatingIfNeeded: held >> count) == 0x3A { hasColon = true }
        }
        return hasColon
    }

    private static func base64Value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }

    /// `password=…`, `"api_key": "…"` and the like.
    ///
    /// Behind `=` anything counts; behind `:` only what is no plain word, so that a sentence such
    /// as "password: reset by mail" stays.
    private mutating func assignment(at start: Int) -> Int? {
        guard
            let word = SecretForm.assigned.last(where: { word in
                holds(word, at: start)
                    && (start + word.count == limit || !text[start + word.count].isWord)
            })
        else { return nil }
        var index = start + word.count
        var isQuoted = false
        while index < limit, text[index] == 0x22 || text[index] == 0x27 || text[index] == 0x5C {
            isQuoted = true
            index += 1
        }
        while index < limit, text[index] == 0x20 { index += 1 }
        guard index < limit, text[index] == 0x3D || text[index] == 0x3A else { return nil }
        let isEqual = text[index] == 0x3D
        index += 1
        while index < limit, text[index] == 0x20 { index += 1 }
        while index < limit, text[index] == 0x22 || text[index] == 0x27 || text[index] == 0x5C {
            isQuoted = true
            index += 1
        }
        let value = index
        while index < limit, !text[index].isBlank, !"\"'&,;\\<>)}]".utf8.contains(text[index]) {
            index += 1
        }
        guard index - value >= 4, text[value] != 0x5B else { return nil }
        let isPlainWord = text[value..<index].allSatisfy { $0.isLetter || $0 == 0x2E }
        guard isEqual || isQuoted || !isPlainWord else { return nil }
        return take(
            isQuoted ? value : start, index, .credential, "secret:assignment",
            "[secret assignment]")
    }

    /// `cvv: 123`, `the security code is 999`: the digits alone give way.
    private mutating func securityCode(at start: Int) -> Int? {
        guard
            let word = SecretForm.codeWords.last(where: { word in
                holds(word, at: start)
                    && (start + word.count == limit || !text[start + word.count].isWord)
            })
        else { return nil }
        var index = start + word.count
        let last = min(limit, index + Limits.codeGap)
        while index < last {
            if " :=#\"'\\-".utf8.contains(text[index]) {
                index += 1
            } else if let word = RedactionBook.codeFillers.first(where: { holds($0, at: index) }) {
                index += word.count
            } else {
                break
            }
        }
        let code = index
        var count = 0
        while let digit = digit(at: index), count < 5 {
            count += 1
            index = digit.next
        }
        guard count == 3 || count == 4, index == limit || !text[index].isLetterOrDigit else {
            return nil
        }
        return take(code, index, .securityCode, "cvv", "[cvv]")
    }
}
