/// Bytes of a key, in one place that is overwritten at the end.
///
/// An array was refused: it copies itself when it is changed, and leaves what it had in memory.
package final class SecretBytes: @unchecked Sendable {
    private let storage: UnsafeMutableRawBufferPointer

    package init(_ bytes: [UInt8]) {
        storage = .allocate(byteCount: bytes.count, alignment: 1)
        storage.copyBytes(from: bytes)
    }

    deinit {
        Memory.wipe(storage)
        storage.deallocate()
    }

    package func withUnsafeBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        body(UnsafeBufferPointer(storage.assumingMemoryBound(to: UInt8.self)))
    }
}
