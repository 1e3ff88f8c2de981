/// URLs: user-info and fragment are taken out, the query is cut down to the names that are known,
/// and path and values are decoded once and looked at.
struct URLRedaction {
    /// Query names whose values stay in clear; they say how a checkout ended and name it.
    private static let allowed: [[UInt8]] = [
        "status", "payment_id", "subscription_id",
    ].map { Array($0.utf8) }

    private let book: RedactionBook
    private let place: RedactionBook.Place
    private let text: UnsafeBufferPointer<UInt8>
    private var result: [UInt8] = []
    private var findings: [RedactionFinding] = []

    /// A URL as it may be kept; nil when it may stay as it is.
    static func redact(
        _ text: UnsafeBufferPointer<UInt8>, _ book: RedactionBook, in place: RedactionBook.Place
    ) -> Redacted? {
        if place == .sealed, isClean(text, book) { return nil }
        var url = URLRedaction(book: book, place: place, text: text)
        url.read()
        return url.findings.isEmpty ? nil : Redacted(bytes: url.result, findings: url.findings)
    }

    /// True for a URL that may stay as it is in a sealed place: the same questions, without a copy.
    static func isClean(_ text: UnsafeBufferPointer<UInt8>, _ book: RedactionBook) -> Bool {
        guard book.isClean(text: text, in: .sealed) else { return false }
        var start = 0
        var isName = false
        for index in 0...text.count {
            let byte = index < text.count ? text[index] : 0x26
            let isEnd = byte == 0x26 || byte == 0x3F || byte == 0x23 || byte == 0x2F
            guard isEnd || (byte == 0x3D && isName) else { continue }
            let part = start..<index
            let isFound = PercentText.withDecoded(text[part]) { part in
                isName && !book.isPlain(field: part) || !book.isClean(text: part, in: .sealed)
            }
            if isFound { return false }
            isName = byte == 0x26 || byte == 0x3F
            start = index + 1
        }
        return true
    }

    private init(
        book: RedactionBook, place: RedactionBook.Place, text: UnsafeBufferPointer<UInt8>
    ) {
        self.book = book
        self.place = place
        self.text = text
    }

    private mutating func read() {
        let fragment = text.firstIndex(of: 0x23) ?? text.endIndex
        let query = text[..<fragment].firstIndex(of: 0x3F) ?? fragment
        readPath(0..<query)
        if query < fragment { readQuery((query + 1)..<fragment) }
        guard fragment < text.endIndex else { return }
        if place == .sealed {
            // Some apps route by it; what may not stay in it gives way.
            result.append(0x23)
            add(value: (fragment + 1)..<text.endIndex, path: "fragment")
        } else {
            note(RedactionFinding(.urlPart, "fragment", byteCount: text.count - fragment))
        }
    }

    private mutating func readPath(_ range: Range<Int>) {
        var start = range.lowerBound
        let head = text[range]
        if let colon = head.firstIndex(of: 0x3A), colon + 2 < range.upperBound,
            text[colon + 1] == 0x2F, text[colon + 2] == 0x2F
        {
            let authority = colon + 3
            let path = text[authority..<range.upperBound].firstIndex(of: 0x2F) ?? range.upperBound
            if colon > 0 { add(value: range.lowerBound..<colon, path: "scheme") }
            result += text[colon..<authority]
            var host = authority
            if let at = text[authority..<path].lastIndex(of: 0x40) {
                note(RedactionFinding(.credential, "secret:userinfo", byteCount: at - authority))
                host = at + 1
            }
            if host < path { add(value: host..<path, path: "host") }
            start = path
        }
        // Each segment by itself: an escaped slash is no end of one.
        var segment = start
        for index in start...range.upperBound
        where index == range.upperBound || text[index] == 0x2F {
            if segment < index { add(value: segment..<index, path: "path") }
            if index < range.upperBound { result.append(0x2F) }
            segment = index + 1
        }
    }

    private mutating func readQuery(_ range: Range<Int>) {
        var joint: UInt8 = 0x3F
        for part in range.split(whereSeparator: { text[$0] == 0x26 }) {
            guard let start = part.first, let last = part.last else { continue }
            let pair = start..<(last + 1)
            let equals = pair.first { text[$0] == 0x3D } ?? pair.upperBound
            let name = PercentText.decode(text[start..<equals], plusIsSpace: true)
            let value = min(equals + 1, pair.upperBound)..<pair.upperBound
            guard keeps(name, value) else { continue }
            result.append(joint)
            joint = 0x26
            // A card number can stand where a name is due.
            if start < equals { add(value: start..<equals, path: "query") }
            result += text[equals..<value.lowerBound]
            if !value.isEmpty { add(value: value, path: "query") }
        }
    }

    /// Notes what a name says, and is false where the pair may not stay.
    private mutating func keeps(_ name: [UInt8], _ value: Range<Int>) -> Bool {
        let byName = name.withUnsafeBufferPointer {
            book.finding(field: $0, byteCount: value.count)
        }
        if let byName, byName.action != .seal {
            if !value.isEmpty { note(byName) }
            return value.isEmpty
        }
        if place == .sealed || Self.allowed.contains(name) { return true }
        let isPlain = name.count <= Limits.fieldNameBytes && name.allSatisfy(\.isWord)
        let word = isPlain ? String(decoding: name, as: UTF8.self) : "*"
        note(RedactionFinding(.urlPart, "query:\(word)", byteCount: value.count))
        return false
    }

    /// Adds a value, written anew where something in it may not stay.
    private mutating func add(value range: Range<Int>, path: String) {
        let isEncoded = text[range].contains { $0 == 0x25 || $0 == 0x2B }
        let decoded = isEncoded ? PercentText.decode(text[range], plusIsSpace: path == "query") : []
        let found =
            isEncoded
            ? decoded.withUnsafeBufferPointer { redact($0) }
            : redact(UnsafeBufferPointer(rebasing: text[range]))
        guard let found else {
            result += text[range]
            return
        }
        result += PercentText.encode(found.bytes)
        for var finding in found.findings {
            finding.path = path
            findings.append(finding)
        }
    }

    private func redact(_ value: UnsafeBufferPointer<UInt8>) -> Redacted? {
        guard let found = book.redact(text: value, in: place) else { return nil }
        let isExcused =
            found.findings.allSatisfy(\.isAboutDigits) && IdentifierGrammar.holds(value)
        return isExcused ? nil : found
    }

    private mutating func note(_ finding: RedactionFinding) { findings.append(finding) }
}

extension RedactionBook {
    /// A URL; nil when it may stay as it is.
    ///
    /// In a sealed place the query keeps names that are not known, but not their cards and secrets.
    package func redact(url: UnsafeBufferPointer<UInt8>, in place: Place) -> Redacted? {
        URLRedaction.redact(url, self, in: place)
    }
}
