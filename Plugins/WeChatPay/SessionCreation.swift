public import CheckoutModel
public import ProviderKit

/// `POST /v3/pay/transactions/native`: a code that the customer scans.
///
/// The page for phones is not made here, because it needs the customer's network address.
/// Source: wechatpay-go, services/payments/native/models.go.
extension WeChatPayProvider: SessionCreating {
    /// The longest `description`, in characters; from memory, not verified.
    static let descriptionLimit = 127
    /// How long an `out_trade_no` may be; from memory, not verified.
    static let referenceLengths = 6...32

    /// Plans a checkout whose id is the draft's reference.
    ///
    /// WeChat takes each reference once and answers a repeated request with the same checkout, so
    /// the idempotency key is not needed. Throws `missing_field` for a reference that WeChat does
    /// not take: 6 to 32 letters, digits, `_`, `-`, `|` or `*`.
    public func createRequest(
        _ draft: SessionDraft, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan {
        let total = try draft.total()
        guard let amount = try? Self.descriptor.moneyProfile.wireAmount(of: total) else {
            throw .unusableAmount
        }
        guard let appID = configuration.appID else { throw .missingField("appID") }
        guard let notifyURL = configuration.notifyURL else { throw .missingField("notifyURL") }
        guard Self.referenceLengths.contains(draft.reference.utf8.count),
            draft.reference.utf8.allSatisfy({
                $0.isASCIILetterOrDigit || "_-|*".utf8.contains($0)
            })
        else { throw .missingField("reference") }
        let body = JSONValue.object([
            "appid": .string(appID), "mchid": .string(try merchantID()),
            "description": .string(String(draft.title.prefix(Self.descriptionLimit))),
            "out_trade_no": .string(draft.reference), "notify_url": .string(notifyURL),
            "amount": .object([
                "total": .integer(amount), "currency": .string(total.currency.code),
            ]),
        ])
        return try request(
            "POST", "/v3/pay/transactions/native", body: body.json, secrets: secrets, now: now,
            nonce: nonce)
    }

    /// Reads `code_url`, the text of the QR code; the reply does not name the checkout.
    public func interpretCreation(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> CreatedSession {
        try created(reply, ids: ProviderIDs())
    }

    /// The same, with the draft's reference as the checkout's id.
    public func interpretCreation(
        _ reply: HTTPReply, of draft: SessionDraft
    ) throws(ProviderReplyError) -> CreatedSession {
        try created(reply, ids: ProviderIDs(session: draft.reference, order: draft.reference))
    }

    private func created(
        _ reply: HTTPReply, ids: ProviderIDs
    ) throws(ProviderReplyError) -> CreatedSession {
        guard let code = try reply.createdObject().note("code_url") else { throw .unreadable }
        return CreatedSession(ids: ids, checkoutURL: code, expiresAt: nil, mode: .live)
    }
}
