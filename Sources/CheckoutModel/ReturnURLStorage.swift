/// Where one parameter stands in its URL's buffer, as written and as decoded.
struct ParameterSpans {
    var raw: RawPair
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    var rawName: Range<Int> { Int(raw.start)..<Int(raw.nameEnd) }
    var rawValue: Range<Int> { Int(raw.valueStart)..<Int(raw.end) }
    /// True when what the escapes decode to may be no UTF-8, so that the text has to be checked.
    var hasForeignName: Bool { raw.escapes & 4 != 0 }
    var hasForeignValue: Bool { raw.escapes & 8 != 0 }
}

/// Everything a return URL says in one allocation: parameter spans, then the text, then what its
/// escapes decode to, then eight zero bytes so that a word can be loaded at any offset.
///
/// One allocation because that costs more than reading the whole URL. Written once in `make`
/// before anyone else sees it and never again, hence the unchecked conformance.
struct ReturnURLStorage: @unchecked Sendable {
    private let buffer: ManagedBuffer<Header, UInt64>

    var readableCount: Int { header.readableCount }

    /// Read through the pointer: `buffer.header` asks the runtime for exclusive access each time.
    var header: Header {
        @inline(__always) get { buffer.withUnsafeMutablePointerToHeader { $0.pointee } }
    }

    struct Header {
        var parts: URLParts
        var textCount: Int
        var parameterCount: Int
        /// Text, decoded bytes and the zeros behind them: what a word may be loaded from.
        var readableCount: Int
    }

    /// Pairs for which the stack has room; more cost a second pass.
    private static let usualPairs = 24
    private static let wordsPerParameter = MemoryLayout<ParameterSpans>.stride / 8

    /// Reads a URL out of borrowed bytes.
    ///
    /// Throws `URLTextError`.
    static func make(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(URLTextError) -> ReturnURLStorage {
        guard let base = bytes.baseAddress else { throw URLTextError(.notAURL) }
        let scanner = URLScanner(bytes: base, count: bytes.count)
        let parts = try scanner.split()
        var room = usualPairs
        while true {
            let (storage, found) = read(scanner, parts, room: room)
            if let storage { return storage }
            guard found <= ModelLimits.urlParameters else {
                throw URLTextError(.tooManyParameters)
            }
            room = found
        }
    }

    /// Nil when there are more pairs than room.
    @inline(__always)
    private static func read(
        _ scanner: URLScanner, _ parts: URLParts, room: Int
    ) -> (ReturnURLStorage?, found: Int) {
        withUnsafeTemporaryAllocation(of: RawPair.self, capacity: room) { scratch in
            guard let pairs = scratch.baseAddress else { return (nil, 0) }
            var parts = parts
            let found = scanner.pairs(of: &parts, into: pairs, capacity: room)
            guard found <= room else { return (nil, found) }
            return (fill(scanner, parts, UnsafeBufferPointer(start: pairs, count: found)), found)
        }
    }

    @inline(__always)
    private static func fill(
        _ scanner: URLScanner, _ parts: URLParts, _ pairs: UnsafeBufferPointer<RawPair>
    ) -> ReturnURLStorage {
        var decodedRoom = 0
        for pair in pairs where pair.escapes != 0 {
            decodedRoom &+= Int(pair.end &- pair.start)
        }
        let byteCount = scanner.count &+ decodedRoom &+ 8
        let words = pairs.count &* wordsPerParameter &+ (byteCount &+ 7) &>> 3
        let buffer = ManagedBuffer<Header, UInt64>.create(minimumCapacity: words) { _ in
            Header(
                parts: parts, textCount: scanner.count, parameterCount: pairs.count,
                readableCount: scanner.count &+ 8)
        }
        buffer.withUnsafeMutablePointers { header, elements in
            let raw = UnsafeMutableRawPointer(elements)
            let spans = raw.bindMemory(to: ParameterSpans.self, capacity: pairs.count)
            let bytes = (raw + pairs.count &* MemoryLayout<ParameterSpans>.stride)
                .bindMemory(to: UInt8.self, capacity: byteCount)
            bytes.initialize(from: scanner.bytes, count: scanner.count)
            var used = scanner.count
            for index in 0..<pairs.count {
                (spans + index).initialize(
                    to: span(of: pairs[index], scanner, bytes, used: &used))
            }
            UnsafeMutableRawPointer(bytes + used).storeBytes(of: 0, as: UInt64.self)
            header.pointee.readableCount = used &+ 8
        }
        return ReturnURLStorage(buffer: buffer)
    }

    @inline(__always)
    private static func span(
        of pair: RawPair, _ scanner: URLScanner, _ bytes: UnsafeMutablePointer<UInt8>,
        used: inout Int
    ) -> ParameterSpans {
        var span = ParameterSpans(
            raw: pair, nameStart: pair.start, nameEnd: pair.nameEnd,
            valueStart: pair.valueStart, valueEnd: pair.end)
        guard pair.escapes != 0 else { return span }
        // A malformed escape leaves the span on the text as written, for this name or value only.
        if pair.hasEscapedName,
            let (count, isASCII) = scanner.decode(
                from: pair.start, to: pair.nameEnd, into: bytes + used)
        {
            if !isASCII { span.raw.escapes |= 4 }
            span.nameStart = UInt32(truncatingIfNeeded: used)
            used &+= count
            span.nameEnd = UInt32(truncatingIfNeeded: used)
        }
        if pair.hasEscapedValue,
            let (count, isASCII) = scanner.decode(
                from: pair.valueStart, to: pair.end, into: bytes + used)
        {
            if !isASCII { span.raw.escapes |= 8 }
            span.valueStart = UInt32(truncatingIfNeeded: used)
            used &+= count
            span.valueEnd = UInt32(truncatingIfNeeded: used)
        }
        return span
    }

    /// Lends the text (with the decoded bytes behind it) and the spans to `body`.
    @inline(__always)
    func withContents<R>(
        _ body: (UnsafePointer<UInt8>, UnsafeBufferPointer<ParameterSpans>) -> R
    ) -> R {
        buffer.withUnsafeMutablePointers { header, elements in
            let count = header.pointee.parameterCount
            let raw = UnsafeRawPointer(elements)
            let spans = raw.assumingMemoryBound(to: ParameterSpans.self)
            let bytes = (raw + count &* MemoryLayout<ParameterSpans>.stride)
                .assumingMemoryBound(to: UInt8.self)
            return body(bytes, UnsafeBufferPointer(start: spans, count: count))
        }
    }

    /// The spans of one parameter; the index is checked.
    func spans(at index: Int) -> ParameterSpans {
        precondition(index >= 0 && index < header.parameterCount, "no such parameter")
        return withContents { _, spans in spans[index] }
    }

    func bytes(_ range: Range<Int>) -> [UInt8] {
        withContents { bytes, _ in
            Array(UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count))
        }
    }

    /// Repairs what is not UTF-8.
    func text(_ range: Range<Int>) -> String {
        withContents { bytes, _ in
            String(
                decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count),
                as: UTF8.self)
        }
    }

    /// Nil when the bytes are not UTF-8.
    func validText(_ range: Range<Int>) -> String? {
        withContents { bytes, _ in
            String(
                validating: UnsafeBufferPointer(
                    start: bytes + range.lowerBound, count: range.count), as: UTF8.self)
        }
    }
}
