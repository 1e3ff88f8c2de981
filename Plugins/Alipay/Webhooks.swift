import CheckoutModel
public import ProviderKit

/// Alipay posts a form that it signs with its private key; see `SignedForm`.
///
/// Nothing of it is a time that could be checked.
/// Source: alipay-sdk-nodejs-all, src/alipay.ts; smartwalle/alipay, notify.go.
extension AlipayProvider: WebhookReceiving {
    /// The configured application, else the seller.
    public var account: String? { configuration.appID ?? configuration.sellerID }

    /// One plan over the form.
    ///
    /// Throws `missing_header`, with the field's name, for a body without a signature;
    /// `unsupported_scheme` for SHA-1; `signature_mismatch` where a name is repeated.
    public func plans(
        for delivery: WebhookDelivery
    ) throws(WebhookRejection) -> [VerificationPlan] {
        guard let form = SignedForm(delivery.body) else { throw .signatureMismatch }
        switch form.fault {
        case .noSignature: throw .missingHeader("sign")
        case .otherAlgorithm: throw .unsupportedScheme
        case nil: return [form.plan]
        }
    }

    /// Named by `notify_id`, which stays over retries; a body without one is named by its hash.
    public func identity(of delivery: VerifiedDelivery) -> DeliveryIdentity {
        DeliveryIdentity(
            provider: Self.id, account: account, mode: configuration.mode,
            id: Self.notifyID(of: delivery))
    }

    static func notifyID(of delivery: VerifiedDelivery) -> String {
        SignedForm(delivery.delivery.body)?["notify_id"] ?? "sha256:\(delivery.bodyHex)"
    }

    /// How the trade stands, and its refund where the notification tells of one.
    ///
    /// Throws `malformed_body`, `missing_field`, `amount_not_decimal`, `amount_out_of_range`.
    public func events(
        in delivery: VerifiedDelivery
    ) throws(WebhookDecodingError) -> [ProviderEvent] {
        guard let form = SignedForm(delivery.delivery.body) else {
            throw WebhookDecodingError(.malformedBody)
        }
        return try events(form, notifyID: Self.notifyID(of: delivery))
    }

    /// The account that a message names: the seller where it is not ours, else the application.
    func named(in form: SignedForm) -> String? {
        if let sellerID = configuration.sellerID, let seller = form["seller_id"],
            seller != sellerID
        {
            return seller
        }
        return configuration.appID == nil && configuration.sellerID != nil
            ? form["seller_id"] : form["app_id"]
    }

    /// The bare words that Alipay waits for: everything but `success` is sent again, for a day.
    ///
    /// Source: smartwalle/alipay, README and notify.go.
    public func acknowledgement(for outcome: WebhookOutcome) -> HTTPReply {
        func reply(_ status: Int, _ word: String) -> HTTPReply {
            HTTPReply(
                status: status, headers: ["Content-Type": "text/plain"], body: Array(word.utf8))
        }
        return switch outcome {
        case .recorded, .duplicate, .ignored, .quarantined: reply(200, "success")
        case .rejected(.bodyTooLarge): reply(413, "fail")
        case .rejected: reply(401, "fail")
        case .temporarilyUnavailable: reply(503, "fail")
        }
    }
}
