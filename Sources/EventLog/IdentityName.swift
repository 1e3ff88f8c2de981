/// An identity's key as a name in tables of the memory, with its hash.
///
/// An array hashes itself a byte at a time, which takes longer than asking LMDB; and one name is
/// looked for in several tables.
@usableFromInline
struct IdentityName: Hashable, Sendable {
    @usableFromInline let key: [UInt8]
    @usableFromInline let code: UInt64

    @usableFromInline
    init(_ key: [UInt8]) {
        self.key = key
        code = Self.code(of: key)
    }

    @usableFromInline
    static func == (left: IdentityName, right: IdentityName) -> Bool {
        left.code == right.code && left.key == right.key
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Differs from run to run: ids come from outside, and must not be chosen to fall together.
    private static let seed = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

    /// Eight bytes at a time, each product's halves folded together.
    private static func code(of key: [UInt8]) -> UInt64 {
        let seed = seed
        var code = seed.0 ^ UInt64(truncatingIfNeeded: key.count)
        func mix(_ word: UInt64) {
            let product = (code ^ word).multipliedFullWidth(by: seed.1 | 1)
            code = product.high ^ product.low &+ 0x9E37_79B9_7F4A_7C15
        }
        key.withUnsafeBytes { bytes in
            var offset = 0
            while bytes.count - offset >= 8 {
                mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < bytes.count {
                rest = rest << 8 | UInt64(bytes[offset])
                offset += 1
            }
            mix(rest)
        }
        return code
    }
}

/// A key that several streams share, and one of them.
@usableFromInline
struct IdentityShare: Hashable {
    @usableFromInline let name: IdentityName
    @usableFromInline let stream: UInt64

    @usableFromInline
    init(_ key: [UInt8], _ stream: UInt64) {
        name = IdentityName(key)
        self.stream = stream
    }

    /// The hash of both.
    @usableFromInline var code: UInt64 { name.code ^ stream &* 0xBF58_476D_1CE4_E5B9 }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
