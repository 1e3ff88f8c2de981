import Cryptography

extension Nonce {
    /// The bytes as lower-case hexadecimal.
    public var hex: String { Hex.encode(bytes) }
}
