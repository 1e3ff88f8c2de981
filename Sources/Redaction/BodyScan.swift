/// A delivery's body: JSON or a form, looked at by the names of its fields and by their values.
///
/// Only the spans that may not stay change; every other byte is as it came. A value under a name
/// that may hold no value becomes `null` (a secret's a word, any in a form nothing), a found span
/// its word. A verified
/// delivery is never turned away for what it holds: its payment would be lost.
struct BodyScan {
    private var scan: Scan
    private let text: UnsafeBufferPointer<UInt8>
    private let place: RedactionBook.Place
    /// True where personal fields by name are taken out, since what is left is kept in clear.
    private let takesPersonal: Bool
    /// The name that leads to each level, outermost first.
    private var names: UnsafeMutableBufferPointer<Range<Int>>
    private var depth = 0

    private init(
        _ text: UnsafeBufferPointer<UInt8>, _ book: RedactionBook, in place: RedactionBook.Place,
        names: UnsafeMutableBufferPointer<Range<Int>>
    ) {
        scan = Scan(text, book, in: place)
        self.text = text
        self.place = place
        takesPersonal = place == .clear
        self.names = names
        names.initialize(repeating: 0..<0)
    }

    /// The spans of a body that may not stay.
    static func spans(
        _ text: UnsafeBufferPointer<UInt8>, _ book: RedactionBook, in place: RedactionBook.Place
    ) -> [RedactionSpan] {
        withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: Limits.namedDepth) { names in
            var body = BodyScan(text, book, in: place, names: names)
            let first = text.first { !$0.isBlank }
            if first == 0x7B || first == 0x5B {
                body.readJSON()
            } else if isForm(text) {
                body.readForm()
            } else {
                body.scan.scan(0..<text.count)
            }
            return body.scan.spans
        }
    }

    /// Names and values joined by `=` and `&`, without anything a form would have encoded.
    private static func isForm(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.contains(0x3D)
            && text.allSatisfy { !$0.isBlank && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E }
    }
}

// MARK: - JSON

extension BodyScan {
    private mutating func readJSON() {
        var index = 0
        while index < text.count {
            switch text[index] {
            case 0x22: index = readString(at: index)
            case 0x7B:
                depth += 1
                setName(0..<0)
                index += 1
            case 0x5B:
                // The elements of an array have its name.
                let name = name(at: depth)
                depth += 1
                setName(name)
                index += 1
            case 0x7D, 0x5D:
                depth = max(0, depth - 1)
                index += 1
            case 0x30...0x39, 0x2D:
                index = isValue(at: index) ? readNumber(at: index) : readBare(at: index)
            case 0x2C, 0x3A, 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: index = readBare(at: index)
            }
        }
    }

    /// True for a number behind which a value ends: groups of digits in a row are no numbers.
    private func isValue(at start: Int) -> Bool {
        var end = start
        while end < text.count, isNumberByte(text[end]) { end += 1 }
        while end < text.count, text[end].isBlank { end += 1 }
        return end == text.count || text[end] == 0x2C || Self.structure.contains(text[end])
    }

    /// Passes over `true`, `false` and `null`; what else stands outside of strings is no JSON, and
    /// is looked at as a text up to where JSON may go on.
    private mutating func readBare(at start: Int) -> Int {
        var end = start
        while end < text.count, text[end].isLetter { end += 1 }
        if Self.literals.contains(where: { $0.elementsEqual(text[start..<end]) }) { return end }
        while end < text.count, !Self.structure.contains(text[end]) { end += 1 }
        let before = scan.spans.count
        scan.scan(start..<end)
        setPaths(since: before)
        return max(end, start + 1)
    }

    private static let literals = ["true", "false", "null"].map { Array($0.utf8) }
    private static let structure = Array("\"{}[]".utf8)

    private func name(at depth: Int) -> Range<Int> {
        (1...Limits.namedDepth).contains(depth) ? names[depth - 1] : 0..<0
    }

    private mutating func setName(_ name: Range<Int>) {
        if (1...Limits.namedDepth).contains(depth) { names[depth - 1] = name }
    }

    /// Reads a name or a value; gives the index behind it.
    private mutating func readString(at quote: Int) -> Int {
        let start = quote + 1
        var end = start
        var hasEscapes = false
        while end < text.count, text[end] != 0x22 {
            if text[end] == 0x5C {
                // Escapes of code units, and of a slash, which secrets in base 64 have.
                let escape = end + 1 < text.count ? text[end + 1] : 0
                hasEscapes = hasEscapes || escape == 0x75 || escape == 0x2F
                end += 1
            }
            end += 1
        }
        end = min(end, text.count)
        var behind = min(end + 1, text.count)
        while behind < text.count, text[behind].isBlank { behind += 1 }
        if behind < text.count, text[behind] == 0x3A {
            setName(start..<end)
            scanValue(start..<end, hasEscapes: hasEscapes, isName: true)
            return behind + 1
        }
        if start < end, let rule = rule() {
            if rule.action != .mask {
                // With its quotes, so that what stands there instead is a value of its own.
                take(quote..<min(end + 1, text.count), rule, "null")
            } else if !text[start..<end].starts(with: RedactionBook.maskStart) {
                take(start..<end, rule, "[secret field]")
            }
        } else {
            scanValue(start..<end, hasEscapes: hasEscapes, isName: false)
        }
        return min(end + 1, text.count)
    }

    private mutating func scanValue(_ range: Range<Int>, hasEscapes: Bool, isName: Bool) {
        guard !range.isEmpty else { return }
        let before = scan.spans.count
        if hasEscapes {
            scanDecoded(range, JSONText.decode, JSONText.encode)
        } else {
            scan.scan(range)
        }
        excuseIdentifier(range, since: before)
        setPaths(since: before)
    }

    /// An identifier may have any digits in it.
    private mutating func excuseIdentifier(_ range: Range<Int>, since count: Int) {
        guard scan.spans.count > count, scan.spans[count...].allSatisfy(\.finding.isAboutDigits),
            IdentifierGrammar.holds(UnsafeBufferPointer(rebasing: text[range]))
        else { return }
        scan.spans.removeSubrange(count...)
    }

    /// Whole numbers are looked at as the digits that they stand for: `4.1e15` is sixteen.
    private mutating func readNumber(at start: Int) -> Int {
        var end = start
        while end < text.count, isNumberByte(text[end]) { end += 1 }
        if let rule = rule() {
            take(start..<end, rule, "null")
        } else if end - start >= 4, let digits = JSONText.wholeDigits(text[start..<end]) {
            let before = scan.spans.count
            digits.withUnsafeBufferPointer { digits in
                var inner = Scan(digits, scan.book, in: place)
                inner.scan(0..<digits.count)
                for span in inner.spans {
                    scan.spans.append(
                        RedactionSpan(
                            range: start..<end, replacement: [0x22] + span.replacement + [0x22],
                            finding: span.finding))
                }
            }
            setPaths(since: before)
        }
        return max(end, start + 1)
    }

    private func isNumberByte(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte | 0x20 == 0x65
    }

    /// What the present name says about its value.
    private func rule() -> RedactionFinding? {
        let name = name(at: depth)
        guard !name.isEmpty, name.count <= Limits.fieldNameBytes else { return nil }
        let own = FieldNames.hash(UnsafeBufferPointer(rebasing: text[name]))
        var entry = FieldNames.entry(hash: own)
        if entry == nil {
            let parent = self.name(at: depth - 1)
            guard !parent.isEmpty, parent.count <= Limits.fieldNameBytes else { return nil }
            let joined = FieldNames.hash(
                UnsafeBufferPointer(rebasing: text[name]),
                after: FieldNames.hash(UnsafeBufferPointer(rebasing: text[parent])))
            entry = FieldNames.entry(hash: joined)
        }
        return entry.flatMap(finding)
    }

    /// Personal fields stay in what is sealed anyway.
    private func finding(_ entry: FieldNames.Entry) -> RedactionFinding? {
        if entry.action == .seal, !takesPersonal { return nil }
        return RedactionFinding(
            entry.rule, "field:" + String(decoding: entry.name, as: UTF8.self),
            action: entry.action, byteCount: 0)
    }

    private mutating func take(
        _ range: Range<Int>, _ finding: RedactionFinding, _ replacement: String
    ) {
        scan.spans.append(
            RedactionSpan(
                range: range, replacement: Array(replacement.utf8),
                finding: RedactionFinding(
                    finding.rule, finding.word, action: finding.action, path: path(),
                    byteCount: range.count)))
    }

    private mutating func setPaths(since count: Int) {
        for index in count..<scan.spans.count { scan.spans[index].finding.path = path() }
    }

    /// Names from the outermost on, joined by dots; each only where it looks like a name.
    private func path() -> String {
        var parts: [String] = []
        for level in 1...max(1, min(depth, Limits.namedDepth)) {
            let name = names[level - 1]
            guard !name.isEmpty, name.count <= Limits.fieldNameBytes,
                level == 1 || name != names[level - 2]
            else { continue }
            let bytes = UnsafeBufferPointer(rebasing: text[name])
            // A name can hold a card number or an address as well as a value can.
            let isPlain =
                bytes.allSatisfy { $0.isWord || $0 == 0x2D || $0 == 0x2E }
                && bytes.count(where: \.isDigit) < 8
            parts.append(isPlain ? String(decoding: bytes, as: UTF8.self) : "*")
        }
        return parts.joined(separator: ".")
    }

    /// Looks at what a range says once it is decoded; all of it is written anew where something
    /// was found.
    private mutating func scanDecoded(
        _ range: Range<Int>, _ decode: (Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8],
        _ encode: ([UInt8]) -> [UInt8]
    ) {
        let decoded = decode(text[range])
        let found = decoded.withUnsafeBufferPointer { scan.book.redact(text: $0, in: place) }
        guard let found else { return }
        for (index, finding) in found.findings.enumerated() {
            // One span carries the text; the others of the same text are counted with it.
            let isFirst = index == 0
            scan.spans.append(
                RedactionSpan(
                    range: isFirst ? range : range.upperBound..<range.upperBound,
                    replacement: isFirst ? encode(found.bytes) : [], finding: finding))
        }
    }
}

// MARK: - Forms

extension BodyScan {
    private mutating func readForm() {
        depth = 1
        for part in text.indices.split(whereSeparator: { text[$0] == 0x26 }) {
            guard let start = part.first, let last = part.last else { continue }
            let pair = start..<(last + 1)
            let equals = pair.first { text[$0] == 0x3D } ?? pair.upperBound
            let name = start..<equals
            let value = min(equals + 1, pair.upperBound)..<pair.upperBound
            setName(name)
            // Without an equals sign the whole stands where a name is due.
            if !name.isEmpty { scanFormValue(name) }
            if !value.isEmpty, let finding = formRule(name) {
                take(value, finding, "")
            } else {
                scanFormValue(value)
            }
        }
    }

    private func formRule(_ name: Range<Int>) -> RedactionFinding? {
        let decoded = PercentText.decode(text[name], plusIsSpace: true)
        return decoded.withUnsafeBufferPointer { FieldNames.entry(path: $0) }.flatMap(finding)
    }

    private mutating func scanFormValue(_ range: Range<Int>) {
        let before = scan.spans.count
        if text[range].contains(where: { $0 == 0x25 || $0 == 0x2B }) {
            scanDecodedForm(range)
        } else {
            scan.scan(range)
        }
        excuseIdentifier(range, since: before)
        for index in before..<scan.spans.count {
            scan.spans[index].finding.path = path()
        }
    }

    /// A value may itself be JSON, as some providers have it.
    private mutating func scanDecodedForm(_ range: Range<Int>) {
        let decoded = PercentText.decode(text[range], plusIsSpace: true)
        let spans = decoded.withUnsafeBufferPointer { BodyScan.innerSpans($0, scan.book, place) }
        guard !spans.isEmpty else { return }
        let bytes = decoded.withUnsafeBufferPointer { spans.applied(to: $0) }
        for (index, span) in spans.enumerated() {
            let isFirst = index == 0
            scan.spans.append(
                RedactionSpan(
                    range: isFirst ? range : range.upperBound..<range.upperBound,
                    replacement: isFirst ? PercentText.encode(bytes) : [], finding: span.finding))
        }
    }

    private static func innerSpans(
        _ text: UnsafeBufferPointer<UInt8>, _ book: RedactionBook, _ place: RedactionBook.Place
    ) -> [RedactionSpan] {
        if text.first == 0x7B || text.first == 0x5B { return spans(text, book, in: place) }
        var scan = Scan(text, book, in: place)
        scan.scan(0..<text.count)
        return scan.spans
    }
}

extension RedactionBook {
    /// A delivery's body; nil when it may stay as it is, byte for byte.
    package func redact(body: UnsafeBufferPointer<UInt8>, in place: Place = .sealed) -> Redacted? {
        let spans = BodyScan.spans(body, self, in: place)
        guard !spans.isEmpty else { return nil }
        return Redacted(bytes: spans.applied(to: body), findings: spans.map(\.finding))
    }
}
