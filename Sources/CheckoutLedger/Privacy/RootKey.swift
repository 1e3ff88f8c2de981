import Cryptography

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The key that wraps all others: 32 bytes from outside the ledger's directory, so that a copy of
/// the ledger opens nothing.
public struct RootKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let secret: SecretBytes
    private let cipher: AES256GCM

    /// Takes 32 bytes; nil for any other number.
    public init?(bytes: [UInt8]) {
        self.init(SecretBytes(bytes))
    }

    private init?(_ secret: SecretBytes) {
        guard let cipher = AES256GCM(key: secret) else { return nil }
        self.secret = secret
        self.cipher = cipher
    }

    /// A new random key.
    public static func generate() -> RootKey {
        guard let key = RootKey(SecretBytes(randomCount: 32)) else {
            preconditionFailure("32 bytes were asked for")
        }
        return key
    }

    /// Names the key without showing it: eight hexadecimal digits.
    public var fingerprint: String {
        var bytes = Array("ledger/root-key/v1\u{0}".utf8)
        bytes.reserveCapacity(bytes.count + 32)
        secret.withUnsafeBytes { bytes += $0 }
        defer { cleanse(&bytes) }
        return String(SHA256.hash(bytes).hex.prefix(8))
    }

    /// The fingerprint only.
    public var description: String { "RootKey(\(fingerprint))" }

    /// The fingerprint only, also to debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["fingerprint": fingerprint]) }

    func wrap(_ secret: SecretBytes, name: [UInt8]) -> [UInt8] {
        KeyWrap.wrap(secret, with: cipher, name: name)
    }

    func unwrap(_ wrapped: [UInt8], name: [UInt8]) -> SecretBytes? {
        KeyWrap.unwrap(wrapped, with: cipher, name: name)
    }
}

// MARK: - As text

extension RootKey {
    /// Reads a key file: 64 hexadecimal digits and a newline, readable by its owner alone; while
    /// keys are being replaced a second line with the new key.
    ///
    /// Nil when there is no such file; of two keys the first. Throws `MALFORMED_KEY` for other
    /// content or wider permissions, `FILE_FAILED` when it cannot be read.
    public static func read(_ path: String) throws(LedgerError) -> RootKey? {
        try readAll(path).first
    }

    static func readAll(_ path: String) throws(LedgerError) -> [RootKey] {
        try Files.refuseShared(path)
        guard Files.exists(path) else { return [] }
        return try parse(
            try Files.readSecret(path, limit: Limits.rootKeyBytes), from: "file \(path)")
    }

    /// One key a line, at most two.
    static func parse(_ text: SecretBytes, from place: String) throws(LedgerError) -> [RootKey] {
        let keys = text.withUnsafeBytes { text in
            text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { RootKey(digits: $0) }
        }
        let found = keys.compactMap(\.self)
        guard found.count == keys.count, (1...2).contains(found.count) else {
            throw LedgerError(
                .malformedKey, "The \(place) does not hold a root key.",
                hint: "It must hold 64 hexadecimal digits.")
        }
        return found
    }

    private init?(digits: some RandomAccessCollection<UInt8>) {
        guard digits.count == 2 * AES256GCM.keyByteCount else { return nil }
        self.init(
            SecretBytes(capacity: AES256GCM.keyByteCount) { bytes in
                Hex.decode(digits, into: bytes) ? bytes.count : 0
            })
    }

    /// The lines of a key file.
    ///
    /// Never as a text or an array, whose memory would keep what stood in it.
    static func text(_ keys: [RootKey]) -> SecretBytes {
        let line = 2 * AES256GCM.keyByteCount + 1
        return SecretBytes(capacity: keys.count * line) { text in
            for (index, key) in keys.enumerated() {
                let place = UnsafeMutableRawBufferPointer(rebasing: text[(index * line)...])
                key.secret.withUnsafeBytes { Hex.encode($0, into: place) }
                place[line - 1] = 0x0A
            }
            return text.count
        }
    }

    /// Writes a key file, durably, mode 0600, its directories 0700; refuses to replace one.
    public func write(to path: String) throws(LedgerError) {
        try Files.makePrivateDirectory(Files.parent(of: path))
        try Files.writeNew(path, Self.text([self]))
    }

    /// Where the key of a ledger is kept unless told otherwise: the user's state directory, by
    /// ledger id.
    public static func defaultPath(ledgerID: [UInt8], environment: [String: String]) -> String {
        Files.stateDirectory(environment) + "/\(Hex.encode(ledgerID))/root.key"
    }
}
