import CheckoutModel
public import ProviderKit

/// What one provider's messages look like, as data: the file `<id>.json` beside an adapter's tests.
///
/// Made by the adapter's author from the provider's documentation, with signatures computed by
/// another program than the adapter's own. Read with the kit's strict JSON reader; whatever cannot
/// be read is kept in ``problems`` and fails the check `PC-X01`. Names that begin with `_` are
/// remarks. All sections but `provider` are optional; a capability without its section is not
/// believed (`PC-X06`).
///
/// - `provider`: the adapter's id
/// - `checkoutURLs`: `{"url", "session", "mode"}`, `{"url", "link": true, "mode"}`, or `{"url"}`
///   for one that is refused; `hostSuffix` where shops have hosts of their own, `written` where
///   the page writes the session's id otherwise than `session`
/// - `returns.parameters`: the names of `status`, `session` and `payment`, where there are any
/// - `returns.words`: the status words and their meaning, `{"paid": "succeeded"}`
/// - `returns.landings`: what a return without a status word means, `{"cancel": "cancelled"}`;
///   else pending
/// - `returns.template`: the literal that the provider replaces by the session's id
/// - `returns.unsigned`: parameters of signed returns that are not covered and decide nothing
/// - `returns.cases`: `{"id", "url", "landing", "open"}` with `status`, `session`, `payment`,
///   `subscription`, `order`, `customer`, or with `refused`, the code of the refusal
/// - `webhook.toleranceSeconds`: how old a delivery may be; null where no time is signed
/// - `webhook.headers`: headers without which nothing is believed
/// - `webhook.repeatable`: those of them that may come several times, each with a signature
/// - `webhook.covers`: `bytes`, or `fields` where only some fields of the body are signed
/// - `webhook.unsignedFields`: with `fields`, dotted paths that are read and not signed; they may
///   name the session, which the events then tell as unsigned, and give notes, and nothing else
/// - `webhook.lists`: true where a delivery may carry several signatures
/// - `webhook.events`: the kinds that this provider tells, such as `payment.succeeded`,
///   `authorized`, `refund.pending`, `dispute.opened`, `subscription.active`, `session.expired`
/// - `webhook.amount`: `minorInteger`, `minorText`, `decimalText` or `decimalNumber`; left out
///   where deliveries carry no amounts
/// - `webhook.currencies`: codes to try; else EUR, JPY and KWD
/// - `webhook.mode`: `body` where it says live or test, `endpoint` where the configuration must,
///   `live` for providers without a sandbox, `test` for those without real money
/// - `webhook.url`: the URL that the endpoint is configured with
/// - `webhook.now`, `webhook.secrets`: for the deliveries, seconds since 1970 and texts by role
/// - `webhook.deliveries`: `{"id", "headers", "body"}` with `accepted`, what the events say
///   (`["payment.succeeded 19.99 EUR"]`), or with `rejected`, the code of the refusal; `now`,
///   `secrets`, `mode` and `resolved` of their own where they differ; `headers` as a list of
///   pairs where a name is repeated; `bodyHex` for bodies that are no text
/// - `statuses`: for each kind of target (`session`, `payment`, `order`, `reference`) the
///   provider's words and their meaning
/// - `statusNamesObject`: false where replies do not name what they are about
/// - `creation.idempotency`: `header <name>`, `body`, or `none`
/// - `completion.idempotency`: `header <name>` or `body`; the words of its replies are those of
///   `statuses` for a session
public struct ConformanceVectors: Sendable {
    /// Whose they are.
    public internal(set) var provider = ""
    /// Checkout pages.
    public internal(set) var checkoutURLs: [PageVector] = []
    /// Returns; nil when the section is absent.
    public internal(set) var returns: ReturnFacts?
    /// Webhooks; nil when the section is absent.
    public internal(set) var webhook: WebhookFacts?
    /// Words of status queries by kind of target.
    public internal(set) var statuses: [StatusWords] = []
    /// False where replies do not name what they are about.
    public internal(set) var statusNamesObject = true
    /// Session creation; nil when the section is absent.
    public internal(set) var creation: CreationFacts?
    /// The completion of approved sessions; nil when the section is absent.
    public internal(set) var completion: CreationFacts?
    /// What could not be read, each with its place.
    public internal(set) var problems: [String] = []

    /// Reads a file.
    ///
    /// Never throws: what is wrong becomes a finding.
    public init(json: [UInt8]) {
        guard let value = try? JSONValue(json: json, limit: Limits.vectorBytes),
            case .object = value
        else {
            problems.append("the file is no JSON object")
            return
        }
        var reader = VectorReader(value)
        read(&reader)
        problems = reader.problems
    }
}

/// A URL and what it is to the adapter.
public struct PageVector: Sendable, Hashable {
    /// The URL.
    public let url: String
    /// What the adapter must say.
    public let match: CheckoutURLMatch
    /// What the hosts of all the provider's pages end with; nil where there is but one host.
    public let hostSuffix: String?
    /// The session's id as the page writes it; nil where it writes it as it is.
    public let written: String?
}

/// What returns of one provider look like.
public struct ReturnFacts: Sendable {
    var statusName: String?
    var sessionName: String?
    var paymentName: String?
    var words: [(word: String, status: CheckoutStatus)] = []
    var landings: [(landing: ReturnRequest.Landing, status: CheckoutStatus)] = []
    var template: String?
    var unsigned: [String] = []
    var cases: [ReturnCase] = []

    /// What a return without a status word means.
    func status(landing: ReturnRequest.Landing) -> CheckoutStatus {
        landings.first { $0.landing == landing }?.status ?? .pending
    }
}

struct ReturnCase: Sendable {
    let id: String
    let url: String
    let landing: ReturnRequest.Landing
    let open: String?
    let status: CheckoutStatus?
    let ids: ProviderIDs
    let refused: String?
}

/// What deliveries of one provider look like.
public struct WebhookFacts: Sendable {
    var toleranceSeconds: Int64?
    var headers: [String] = []
    var repeatable: [String] = []
    var coversBytes = true
    var unsignedFields: [String] = []
    var hasLists = false
    var events: [EventSample.Kind] = []
    var amount: AmountForm?
    var currencies = ["EUR", "JPY", "KWD"]
    var isModeInBody = false
    var isLiveOnly = false
    var isTestOnly = false
    var url = ""
    var deliveries: [DeliveryVector] = []
}

enum AmountForm: String, Sendable, CaseIterable {
    case minorInteger
    case minorText
    case decimalText
    case decimalNumber
}

struct DeliveryVector: Sendable {
    enum Expectation: Sendable {
        case accepted([String])
        case rejected(String)
    }

    let id: String
    let delivery: WebhookDelivery
    let now: Instant
    let secrets: [SecretRole: [String]]
    let resolved: [KeyRequest: String]
    let mode: ProviderMode
    let expected: Expectation
}

/// The words for one kind of target.
public struct StatusWords: Sendable {
    let target: String
    let words: [(word: String, status: CheckoutStatus)]
}

/// What the creation or the completion of sessions looks like.
public struct CreationFacts: Sendable {
    enum Idempotency: Sendable, Hashable {
        case header(String)
        case body
        case none
    }

    let idempotency: Idempotency
}
