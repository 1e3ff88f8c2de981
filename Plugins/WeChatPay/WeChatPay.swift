import CheckoutModel
public import ProviderKit

/// WeChat Pay, version 3 of its API: a QR code or a page in the phone's browser that the customer
/// pays inside WeChat.
///
/// There is no sandbox, so everything is live. A checkout is named by the merchant's own
/// `out_trade_no`, which no URL shows. Source: wechatpay-apiv3/wechatpay-go and wechatpay-java;
/// each rule names a file.
public struct WeChatPayProvider: PaymentProvider {
    /// Who this is.
    ///
    /// Deliveries are checked with WeChat's platform certificates, which ``KeyPublishing`` fetches,
    /// or with the public key that WeChat gives to newer merchants. The decryption key is the APIv3
    /// key, 32 characters; the signing key belongs to the merchant's API certificate.
    public static let descriptor = ProviderDescriptor(
        id: "wechatpay", name: "WeChat Pay", adapterVersion: "1.0.0",
        secretRules: [
            SecretRule(
                role: .decryptionKey, encoding: .utf8, minimumBytes: 32, maximumBytes: 32),
            SecretRule(role: .signingKey, encoding: .rsaPrivateKey),
            SecretRule(role: .webhookPublicKey, encoding: .rsaPublicKey),
        ], resolvesKeys: true)

    package let configuration: WeChatPayConfiguration

    /// Throws `invalid_configuration` for a negative tolerance, a public key id without its prefix,
    /// and ids that could not stand in the header that carries them.
    public init(
        configuration: WeChatPayConfiguration = WeChatPayConfiguration()
    ) throws(ProviderConfigurationError) {
        if let seconds = configuration.toleranceSeconds, seconds < 0 {
            throw ProviderConfigurationError(
                field: "toleranceSeconds", message: "The tolerance is negative.")
        }
        if let id = configuration.publicKeyID, !id.hasPrefix(PlatformKey.publicKeyPrefix) {
            throw ProviderConfigurationError(
                field: "publicKeyID",
                message: "The public key id does not start with \(PlatformKey.publicKeyPrefix).")
        }
        for (field, id) in [
            ("merchantID", configuration.merchantID),
            ("certificateSerial", configuration.certificateSerial),
        ] {
            guard let id else { continue }
            guard !id.isEmpty, id.utf8.allSatisfy(\.isASCIILetterOrDigit) else {
                throw ProviderConfigurationError(
                    field: field, message: "It is not made of letters and digits.")
            }
        }
        self.configuration = configuration
    }
}

/// What differs between installations of WeChat Pay; nothing in it is secret.
public struct WeChatPayConfiguration: ProviderConfiguration, Hashable {
    /// Our merchant number (`mchid`); events about another one are set aside.
    ///
    /// Nil takes every merchant and asks nothing.
    public var merchantID: String?
    /// The id of the app or official account that sells (`appid`), for new checkouts.
    public var appID: String?
    /// The serial number of the merchant's API certificate, whose private key signs requests.
    public var certificateSerial: String?
    /// The id of the public key that WeChat gave to the merchant, `PUB_KEY_ID_…`; its text is the
    /// secret of the role `webhook_public_key`.
    public var publicKeyID: String?
    /// The https URL to which WeChat sends deliveries about new checkouts; without a query.
    public var notifyURL: String?
    /// How far a delivery's signed time may be from now, both ways, in seconds; nil = any, for
    /// reading stored deliveries again.
    public var toleranceSeconds: Int64?

    /// The defaults fit reading URLs; requests need the rest.
    public init(
        merchantID: String? = nil, appID: String? = nil, certificateSerial: String? = nil,
        publicKeyID: String? = nil, notifyURL: String? = nil,
        toleranceSeconds: Int64? = Self.defaultToleranceSeconds
    ) {
        self.merchantID = merchantID
        self.appID = appID
        self.certificateSerial = certificateSerial
        self.publicKeyID = publicKeyID
        self.notifyURL = notifyURL
        self.toleranceSeconds = toleranceSeconds
    }

    /// The library refuses 300 seconds and takes 299.
    ///
    /// Source: wechatpay-go, core/auth/validators/wechat_pay_validator.go.
    public static let defaultToleranceSeconds: Int64 = 299

    /// Reads `merchantID`, `appID`, `certificateSerial`, `publicKeyID`, `notifyURL` and
    /// `toleranceSeconds`; an account in test mode is a mistake, because WeChat has no sandbox.
    public init(settings: inout ProviderSettings) {
        self.init(
            merchantID: settings.text("merchantID"), appID: settings.text("appID"),
            certificateSerial: settings.text("certificateSerial"),
            publicKeyID: settings.text("publicKeyID"), notifyURL: settings.text("notifyURL"),
            toleranceSeconds: settings.seconds("toleranceSeconds")
                ?? Self.defaultToleranceSeconds)
        if settings.mode == .test {
            settings.report("mode", "WeChat Pay has no test mode.")
        }
    }
}

extension UInt8 {
    var isASCIILetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self)
            || (0x61...0x7A).contains(self)
    }
}
