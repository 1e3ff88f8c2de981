#if canImport(CryptoKit) && !os(macOS)
    /// Reads as much of DER as lies around an RSA key.
    ///
    /// The Security framework takes the inner structure of PKCS #1 and not what other tools write
    /// around it. Source: X.690 §8.1, RFC 5280 §4.1, RFC 5208.
    struct DERReader {
        private static let integer: UInt8 = 0x02
        private static let bitString: UInt8 = 0x03
        private static let octetString: UInt8 = 0x04
        private static let objectIdentifier: UInt8 = 0x06
        private static let sequence: UInt8 = 0x30
        /// The object identifier 1.2.840.113549.1.1.1.
        private static let rsaEncryption: [UInt8] = [
            0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01,
        ]

        private var rest: ArraySlice<UInt8>

        private init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        /// The content of the next value; nil when it has another tag or is cut off.
        private mutating func next(_ tag: UInt8) -> ArraySlice<UInt8>? {
            guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
            var count = Int(first)
            if first >= 0x80 {
                let bytes = Int(first & 0x7F)
                guard (1...3).contains(bytes), rest.count >= bytes else { return nil }
                count = rest.prefix(bytes).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(bytes)
            }
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        /// The PKCS #1 key in a SubjectPublicKeyInfo.
        ///
        /// Throws `MALFORMED_KEY`, and `UNSUPPORTED_KEY` for another algorithm's.
        static func publicKey(of der: [UInt8]) throws(CryptographyError) -> [UInt8] {
            var outer = DERReader(der[...])
            guard let content = outer.next(sequence), outer.rest.isEmpty else {
                throw .malformedKey("public key")
            }
            var fields = DERReader(content)
            guard let algorithm = fields.next(sequence), let bits = fields.next(bitString),
                // A whole number of bytes.
                bits.first == 0
            else { throw .malformedKey("public key") }
            var words = DERReader(algorithm)
            guard words.next(objectIdentifier)?.elementsEqual(rsaEncryption) == true else {
                throw .unsupportedKey
            }
            return Array(bits.dropFirst())
        }

        /// The PKCS #1 key in a PKCS #8 structure; nil when it is none.
        static func privateKey(of der: [UInt8]) -> [UInt8]? {
            var outer = DERReader(der[...])
            guard let content = outer.next(sequence) else { return nil }
            var fields = DERReader(content)
            guard fields.next(integer) != nil, fields.next(sequence) != nil else { return nil }
            return fields.next(octetString).map { Array($0) }
        }
    }
#endif
