public import CheckoutModel

/// Where a provider keeps what it can be asked about: one collection for each kind of id.
public struct StatusCollections: Sendable {
    private let session: String?
    private let payment: String?
    private let order: String?
    private let merchantReference: String?

    /// Names the collections, without slashes at their ends; nil for what cannot be asked about.
    public init(
        session: String? = nil, payment: String? = nil, order: String? = nil,
        merchantReference: String? = nil
    ) {
        self.session = session
        self.payment = payment
        self.order = order
        self.merchantReference = merchantReference
    }

    /// `<collection>/<id>`, the id escaped.
    ///
    /// Throws `unsupported_target` without a collection, `unusable_id` for ids that cannot stand in
    /// a URL.
    public func path(of target: StatusQueryTarget) throws(RequestPlanError) -> String {
        let collection =
            switch target {
            case .session: session
            case .payment: payment
            case .order: order
            case .merchantReference: merchantReference
            }
        guard let collection else { throw .unsupportedTarget }
        return "\(collection)/\(try URLSegment.encoded(target.id))"
    }
}

extension HTTPReply {
    /// What `read` makes of the object of a 2xx reply; every doubt is indeterminate.
    ///
    /// Throws `unauthorized` for 401 and 403; what `read` throws is `unreadable`.
    public func statusReport(
        _ read: (JSONFields) throws(WebhookDecodingError) -> StatusReport
    ) throws(ProviderReplyError) -> StatusReport {
        let object: JSONFields
        switch try statusObject() {
        case .success(let fields): object = fields
        case .failure(let nothing): return nothing.report
        }
        do throws(WebhookDecodingError) {
            return try read(object)
        } catch {
            return .unreadable
        }
    }

    /// The same for replies that name, in `field`, what they are about: one about something else
    /// than was asked is `other_object`, and is not read.
    public func statusReport(
        about target: StatusQueryTarget, namedIn field: String = "id",
        _ read: (JSONFields) throws(WebhookDecodingError) -> StatusReport
    ) throws(ProviderReplyError) -> StatusReport {
        try statusReport { (object) throws(WebhookDecodingError) in
            guard try object.requiredText(field) == target.id else { return .otherObject }
            return try read(object)
        }
    }
}

extension StatusReport {
    /// An answer about something else than was asked.
    public static let otherObject = StatusReport.indeterminate(
        .otherObject, retryAfterSeconds: nil)
    /// An answer that is cut off, no JSON, or lacks what it must have.
    public static let unreadable = StatusReport.indeterminate(.unreadable, retryAfterSeconds: nil)

    /// What the provider's own word says, with what stands beside it; `unknown_word` where the word
    /// has no status, which is in no adapter's table then.
    public static func told(
        _ status: CheckoutStatus?, by word: String?, amount: Money?, ids: ProviderIDs,
        mode: ProviderMode, awaitsCompletion: Bool = false
    ) -> StatusReport {
        guard let status else { return .indeterminate(.unknownWord, retryAfterSeconds: nil) }
        return .known(
            PaymentFacts(
                status: status, amount: amount, ids: ids, mode: mode, rawStatus: word,
                awaitsCompletion: awaitsCompletion))
    }
}
