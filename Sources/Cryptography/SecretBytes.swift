/// Bytes of a key, in one place that is overwritten at the end.
///
/// The place stays out of the swap and out of core dumps where the system allows it. An array was
/// refused: it copies itself when it is changed, and leaves what it had in memory.
package final class SecretBytes: @unchecked Sendable {
    private let storage: UnsafeMutableRawBufferPointer

    package init(_ bytes: [UInt8]) {
        storage = SecretMemory.take(bytes.count)
        storage.copyBytes(from: bytes)
    }

    /// New random bytes, which have never been anywhere else.
    package init(randomCount count: Int) {
        storage = SecretMemory.take(count)
        SecureRandom.fill(storage)
    }

    deinit { SecretMemory.giveBack(storage) }

    /// How many there are.
    package var count: Int { storage.count }

    package func withUnsafeBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        body(UnsafeBufferPointer(storage.assumingMemoryBound(to: UInt8.self)))
    }
}
