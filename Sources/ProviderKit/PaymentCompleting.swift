public import CheckoutModel

/// The provider holds what the customer approved until the merchant asks for the money.
///
/// Completing moves money, so nothing in the kit or the ledger does it by itself: a person or a
/// program asks for it by name. Which sessions wait for it the adapter says in
/// ``PaymentFacts/awaitsCompletion``.
public protocol PaymentCompleting: StatusQuerying {
    /// The request that takes the money of an approved session.
    ///
    /// Repeating it with the same key must never take it twice; a provider that cannot promise that
    /// is not to be conformed for. Throws `unsupported_target` for sessions that are completed in
    /// another way.
    func completionRequest(
        for session: String, idempotencyKey: IdempotencyKey, secrets: SecretSet, now: Instant,
        nonce: Nonce
    ) throws(RequestPlanError) -> HTTPRequestPlan
    /// How the payment stands then; every doubt is indeterminate, and the status is to be asked.
    ///
    /// Throws `unauthorized`, and `refused` where the provider took nothing and says why.
    func interpretCompletion(
        _ reply: HTTPReply, for session: String
    ) throws(ProviderReplyError) -> StatusReport
}
