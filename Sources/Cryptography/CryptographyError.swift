/// Why a cryptographic operation gave no result; it never carries keys, texts or signatures.
public struct CryptographyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name of what went wrong, fit for programs; new codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// Upper-case words joined by `_`.
        public let rawValue: String

        /// For codes read back from text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's text.
        public var description: String { rawValue }

        /// The sealed text, its nonce, its associated data or the key is another than at sealing.
        ///
        /// Which of them cannot be told, and must not be.
        public static let authenticationFailed = Code(rawValue: "AUTHENTICATION_FAILED")
        /// A nonce, seed, key or sealed text has a length that the algorithm does not have.
        public static let wrongLength = Code(rawValue: "WRONG_LENGTH")
        /// Text that should hold a key or a certificate does not.
        public static let malformedKey = Code(rawValue: "MALFORMED_KEY")
        /// A well-formed key of a kind or a strength that is not accepted.
        public static let unsupportedKey = Code(rawValue: "UNSUPPORTED_KEY")
    }

    /// What went wrong, for programs.
    public let code: Code
    /// One sentence for a person.
    public let message: String
    /// What to do about it.
    public let hint: String

    init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}

extension CryptographyError {
    static func malformedKey(_ what: String) -> CryptographyError {
        CryptographyError(
            .malformedKey, "The text holds no \(what).",
            hint: "Give the whole PEM block or DER file of the key or certificate.")
    }

    static let unsupportedKey = CryptographyError(
        .unsupportedKey, "The key is not an RSA key of 2,048 to 16,384 bits.",
        hint: "Use the key that the provider publishes for this purpose.")
}
