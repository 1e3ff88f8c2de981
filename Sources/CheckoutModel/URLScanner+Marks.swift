// Sixteen bytes at a time. Vectors are compared with vectors, never with a number: that overload is
// generic, and the compiler makes a loop with a branch for each byte out of it.

#if canImport(CVectorBits) && arch(x86_64)
    private import CVectorBits
#endif

/// Sixteen bytes; in an answer each is 0 or 255.
private typealias Block = SIMD16<UInt8>

extension URLScanner {
    /// One bit for each of 64 bytes, the first in the lowest place: where `=` stands, and where
    /// something in 0x20...0x27, which holds `&`, `%` and `#`.
    ///
    /// Not inlined: the caller's registers are taken, and the constants would be made anew.
    @inline(never)
    func queryMarks(at index: Int) -> (equals: UInt64, others: UInt64) {
        let (first, second) = (block(at: index), block(at: index &+ 16))
        let (third, fourth) = (block(at: index &+ 32), block(at: index &+ 48))
        let equals = Self.bits(
            Self.isEqualsSign(first), Self.isEqualsSign(second), Self.isEqualsSign(third),
            Self.isEqualsSign(fourth))
        let others = Self.bits(
            Self.isMark(first), Self.isMark(second), Self.isMark(third), Self.isMark(fourth))
        return (equals, others)
    }

    /// One bit for each of 64 bytes that is neither letter, digit, hyphen nor dot.
    @inline(never)
    func headMarks(at index: Int) -> UInt64 {
        ~Self.bits(
            Self.isPlain(block(at: index)), Self.isPlain(block(at: index &+ 16)),
            Self.isPlain(block(at: index &+ 32)), Self.isPlain(block(at: index &+ 48)))
    }

    @inline(__always)
    private static func isEqualsSign(_ block: Block) -> Block {
        bytes(block .== Block(repeating: 0x3D))
    }

    @inline(__always)
    private static func isMark(_ block: Block) -> Block {
        bytes((block & Block(repeating: 0xF8)) .== Block(repeating: 0x20))
    }

    /// One comparison each, because the last of a range is moved to 127, the largest with a sign.
    @inline(__always)
    private static func isPlain(_ block: Block) -> Block {
        let letter = (block | Block(repeating: 0x20)) &+ Block(repeating: 127 - 0x7A)
        // From the hyphen to the nine, and the slash among them.
        let digit = block &+ Block(repeating: 127 - 0x39)
        return (isAbove(127 - 26, letter) | isAbove(127 - 13, digit))
            & ~bytes(block .== Block(repeating: 0x2F))
    }

    @inline(__always)
    private static func isAbove(_ limit: Int8, _ block: Block) -> Block {
        bytes(unsafeBitCast(block, to: SIMD16<Int8>.self) .> SIMD16(repeating: limit))
    }

    @inline(__always)
    private func block(at index: Int) -> Block {
        UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: index, as: Block.self)
    }

    /// Gathers one bit of each byte, the first block's in the lowest places.
    @inline(__always)
    static func bits(
        _ first: SIMD16<UInt8>, _ second: SIMD16<UInt8>, _ third: SIMD16<UInt8>,
        _ fourth: SIMD16<UInt8>
    ) -> UInt64 {
        #if canImport(CVectorBits) && arch(x86_64)
            return UInt64(vector_top_bits(first)) | UInt64(vector_top_bits(second)) &<< 16
                | UInt64(vector_top_bits(third)) &<< 32 | UInt64(vector_top_bits(fourth)) &<< 48
        #else
            return gathered(first, second, third, fourth)
        #endif
    }

    /// The same where no instruction does it: every block keeps two bits of its own, one a half, so
    /// that all of them fit in eight bytes, which then stand across.
    @inline(__always)
    static func gathered(
        _ first: SIMD16<UInt8>, _ second: SIMD16<UInt8>, _ third: SIMD16<UInt8>,
        _ fourth: SIMD16<UInt8>
    ) -> UInt64 {
        let all =
            first & places(1, 2) | second & places(4, 8) | third & places(16, 32)
            | fourth & places(64, 128)
        let halves = unsafeBitCast(all, to: SIMD2<UInt64>.self)
        return transposed(halves[0] | halves[1])
    }

    @inline(__always)
    private static func places(_ low: UInt8, _ high: UInt8) -> Block {
        Block(lowHalf: SIMD8(repeating: low), highHalf: SIMD8(repeating: high))
    }

    @inline(__always)
    private static func bytes(_ mask: SIMDMask<SIMD16<Int8>>) -> Block {
        unsafeBitCast(mask, to: Block.self)
    }

    /// Eight rows of eight bits, mirrored at the diagonal: bit i of byte j comes from bit j of
    /// byte i.
    @inline(__always)
    private static func transposed(_ square: UInt64) -> UInt64 {
        var square = square
        var swapped = (square ^ square &>> 7) & 0x00AA_00AA_00AA_00AA
        square ^= swapped ^ swapped &<< 7
        swapped = (square ^ square &>> 14) & 0x0000_CCCC_0000_CCCC
        square ^= swapped ^ swapped &<< 14
        swapped = (square ^ square &>> 28) & 0x0000_0000_F0F0_F0F0
        return square ^ swapped ^ swapped &<< 28
    }
}
