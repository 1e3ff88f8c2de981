// Beside the other codes on every system; only what checks chains of certificates throws them.

extension CryptographyError.Code {
    /// The chain does not lead to a trusted root.
    public static let untrustedCertificate = Self(rawValue: "UNTRUSTED_CERTIFICATE")
    /// The certificate vouches for itself and is no trusted root.
    public static let selfSignedCertificate = Self(rawValue: "SELF_SIGNED_CERTIFICATE")
    /// The time of a certificate is over.
    public static let expiredCertificate = Self(rawValue: "EXPIRED_CERTIFICATE")
    /// The time of a certificate has not begun.
    public static let certificateNotYetValid = Self(rawValue: "CERTIFICATE_NOT_YET_VALID")
    /// A key or a hash that can be broken.
    public static let weakCertificate = Self(rawValue: "WEAK_CERTIFICATE")
    /// The certificate is for somebody else.
    public static let wrongCertificateName = Self(rawValue: "WRONG_CERTIFICATE_NAME")
}
