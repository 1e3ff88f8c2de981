/// Why a delivery is not believed.
///
/// Closed on purpose: a new reason is a major version.
///
/// Carries at most the name of a header, never a value, a secret or a body.
public enum WebhookRejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// A header that the scheme needs is absent or empty.
    case missingHeader(String)
    /// The same header twice with different values; which one was signed cannot be told.
    case ambiguousHeader(String)
    /// A header that cannot be read, from a sender who did not sign it.
    case malformedHeader(String)
    /// The signature fits, but what it signs is no time: the sender's clock field is broken.
    case timestampMalformed
    /// Signed longer ago than the tolerance: a replay, or this machine's clock is fast.
    case timestampTooOld
    /// Signed further ahead than the tolerance: this machine's clock is slow.
    case timestampTooNew
    /// No signature fits any of our keys.
    case signatureMismatch
    /// Only signature versions that we do not accept.
    case unsupportedScheme
    /// The sender names a key that we do not have.
    case unknownKey
    /// The sender names a key in a place that we do not trust.
    case untrustedKeySource
    /// More bytes than ``Limits/bodyBytes``.
    case bodyTooLarge
    /// The signature fits, but the sealed part does not open.
    case decryptFailed

    /// The stable name for programs.
    public var code: String {
        switch self {
        case .missingHeader: "missing_header"
        case .ambiguousHeader: "ambiguous_header"
        case .malformedHeader: "malformed_header"
        case .timestampMalformed: "timestamp_malformed"
        case .timestampTooOld: "timestamp_too_old"
        case .timestampTooNew: "timestamp_too_new"
        case .signatureMismatch: "signature_mismatch"
        case .unsupportedScheme: "unsupported_scheme"
        case .unknownKey: "unknown_key"
        case .untrustedKeySource: "untrusted_key_source"
        case .bodyTooLarge: "body_too_large"
        case .decryptFailed: "decrypt_failed"
        }
    }

    /// The header concerned, where it is one.
    public var headerName: String? {
        switch self {
        case .missingHeader(let name), .ambiguousHeader(let name), .malformedHeader(let name): name
        default: nil
        }
    }

    /// One sentence for a person.
    public var message: String {
        switch self {
        case .missingHeader(let name): "The header \(name) is missing."
        case .ambiguousHeader(let name): "The header \(name) came twice with different values."
        case .malformedHeader(let name): "The header \(name) cannot be read."
        case .timestampMalformed: "The signed time is not a number of seconds."
        case .timestampTooOld: "The delivery was signed too long ago."
        case .timestampTooNew: "The delivery was signed in the future."
        case .signatureMismatch: "No signature fits the configured secret."
        case .unsupportedScheme: "The delivery carries no signature of a version accepted here."
        case .unknownKey: "The delivery was signed with a key that is not known here."
        case .untrustedKeySource: "The delivery names a key in a place that is not trusted."
        case .bodyTooLarge: "The body has more than \(Limits.bodyBytes) bytes."
        case .decryptFailed: "The signature fits, but the sealed part of the body does not open."
        }
    }

    /// What to do about it.
    public var hint: String {
        switch self {
        case .missingHeader, .ambiguousHeader, .malformedHeader:
            "Look at what proxies between the provider and this host do to headers."
        case .timestampMalformed: "Report it to the provider."
        case .timestampTooOld, .timestampTooNew: "Check this machine's clock."
        case .signatureMismatch, .unknownKey:
            "Compare the secret with the provider's dashboard, test and live apart."
        case .unsupportedScheme: "Check which signature version the endpoint is set to."
        case .untrustedKeySource: "Do not add the place unless the provider documents it."
        case .bodyTooLarge: "Nothing was read; no provider sends bodies of this size."
        case .decryptFailed: "Compare the decryption key with the provider's dashboard."
        }
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}
