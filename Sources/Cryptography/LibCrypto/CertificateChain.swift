#if !canImport(CryptoKit) || os(macOS)
    import CCrypto

    /// A certificate with those that lead from it to a root, as a PEM file has them: its own first.
    ///
    /// Reading checks nothing but the form; ``check(roots:at:name:)`` decides whether to believe
    /// it.
    public struct CertificateChain: Sendable {
        private let bytes: [UInt8]
        /// The key of the first certificate.
        public let key: RSAPublicKey
        /// The last second at which the first certificate is valid, in seconds since 1970.
        public let endsAt: Int64

        /// Reads a PEM text with one certificate or more.
        ///
        /// Throws `MALFORMED_KEY` for other text, `UNSUPPORTED_KEY` for other keys than RSA of
        /// 2,048 bits or more.
        public init(pem text: String) throws(CryptographyError) {
            bytes = Array(text.utf8)
            key = try RSAPublicKey(certificatePEM: text)
            guard let stack = CertificateStack(pem: bytes), let leaf = stack.certificates.first,
                let endsAt = Self.end(of: leaf)
            else { throw .malformedCertificate }
            self.endsAt = endsAt
        }

        /// Throws unless the chain leads to a root, every certificate of it is valid at `seconds`
        /// since 1970, no key or hash in it is weak, and the first one is for that name.
        ///
        /// Throws `UNTRUSTED_CERTIFICATE`, `SELF_SIGNED_CERTIFICATE`, `EXPIRED_CERTIFICATE`,
        /// `CERTIFICATE_NOT_YET_VALID`, `WEAK_CERTIFICATE`, `WRONG_CERTIFICATE_NAME`. Revocation is
        /// not looked at: a certificate that was withdrawn passes until its own end. Source:
        /// RFC 5280 §6, RFC 6125 §6.
        public func check(
            roots: TrustedRoots, at seconds: Int64, name: CertificateName
        ) throws(CryptographyError) {
            // The reasons of a refusal stay in this thread's list otherwise.
            defer { ERR_clear_error() }
            guard let stack = CertificateStack(pem: bytes), let leaf = stack.certificates.first
            else {
                throw .malformedCertificate
            }
            try roots.withStore { (store) throws(CryptographyError) in
                try Self.verify(leaf, stack, store, at: seconds)
            }
            guard name.fits(leaf) else {
                throw CryptographyError(
                    .wrongCertificateName, "The certificate is for another name than \(name).",
                    hint: "Do not trust it unless the provider documents the other name.")
            }
        }

        private static func verify(
            _ leaf: OpaquePointer, _ stack: CertificateStack, _ store: OpaquePointer,
            at seconds: Int64
        ) throws(CryptographyError) {
            guard let context = X509_STORE_CTX_new() else { preconditionFailure("out of memory") }
            defer { X509_STORE_CTX_free(context) }
            guard X509_STORE_CTX_init(context, store, leaf, stack.pointer) == 1,
                let parameters = X509_STORE_CTX_get0_param(context)
            else { preconditionFailure("out of memory") }
            X509_VERIFY_PARAM_set_time(parameters, time_t(seconds))
            // These certificates sign messages; what they say of TLS servers is not asked.
            X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY)
            X509_VERIFY_PARAM_set_depth(parameters, Limits.certificates)
            X509_VERIFY_PARAM_set_auth_level(parameters, Limits.certificateSecurityLevel)
            guard X509_verify_cert(context) == 1 else {
                throw CryptographyError(certificate: X509_STORE_CTX_get_error(context))
            }
        }

        private static func end(of certificate: OpaquePointer) -> Int64? {
            guard let epoch = ASN1_TIME_set(nil, 0) else { preconditionFailure("out of memory") }
            defer { ASN1_TIME_free(epoch) }
            var days: Int32 = 0
            var seconds: Int32 = 0
            guard ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(certificate)) == 1
            else {
                return nil
            }
            return Int64(days) * 86_400 + Int64(seconds)
        }
    }

    /// Whom a certificate must name.
    public enum CertificateName: Sendable, Hashable, CustomStringConvertible {
        /// This host.
        case host(String)
        /// Any name below this domain, such as `paypal.com`; not the domain itself.
        case below(String)

        /// The name, with a star for what may vary.
        public var description: String {
            switch self {
            case .host(let host): host
            case .below(let domain): "*.\(domain)"
            }
        }

        /// Looks at the alternative names, and at the common name only where there are none.
        fileprivate func fits(_ certificate: OpaquePointer) -> Bool {
            let name: String
            switch self {
            case .host(let host): name = host
            // libcrypto reads a leading dot as "anything below".
            case .below(let domain): name = "." + domain
            }
            // Without a length libcrypto would stop at a zero byte inside.
            guard name.utf8.count > 1, !name.utf8.contains(0) else { return false }
            return X509_check_host(certificate, name, name.utf8.count, 0, nil) == 1
        }
    }

    /// Roots at which a chain may end.
    public struct TrustedRoots: Sendable, Hashable {
        private let pem: [UInt8]?

        /// The machine's own, where libcrypto looks for them.
        ///
        /// What the environment says about other places is not followed: whoever sets a variable
        /// would choose whom to believe.
        public static let system = TrustedRoots(pem: nil)

        private init(pem: [UInt8]?) { self.pem = pem }

        /// Those in a PEM text and no others; throws `MALFORMED_KEY` when there are none.
        public init(pem text: String) throws(CryptographyError) {
            let bytes = Array(text.utf8)
            defer { ERR_clear_error() }
            guard CertificateStack(pem: bytes) != nil else { throw .malformedCertificate }
            pem = bytes
        }

        fileprivate func withStore(
            _ body: (OpaquePointer) throws(CryptographyError) -> Void
        ) throws(CryptographyError) {
            guard let store = X509_STORE_new() else { preconditionFailure("out of memory") }
            defer { X509_STORE_free(store) }
            if let pem {
                guard let roots = CertificateStack(pem: pem) else { throw .malformedCertificate }
                for root in roots.certificates { X509_STORE_add_cert(store, root) }
            } else {
                // Either may be missing; a chain then ends nowhere and is refused.
                X509_STORE_load_file(store, X509_get_default_cert_file())
                X509_STORE_load_path(store, X509_get_default_cert_dir())
            }
            try body(store)
        }
    }

    /// Certificates of libcrypto's in their order, freed with this value's owner.
    private final class CertificateStack {
        let pointer: OpaquePointer
        let certificates: [OpaquePointer]

        /// Nil when the text holds no certificate, a broken one, or more than any chain has.
        init?(pem bytes: [UInt8]) {
            guard bytes.count <= Limits.certificateFileBytes, !bytes.isEmpty,
                let pointer = OPENSSL_sk_new_null()
            else { return nil }
            var found: [OpaquePointer] = []
            let isWhole = bytes.withUnsafeBytes { buffer -> Bool in
                guard let reader = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else {
                    preconditionFailure("out of memory")
                }
                defer { BIO_free(reader) }
                ERR_clear_error()
                while let certificate = PEM_read_bio_X509(reader, nil, noPassword, nil) {
                    found.append(certificate)
                    OPENSSL_sk_push(pointer, UnsafeRawPointer(certificate))
                    if found.count > Limits.certificatesPerFile { return false }
                }
                // Nothing more to read is the only good end.
                return ERR_peek_last_error() & 0x7F_FFFF == UInt(PEM_R_NO_START_LINE)
            }
            self.pointer = pointer
            certificates = found
            if found.isEmpty || !isWhole { return nil }
        }

        deinit {
            for certificate in certificates { X509_free(certificate) }
            OPENSSL_sk_free(pointer)
        }
    }

    extension CryptographyError {
        fileprivate static let malformedCertificate = CryptographyError(
            .malformedKey, "The text holds no certificate, or a broken one.",
            hint: "Give the whole PEM file.")

        /// What libcrypto's number means.
        fileprivate init(certificate number: Int32) {
            switch number {
            case X509_V_ERR_CERT_HAS_EXPIRED:
                self.init(
                    .expiredCertificate, "A certificate of the chain has expired.",
                    hint: "Fetch the current one; check this machine's clock.")
            case X509_V_ERR_CERT_NOT_YET_VALID:
                self.init(
                    .certificateNotYetValid, "A certificate of the chain is not valid yet.",
                    hint: "Check this machine's clock.")
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
                self.init(
                    .selfSignedCertificate, "The certificate is signed by itself.",
                    hint: "Anyone can make one; use the provider's own.")
            case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL,
                X509_V_ERR_CA_MD_TOO_WEAK:
                self.init(
                    .weakCertificate, "A key or a hash in the chain is too weak.",
                    hint: "Use the provider's current certificate.")
            default:
                self.init(
                    .untrustedCertificate, "The certificate does not lead to a trusted root.",
                    hint: "Use the provider's own, with the certificates between it and its root.")
            }
        }
    }
#endif
