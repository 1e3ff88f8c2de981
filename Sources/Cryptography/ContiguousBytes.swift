// Generic functions of this module hand their bytes to one function over memory: code that stays
// generic across modules is ten to forty times slower.

extension Collection<UInt8> {
    /// Lends the elements side by side; those that are not are copied once.
    func withContiguousBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        withContiguousStorageIfAvailable(body)
            ?? [UInt8](self).withUnsafeBufferPointer(body)
    }
}

extension StringProtocol {
    /// Lends the text's UTF-8.
    func withUTF8Bytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        var text = String(self)
        return text.withUTF8(body)
    }
}
