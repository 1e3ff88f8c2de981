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
        guard let text = try Files.readPrivate(path, limit: Limits.rootKeyBytes) else { return [] }
        return try parse(text, from: "file \(path)")
    }

    /// One key a line, at most two.
    static func parse(_ text: [UInt8], from place: String) throws(LedgerError) -> [RootKey] {
        var text = text
        defer { cleanse(&text) }
        var keys: [RootKey] = []
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard var bytes = Hex.decode(String(decoding: line, as: UTF8.self)),
                let key = RootKey(bytes: bytes), keys.count < 2
            else {
                throw LedgerError(
                    .malformedKey, "The \(place) does not hold a root key.",
                    hint: "It must hold 64 hexadecimal digits.")
            }
            cleanse(&bytes)
            keys.append(key)
        }
        guard !keys.isEmpty else {
            throw LedgerError(
                .malformedKey, "The \(place) does not hold a root key.",
                hint: "It must hold 64 hexadecimal digits.")
        }
        return keys
    }

    /// The lines of a key file.
    static func text(_ keys: [RootKey]) -> [UInt8] {
        keys.flatMap { key in
            key.secret.withUnsafeBytes { Array(Hex.encode($0).utf8) } + [0x0A]
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
