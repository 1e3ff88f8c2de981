/// A secret key for HMAC, prepared once and usable from any thread at the same time.
///
/// The key's two starting states are hashed at `init`; each code starts from copies of them, so
/// the key is not hashed again. The key itself is not kept and cannot be read back.
/// Source: RFC 2104.
public struct HMACKey: Sendable {
    private let template: KeyedHash

    /// For HMAC-SHA256.
    ///
    /// Any length is taken, also none: the caller refuses keys that are too short for its use.
    public init(sha256 key: [UInt8]) { template = KeyedHash(.sha256, key: key) }

    /// For HMAC-SHA1, which some providers still sign with and nothing new should.
    public init(sha1 key: [UInt8]) { template = KeyedHash(.sha1, key: key) }

    /// The length of a code in bytes: 32 for SHA-256, 20 for SHA-1.
    public var byteCount: Int { template.algorithm.byteCount }

    /// The code of the parts, read as one message.
    ///
    /// Where one part ends is not part of the message: the caller separates fields itself.
    public func authenticate(_ message: [UnsafeRawBufferPointer]) -> [UInt8] {
        template.authenticate { context in
            for part in message { context.update(part) }
        }
    }

    /// The code of the parts, read as one message.
    public func authenticate(_ message: [UInt8]...) -> [UInt8] { authenticate(message) }

    /// The code of the parts, read as one message.
    public func authenticate(_ message: [[UInt8]]) -> [UInt8] {
        template.authenticate { context in
            for part in message { part.withUnsafeBytes { context.update($0) } }
        }
    }

    /// True when `code` is the code of the message; takes the same time however they differ.
    public func isValid(_ code: [UInt8], for message: [UInt8]...) -> Bool {
        ConstantTime.equal(authenticate(message), code)
    }
}

/// The states of the inner and the outer hash after the padded key.
///
/// Immutable after `init`: codes are made from copies, and the originals are only read.
private final class KeyedHash: @unchecked Sendable {
    let algorithm: HashAlgorithm
    private let inner: HashContext
    private let outer: HashContext

    init(_ algorithm: HashAlgorithm, key: [UInt8]) {
        self.algorithm = algorithm
        var inner = HashContext(algorithm)
        var outer = HashContext(algorithm)
        var block = Self.block(algorithm, key: key)
        for index in block.indices { block[index] ^= 0x36 }
        block.withUnsafeBytes { inner.update($0) }
        for index in block.indices { block[index] ^= 0x36 ^ 0x5c }
        block.withUnsafeBytes { outer.update($0) }
        block.withUnsafeMutableBytes { Memory.wipe($0) }
        self.inner = inner
        self.outer = outer
    }

    /// The key, hashed when it is longer than a block, then padded with zeros to a block.
    private static func block(_ algorithm: HashAlgorithm, key: [UInt8]) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Limits.hashBlockBytes)
        if key.count <= block.count {
            block.replaceSubrange(key.indices, with: key)
            return block
        }
        var context = HashContext(algorithm)
        key.withUnsafeBytes { context.update($0) }
        block.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { context.finish(into: base) }
        }
        return block
    }

    func authenticate(_ feed: (inout HashContext) -> Void) -> [UInt8] {
        var context = HashContext(inner)
        feed(&context)
        return [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            context.finish(into: base)
            context.become(outer)
            context.update(UnsafeRawBufferPointer(start: base, count: algorithm.byteCount))
            context.finish(into: base)
            count = algorithm.byteCount
        }
    }
}
