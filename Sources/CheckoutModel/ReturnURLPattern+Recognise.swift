extension ReturnURLPattern {
    /// The status an incoming URL tells, or nil when it is not the registered one or no URL at all.
    ///
    /// The same answer as `match` and then `ReturnVocabulary.read`, without keeping anything: for
    /// an app that must say at once whether it handles a URL. Allocates nothing unless a deciding
    /// parameter is percent-encoded.
    public func recognise(
        _ text: String, with vocabulary: ReturnVocabulary
    ) -> CheckoutStatus? {
        let answer = text.utf8.withContiguousStorageIfAvailable {
            recognise(bytes: $0, with: vocabulary)
        }
        return answer
            ?? Array(text.utf8).withUnsafeBufferPointer { recognise(bytes: $0, with: vocabulary) }
    }

    package func recognise(
        bytes: UnsafeBufferPointer<UInt8>, with vocabulary: ReturnVocabulary
    ) -> CheckoutStatus? {
        let limit = Self.quickBytes
        guard let base = bytes.baseAddress, bytes.count <= limit else {
            return recognise(whole: bytes, with: vocabulary)
        }
        let spans = Self.quickPairs * MemoryLayout<ParameterSpans>.stride
        return withUnsafeTemporaryAllocation(
            byteCount: spans + limit + URLScanner.padding, alignment: 8
        ) { scratch in
            guard let raw = scratch.baseAddress else { return nil }
            (raw + spans).copyMemory(from: base, byteCount: bytes.count)
            (raw + spans + bytes.count).initializeMemory(
                as: UInt8.self, repeating: 0, count: URLScanner.padding)
            let text = URLScanner(
                bytes: (raw + spans).assumingMemoryBound(to: UInt8.self), count: bytes.count)
            guard let parts = try? text.splitPadded(),
                isAsRegistered(text, pathEnd: Int(parts.pathEnd))
                    || firstDifference(from: parts, in: text) == nil
            else { return nil }
            let pairs = raw.bindMemory(to: ParameterSpans.self, capacity: Self.quickPairs)
            let found =
                parts.hasQuery
                ? text.pairs(
                    from: Int(parts.pathEnd) &+ 1, into: pairs, capacity: Self.quickPairs
                ).count : 0
            let quick =
                found > Self.quickPairs
                ? nil
                : quickStatus(UnsafeBufferPointer(start: pairs, count: found), text, vocabulary)
            return quick ?? recognise(whole: bytes, with: vocabulary)
        }
    }

    @inline(never)
    private func recognise(
        whole bytes: UnsafeBufferPointer<UInt8>, with vocabulary: ReturnVocabulary
    ) -> CheckoutStatus? {
        guard let url = try? ReturnURL(parsing: bytes), match(url).isMatch else { return nil }
        return vocabulary.read(url).status
    }

    /// Text for which there is room on the stack.
    private static var quickBytes: Int { 384 }

    /// Parameters for which there is room on the stack.
    private static var quickPairs: Int { 16 }

    /// Nil when an escape stands where it decides.
    @inline(__always)
    private func quickStatus(
        _ pairs: UnsafeBufferPointer<ParameterSpans>, _ text: URLScanner,
        _ vocabulary: ReturnVocabulary
    ) -> CheckoutStatus? {
        var tally = ReturnTally()
        for index in 0..<pairs.count {
            let pair = pairs[index]
            guard !pair.hasEscapedName else { return nil }
            guard let role = vocabulary.role(of: pair.name, in: text), role.isDeciding else {
                continue
            }
            guard !pair.hasEscapedValue else { return nil }
            tally.take(index, as: role, value: pair.value, in: text) { pairs[$0].value }
        }
        return tally.status(vocabulary, in: text) { pairs[$0].value }
    }
}
