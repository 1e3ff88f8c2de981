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

    /// What `fill` writes into memory of at most `capacity` bytes, as many as it says.
    package init<E: Error>(
        capacity: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) {
        let memory = SecretMemory.take(capacity)
        defer { SecretMemory.giveBack(memory) }
        let count = try fill(memory)
        storage = SecretMemory.take(count)
        storage.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }

    deinit { SecretMemory.giveBack(storage) }

    /// How many there are.
    package var count: Int { storage.count }

    package func withUnsafeBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        body(UnsafeBufferPointer(storage.assumingMemoryBound(to: UInt8.self)))
    }
}
