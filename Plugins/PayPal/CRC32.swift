/// The checksum by which PayPal's signature covers a body.
///
/// The polynomial of zlib and PNG (ISO 3309), reflected. It is no hash: two bodies of one checksum
/// share a signature. That is the provider's choice.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { value, byte in
            table[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8
        }
    }
}
