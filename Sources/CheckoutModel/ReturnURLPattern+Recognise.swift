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
        guard let base = bytes.baseAddress else { return nil }
        let text = URLScanner(bytes: base, count: bytes.count)
        guard let parts = try? text.split(), firstDifference(from: parts, in: base) == nil else {
            return nil
        }
        let quick = withUnsafeTemporaryAllocation(of: RawPair.self, capacity: 24) { scratch in
            scratch.baseAddress.flatMap { pairs -> CheckoutStatus? in
                var parts = parts
                let found = text.pairs(of: &parts, into: pairs, capacity: 24)
                guard found <= 24 else { return nil }
                return quickStatus(
                    UnsafeBufferPointer(start: pairs, count: found), text, vocabulary)
            }
        }
        if let quick { return quick }
        return (try? ReturnURL(parsing: bytes)).map { vocabulary.read($0).status }
    }

    /// Nil when an escape stands where it decides.
    @inline(__always)
    private func quickStatus(
        _ pairs: UnsafeBufferPointer<RawPair>, _ text: URLScanner, _ vocabulary: ReturnVocabulary
    ) -> CheckoutStatus? {
        var tally = ReturnTally()
        for index in 0..<pairs.count {
            let pair = pairs[index]
            guard !pair.hasEscapedName else { return nil }
            let name = Int(pair.start)..<Int(pair.nameEnd)
            guard let role = vocabulary.role(of: name, in: text), role.isDeciding else { continue }
            guard !pair.hasEscapedValue else { return nil }
            tally.take(index, as: role, value: pair.value, in: text) { pairs[$0].value }
        }
        return tally.status(vocabulary, in: text) { pairs[$0].value }
    }
}
