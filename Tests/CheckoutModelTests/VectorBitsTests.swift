import Testing

@testable import CheckoutModel

@Suite("One bit of each byte")
struct VectorBitsTests {
    @Test(
        "Both ways of gathering bits give each byte's, in order",
        arguments: 1...64 as ClosedRange<UInt64>)
    func bits(seed: UInt64) {
        let expected = seed &* 0x9E37_79B9_7F4A_7C15 ^ seed << 32 ^ seed
        let blocks = (0..<4).map { block in
            var bytes = SIMD16<UInt8>()
            for index in 0..<16 where expected >> UInt64(16 * block + index) & 1 == 1 {
                bytes[index] = 255
            }
            return bytes
        }
        #expect(URLScanner.bits(blocks[0], blocks[1], blocks[2], blocks[3]) == expected)
        #expect(URLScanner.gathered(blocks[0], blocks[1], blocks[2], blocks[3]) == expected)
    }
}
