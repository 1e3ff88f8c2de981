// Stand-ins that compute, over libcrypto: Apple documents what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CCrypto
public import Foundation

/// A message being hashed, copied before it is changed when it is shared.
final class Context {
    let pointer: OpaquePointer

    init(_ name: String) {
        pointer = EVP_MD_CTX_new()
        precondition(EVP_DigestInit_ex2(pointer, EVP_get_digestbyname(name), nil) == 1)
    }

    init(copying other: Context) {
        pointer = EVP_MD_CTX_new()
        precondition(EVP_MD_CTX_copy_ex(pointer, other.pointer) == 1)
    }

    deinit { EVP_MD_CTX_free(pointer) }

    func finished(_ count: Int) -> [UInt8] {
        let copy = Context(copying: self)
        var bytes = [UInt8](repeating: 0, count: count)
        withExtendedLifetime(copy) {
            precondition(EVP_DigestFinal_ex(copy.pointer, &bytes, nil) == 1)
        }
        return bytes
    }
}

public struct HashDigest: ContiguousBytes {
    let bytes: [UInt8]

    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}

public struct SHA256 {
    private var context = Context("SHA256")

    public init() {}

    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
        withExtendedLifetime(context) {
            _ = EVP_DigestUpdate(context.pointer, bufferPointer.baseAddress, bufferPointer.count)
        }
    }

    public func finalize() -> HashDigest { HashDigest(bytes: context.finished(32)) }
}

public enum Insecure {
    public struct SHA1 {
        private var context = Context("SHA1")

        public init() {}

        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
            if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
            withExtendedLifetime(context) {
                _ = EVP_DigestUpdate(
                    context.pointer, bufferPointer.baseAddress, bufferPointer.count)
            }
        }

        public func finalize() -> HashDigest { HashDigest(bytes: context.finished(20)) }
    }
}
