import Cryptography

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The key that wraps all others: 32 bytes in a file outside the ledger's directory, so that a
/// copy of the ledger opens nothing.
public struct RootKey: Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    /// Takes 32 bytes; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// A new random key.
    public static func generate() -> RootKey {
        guard let key = RootKey(bytes: SecureRandom.bytes(32)) else {
            preconditionFailure("32 bytes were asked for")
        }
        return key
    }

    /// Names the key without showing it: eight hexadecimal digits.
    public var fingerprint: String {
        String(SHA256.hash(Array("ledger/root-key/v1\u{0}".utf8) + bytes).hex.prefix(8))
    }

    /// The fingerprint only.
    public var description: String { "RootKey(\(fingerprint))" }

    /// Reads a key file: 64 hexadecimal digits and a newline, readable by its owner alone.
    ///
    /// Nil when there is no such file. Throws `MALFORMED_KEY` for other content or wider
    /// permissions, `FILE_FAILED` when it cannot be read.
    public static func read(_ path: String) throws(LedgerError) -> RootKey? {
        guard let content = try Files.readPrivate(path, limit: 256) else { return nil }
        let text = String(decoding: content, as: UTF8.self)
        guard let bytes = Hex.decode(text.filter { $0 != "\n" }), let key = RootKey(bytes: bytes)
        else {
            throw LedgerError(
                .malformedKey, "The file \(path) does not hold a root key.",
                hint: "It must hold 64 hexadecimal digits.")
        }
        return key
    }

    /// Writes a key file, durably, mode 0600, its directories 0700; refuses to replace one.
    public func write(to path: String) throws(LedgerError) {
        try Files.makePrivateDirectory(Files.parent(of: path))
        try Files.writeNew(path, Array((Hex.encode(bytes) + "\n").utf8))
    }

    /// Where the key of a ledger is kept unless told otherwise: the user's state directory, by
    /// ledger id.
    public static func defaultPath(ledgerID: [UInt8], environment: [String: String]) -> String {
        Files.stateDirectory(environment) + "/\(Hex.encode(ledgerID))/root.key"
    }
}
