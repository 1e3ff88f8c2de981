/// Everything a return URL says in one allocation: parameter spans, then the text, then what its
/// escapes decode to, then zeros so that a word can be loaded at any offset.
///
/// One allocation because that costs more than reading the whole URL. Written once in `make`
/// before anyone else sees it and never again, hence the unchecked conformance.
struct ReturnURLStorage: @unchecked Sendable {
    private let buffer: ManagedBuffer<Header, UInt64>

    struct Header {
        var parts: URLParts
        /// For how many spans there is room in front of the text.
        var room: Int
        var parameterCount = 0
        var textCount: Int
    }

    /// Read through the pointer: `buffer.header` asks the runtime for exclusive access each time.
    var header: Header {
        @inline(__always) get { buffer.withUnsafeMutablePointerToHeader { $0.pointee } }
    }

    /// Where the path ends, without a copy of the whole header.
    @inline(__always)
    var pathEnd: Int { buffer.withUnsafeMutablePointerToHeader { Int($0.pointee.parts.pathEnd) } }

    /// Spans for which there is room at once; more cost a second pass.
    private static let usualRoom = 8

    /// Reads a URL out of borrowed bytes.
    ///
    /// Throws `URLTextError`.
    @inline(never)
    static func make(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(URLTextError) -> ReturnURLStorage {
        guard let base = bytes.baseAddress else { throw URLTextError(.notAURL) }
        guard bytes.count <= ModelLimits.urlBytes else { throw URLTextError(.tooLong) }
        let scanner = URLScanner(bytes: base, count: bytes.count)
        let storage = ReturnURLStorage(for: scanner, room: usualRoom)
        let found = try storage.fill()
        return found > usualRoom ? try make(scanner, room: found) : storage
    }

    @inline(never)
    private static func make(
        _ scanner: URLScanner, room: Int
    ) throws(URLTextError) -> ReturnURLStorage {
        guard room <= ModelLimits.urlParameters else { throw URLTextError(.tooManyParameters) }
        let storage = ReturnURLStorage(for: scanner, room: room)
        _ = try storage.fill()
        return storage
    }

    /// Makes room for the spans, the text twice (decoding never makes it longer) and the padding,
    /// and copies the text: from here on everything reads the copy.
    @inline(__always)
    private init(for scanner: URLScanner, room: Int) {
        let spans = room &* MemoryLayout<ParameterSpans>.stride
        let size = spans &+ scanner.count &* 2 &+ URLScanner.padding
        buffer = .create(minimumCapacity: (size &+ 7) &>> 3) { _ in
            Header(parts: URLParts(), room: room, textCount: scanner.count)
        }
        buffer.withUnsafeMutablePointerToElements { elements in
            let text = UnsafeMutableRawPointer(elements) + spans
            text.copyMemory(from: scanner.bytes, byteCount: scanner.count)
            for offset in 0..<URLScanner.padding / 8 {
                text.storeBytes(
                    of: 0, toByteOffset: scanner.count &+ offset &* 8, as: UInt64.self)
            }
        }
    }

    /// Writes everything; returns how many parameters there are, which may be more than the room.
    @inline(__always)
    private func fill() throws(URLTextError) -> Int {
        try buffer.withUnsafeMutablePointers { header, elements throws(URLTextError) in
            let room = header.pointee.room
            let count = header.pointee.textCount
            let raw = UnsafeMutableRawPointer(elements)
            let spans = raw.bindMemory(to: ParameterSpans.self, capacity: room)
            let bytes = (raw + room &* MemoryLayout<ParameterSpans>.stride)
                .bindMemory(to: UInt8.self, capacity: count &* 2 &+ URLScanner.padding)
            let scanner = URLScanner(bytes: bytes, count: count)
            let parts = try scanner.splitPadded()
            header.pointee.parts = parts
            guard parts.hasQuery else { return 0 }
            let (found, queryEnd) = scanner.pairs(
                from: Int(parts.pathEnd) &+ 1, into: spans, capacity: room)
            header.pointee.parts.queryEnd = UInt32(truncatingIfNeeded: queryEnd)
            guard found <= room else { return found }
            var used = count
            for index in 0..<found where spans[index].escapes != 0 {
                Self.decode(&spans[index], scanner, bytes, used: &used)
            }
            UnsafeMutableRawPointer(bytes + used).storeBytes(of: 0, as: UInt64.self)
            header.pointee.parameterCount = found
            return found
        }
    }

    /// A malformed escape leaves the span on the text as written, for that name or value only.
    @inline(__always)
    private static func decode(
        _ span: inout ParameterSpans, _ scanner: URLScanner, _ bytes: UnsafeMutablePointer<UInt8>,
        used: inout Int
    ) {
        if span.hasEscapedName,
            let (count, isASCII) = scanner.decode(
                from: span.rawStart, to: span.rawNameEnd, into: bytes + used)
        {
            if !isASCII { span.escapes |= 4 }
            span.nameStart = UInt32(truncatingIfNeeded: used)
            used &+= count
            span.nameEnd = UInt32(truncatingIfNeeded: used)
        }
        if span.hasEscapedValue,
            let (count, isASCII) = scanner.decode(
                from: span.rawValueStart, to: span.rawEnd, into: bytes + used)
        {
            if !isASCII { span.escapes |= 8 }
            span.valueStart = UInt32(truncatingIfNeeded: used)
            used &+= count
            span.valueEnd = UInt32(truncatingIfNeeded: used)
        }
    }

    /// Lends the text, with the decoded bytes behind it, and the spans to `body`.
    @inline(__always)
    func withContents<R>(
        _ body: (URLScanner, UnsafeBufferPointer<ParameterSpans>) -> R
    ) -> R {
        buffer.withUnsafeMutablePointers { header, elements in
            let raw = UnsafeRawPointer(elements)
            let spans = raw.assumingMemoryBound(to: ParameterSpans.self)
            let bytes = (raw + header.pointee.room &* MemoryLayout<ParameterSpans>.stride)
                .assumingMemoryBound(to: UInt8.self)
            return body(
                URLScanner(bytes: bytes, count: header.pointee.textCount),
                UnsafeBufferPointer(start: spans, count: header.pointee.parameterCount))
        }
    }

    /// Lends the text alone.
    @inline(__always)
    func withText<R>(_ body: (URLScanner) -> R) -> R { withContents { text, _ in body(text) } }

    /// The spans of one parameter; the index is checked.
    func spans(at index: Int) -> ParameterSpans {
        precondition(index >= 0 && index < header.parameterCount, "no such parameter")
        return withContents { _, spans in spans[index] }
    }

    func bytes(_ range: Range<Int>) -> [UInt8] {
        withText { text in Array(text.slice(range)) }
    }

    /// Repairs what is not UTF-8.
    func text(_ range: Range<Int>) -> String {
        withText { text in text.string(range) }
    }

    /// Nil when the bytes are not UTF-8.
    func validText(_ range: Range<Int>) -> String? {
        withText { text in String(validating: text.slice(range), as: UTF8.self) }
    }
}
