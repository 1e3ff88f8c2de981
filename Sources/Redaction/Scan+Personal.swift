// What points to a person in a text that is kept in clear (R12), and user-info of URLs (R9).

extension Scan {
    /// `name@host.tld`; the index is that of the `@`.
    mutating func email(at index: Int) -> Int? {
        var start = index
        while start > floor, index - start < Limits.emailLocalPart, isLocalPart(text[start - 1]) {
            start -= 1
        }
        while start < index, !text[start].isLetterOrDigit { start += 1 }
        guard start < index else { return nil }
        var end = index + 1
        var dot: Int?
        while end < limit, text[end].isLetterOrDigit || text[end] == 0x2D || text[end] == 0x2E {
            if text[end] == 0x2E {
                // A dot ends a sentence where no further label follows.
                guard end + 1 < limit, text[end + 1].isLetterOrDigit else { break }
                dot = end
            }
            end += 1
        }
        guard let dot, dot > index + 1, end - dot > 2,
            text[(dot + 1)..<end].allSatisfy({ $0.isLetter })
        else { return nil }
        return take(start, end, .personalText, "email", "[email]")
    }

    private func isLocalPart(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "._%+-".utf8.contains(byte) || byte >= 0x80
    }

    /// `//user:password@host`; the index is that of the scheme's colon.
    mutating func userInfo(at index: Int) -> Int? {
        guard index + 2 < limit, text[index + 1] == 0x2F, text[index + 2] == 0x2F else {
            return nil
        }
        let start = index + 3
        var end: Int?
        var cursor = start
        while cursor < limit, cursor - start < Limits.authorityBytes {
            let byte = text[cursor]
            if byte == 0x40 { end = cursor }
            if byte.isBlank || "/?#\"'<>\\".utf8.contains(byte) { break }
            cursor += 1
        }
        guard let end, end > start, text[start] != 0x5B else { return nil }
        return take(start, end, .credential, "secret:userinfo", "[secret userinfo]")
    }

    /// Two letters, two check digits, and what the country has behind them.
    mutating func bankAccount(at start: Int) -> Int? {
        guard start + 4 < limit, text[start + 2].isDigit, text[start + 3].isDigit,
            let (length, form) = BankAccounts.form(text[start], text[start + 1])
        else { return nil }
        var characters: [UInt8] = []
        var index = start
        while characters.count < length, index < limit {
            let byte = text[index]
            if byte.isUpper || byte.isDigit {
                characters.append(byte)
            } else if byte != 0x20 || index == start || text[index - 1] == 0x20 {
                return nil
            }
            index += 1
        }
        guard characters.count == length, index == limit || !text[index].isWord,
            Self.fits(characters.dropFirst(4), form), Self.isMod97(characters)
        else { return nil }
        let country = String(decoding: characters.prefix(2), as: UTF8.self)
        let lastFour = String(decoding: characters.suffix(4), as: UTF8.self)
        return take(start, index, .personalText, "iban", "[iban \(country) ****\(lastFour)]")
    }

    private static func fits(_ account: ArraySlice<UInt8>, _ form: BankAccounts.Form) -> Bool {
        switch form {
        case .digits: account.allSatisfy(\.isDigit)
        case .letters(let count): account.prefix(count).allSatisfy(\.isUpper)
        case .mixed: true
        }
    }

    private static func isMod97(_ characters: [UInt8]) -> Bool {
        var rest: UInt32 = 0
        for byte in characters.dropFirst(4) + characters.prefix(4) {
            rest =
                byte.isDigit
                ? (rest * 10 + UInt32(byte - 0x30)) % 97
                : (rest * 100 + UInt32(byte - 0x41 + 10)) % 97
        }
        return rest == 1
    }
}
