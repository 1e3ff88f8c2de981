public import CheckoutModel

/// A secret that must not be used.
///
/// Says which and why, and never shows any of it.
public struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Problem: Sendable, Hashable {
        /// No secret of this role at all.
        case missing
        /// The text, or what stands behind its prefix, is empty.
        case empty
        /// A blank or line end inside or at an end, as copying from a page leaves them.
        case whitespace
        /// A character that is not printable ASCII, such as a zero-width space from a web page.
        case unprintable
        /// Starts with `v1,`, which belongs to signatures.
        case signaturePrefix
        /// Lacks the prefix that this provider's secrets have.
        case missingPrefix(String)
        /// The right text in the wrong field.
        case wrongKind(SecretKind)
        /// Not hexadecimal or not base64.
        case undecodable(SecretEncoding)
        /// Too few key bytes.
        case tooShort(Int, minimum: Int)
        /// More bytes than any secret has.
        case tooLong
        /// Not a public key of the right form.
        case notAPublicKey
        /// Not a private key of the right form.
        case notAPrivateKey
        /// A key of the sandbox for the live account, or the other way round; the account's mode.
        case otherMode(ProviderMode)
        /// A key file's text where a plain secret is wanted.
        case pemBlock
        /// More secrets for one role than ``Limits/secretsPerRole``.
        case tooMany
    }

    /// What the secret was meant for.
    public let role: SecretRole
    /// Its place in the list of this role, from 0.
    public let index: Int
    /// What is wrong.
    public let problem: Problem

    init(role: SecretRole, index: Int = 0, problem: Problem) {
        self.role = role
        self.index = index
        self.problem = problem
    }

    /// The stable name for programs: `missing_secret` or `malformed_secret`.
    public var code: String { problem == .missing ? "missing_secret" : "malformed_secret" }

    /// One sentence for a person.
    public var message: String { "Secret \(index + 1) for \(role) \(what)." }

    private var what: String {
        switch problem {
        case .missing: "is not configured"
        case .empty: "is empty"
        case .whitespace: "contains a space or a line end"
        case .unprintable: "contains a character that is not printable ASCII"
        case .signaturePrefix: "starts with \"v1,\", which belongs to signatures, not to secrets"
        case .missingPrefix(let prefix): "does not start with \"\(prefix)\""
        case .wrongKind(let kind): "is of another kind: \(kind.rawValue)"
        case .undecodable(.hex): "is not hexadecimal"
        case .undecodable: "is not base64 behind its prefix"
        case .tooShort(let count, let minimum):
            "has \(count) key bytes; at least \(minimum) are needed"
        case .tooLong: "is longer than any secret of this kind"
        case .notAPublicKey: "is not a public key"
        case .notAPrivateKey: "is not an RSA private key of 2,048 bits or more without a password"
        case .otherMode(let mode): "is not for an account in mode \(mode.name)"
        case .pemBlock: "is a key file (PEM), not a secret of this kind"
        case .tooMany: "is one more than can be held for one role"
        }
    }

    /// What to do about it.
    public var hint: String {
        switch problem {
        case .missing, .empty:
            "Set it; without a secret anyone could sign, so nothing is verified until then."
        case .whitespace, .unprintable: "Paste it again without blanks around it."
        case .signaturePrefix: "Remove the stray prefix \"v1,\" and keep what follows."
        case .wrongKind(.webhookPrivateKey): "Revoke it: only the sender may hold this key."
        case .otherMode: "Use the account's own key; live and test are never mixed."
        case .tooMany: "Remove secrets that were rotated out."
        default:
            role == .webhook
                ? "Copy the secret of this endpoint from the provider's dashboard again."
                : "Copy it from the provider's dashboard again."
        }
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}
