/// The same bytes for the same seed, everywhere (SplitMix64).
struct RandomBytes: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<max(count, 1), using: &self) }

    mutating func bytes(upTo count: Int) -> [UInt8] {
        let length = below(count + 1)
        return (0..<length).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    /// The bytes with one to three of them changed, dropped or doubled.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(3) where !bytes.isEmpty {
            let place = below(bytes.count)
            switch below(3) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.remove(at: place)
            default: bytes.insert(bytes[place], at: place)
            }
        }
        return bytes
    }
}
