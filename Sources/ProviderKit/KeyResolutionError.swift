package import Cryptography

/// Why there is no key to check a delivery with; carries nothing of the delivery.
public struct KeyResolutionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong; the raw values are stable names for programs.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The place is not one that the provider documents; nothing was fetched.
        case untrustedKeySource = "untrusted_key_source"
        /// No key of that serial number.
        case unknownKey = "unknown_key"
        /// The place could not be reached, or had nothing to give.
        case notFetched = "key_not_fetched"
        /// The provider tells its keys to those who prove who they are, and this could not be done.
        case noCredentials = "key_credentials"
        /// What came is no certificate with a key that can be used.
        case notACertificate = "not_a_certificate"
        /// The certificate does not lead to a trusted root.
        case untrusted = "untrusted_certificate"
        /// The certificate is signed by itself.
        case selfSigned = "self_signed_certificate"
        /// The certificate's time is over.
        case expired = "expired_certificate"
        /// The certificate's time has not begun.
        case notYetValid = "certificate_not_yet_valid"
        /// The certificate can be forged.
        case weak = "weak_certificate"
        /// The certificate is for another name than the provider's.
        case wrongName = "wrong_certificate_name"

        package init?(_ code: CryptographyError.Code) {
            switch code {
            case .untrustedCertificate: self = .untrusted
            case .selfSignedCertificate: self = .selfSigned
            case .expiredCertificate: self = .expired
            case .certificateNotYetValid: self = .notYetValid
            case .weakCertificate: self = .weak
            case .wrongCertificateName: self = .wrongName
            default: return nil
            }
        }
    }

    /// What went wrong.
    public let reason: Reason
    /// One sentence for a person.
    public let message: String

    /// States why; the message must carry nothing of the delivery but what the host knows anyway.
    public init(_ reason: Reason, message: String) {
        self.reason = reason
        self.message = message
    }

    /// The stable name for programs.
    public var code: String { reason.rawValue }

    /// How the delivery is to be refused; nil where the sender is to try again, because the fault
    /// may be on this side.
    public var rejection: WebhookRejection? {
        switch reason {
        case .notFetched, .noCredentials: nil
        case .unknownKey: .unknownKey
        default: .untrustedKeySource
        }
    }

    /// What to do about it.
    public var hint: String {
        switch reason {
        case .untrustedKeySource: "Do not add the place unless the provider documents it."
        case .unknownKey: "Add the key from the provider's dashboard to the configuration."
        case .notFetched: "The provider will deliver again; check this machine's network."
        case .noCredentials:
            "Give the account, in the configuration, what its API is asked with."
        case .expired, .notYetValid: "Check this machine's clock."
        default: "The delivery is not believed; ask the provider if it goes on."
        }
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}
