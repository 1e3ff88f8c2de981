/// HMAC-SHA-256 once more, slowly and from the standard.
///
/// It shares no code with the product, which must believe what this signs.
/// Source: FIPS 180-4, RFC 2104, RFC 4648.
enum SigningOracle {
    static func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        let block = (key.count > 64 ? sha256(key) : key)
        let padded = block + [UInt8](repeating: 0, count: 64 - block.count)
        return sha256(padded.map { $0 ^ 0x5C } + sha256(padded.map { $0 ^ 0x36 } + message))
    }

    static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                let letter = letters[Int(bits >> (18 - 6 * index) & 63)]
                text.append(index <= group.count ? letter : "=")
            }
        }
        return text
    }

    static func hex(_ bytes: [UInt8]) -> String {
        let letters = Array("0123456789abcdef")
        return String(bytes.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] })
    }

    static func sha256(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(message.count) * 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        var state = initial
        for start in stride(from: 0, to: padded.count, by: 64) {
            compress(padded[start..<start + 64], into: &state)
        }
        return state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word >> count | word << (32 - count)
        }
        var words = [UInt32](repeating: 0, count: 64)
        for (index, byte) in block.enumerated() {
            words[index >> 2] = words[index >> 2] << 8 | UInt32(byte)
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = turn(early, 7) ^ turn(early, 18) ^ early >> 3
            let second = turn(late, 17) ^ turn(late, 19) ^ late >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let mix = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
            let first = h &+ mix &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
            let sum = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
            let second = sum &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    /// The first 32 bits of the fractional parts of the square roots of the first primes.
    private static let initial = primes.prefix(8).map { fraction(of: $0, root: 2) }
    /// The same of the cube roots.
    private static let constants = primes.map { fraction(of: $0, root: 3) }

    private static let primes: [UInt64] = (2...311).filter { number in
        (2..<number).allSatisfy { number % $0 != 0 }
    }

    /// The largest integer whose power does not exceed `number`·2³²ʳ, without its upper part.
    private static func fraction(of number: UInt64, root: Int) -> UInt32 {
        var (low, high): (UInt128, UInt128) = (0, 1 << 37)
        while high - low > 1 {
            let middle = (low + high) / 2
            let power = root == 2 ? middle * middle : middle * middle * middle
            if power <= UInt128(number) << UInt128(32 * root) {
                low = middle
            } else {
                high = middle
            }
        }
        return UInt32(truncatingIfNeeded: low)
    }
}
