/// A request to be sent by whoever owns the network; made and read without any I/O.
///
/// Its headers hold the API key, so it is never logged: the description shows method and URL.
public struct HTTPRequestPlan: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// `GET` or `POST`.
    public let method: String
    /// An absolute https URL; holds no secret.
    public let url: String
    /// The headers to send.
    public let headers: HeaderList
    /// The body; empty for `GET`.
    public let body: [UInt8]
    /// True when sending it twice does no more than sending it once.
    public let isRepeatable: Bool
    /// Where the access token comes from that the host adds to it; nil when it needs none.
    public let token: TokenGrant?

    /// States a request; `isRepeatable` nil = for `GET` only.
    ///
    /// A `POST` is repeatable when the provider keeps to an idempotency key in it.
    public init(
        method: String, url: String, headers: HeaderList, body: [UInt8] = [],
        isRepeatable: Bool? = nil, token: TokenGrant? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.isRepeatable = isRepeatable ?? (method == "GET")
        self.token = token
    }

    /// Method and URL.
    public var description: String { "\(method) \(url)" }

    /// Shows method and URL only, also to debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["method": method, "url": url]) }
}

/// How the host gets an access token: a form posted to the provider, answered in JSON.
///
/// The host keeps the token until shortly before it ends and sends it as
/// `Authorization: Bearer …`. Its headers and body hold secrets, so the description shows the URL
/// only. Source: RFC 6749 §4.4.
public struct TokenGrant: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// An absolute https URL; holds no secret.
    public let url: String
    /// The headers to send.
    public let headers: HeaderList
    /// The form.
    public let body: [UInt8]

    /// States a grant by client credentials.
    public init(url: String, headers: HeaderList, body: [UInt8]) {
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The request that asks for a token; asking twice is harmless.
    public var request: HTTPRequestPlan {
        HTTPRequestPlan(
            method: "POST", url: url, headers: headers, body: body, isRepeatable: true)
    }

    /// The token and its lifetime in seconds, from `access_token` and `expires_in`.
    ///
    /// Throws `unauthorized`, `refused`, `unreadable_reply`. A lifetime that is not told is 0.
    public static func read(
        _ reply: HTTPReply
    ) throws(ProviderReplyError) -> (token: String, lifetimeSeconds: Int64) {
        let fields = try reply.createdObject()
        guard let token = fields.note("access_token") else { throw .unreadable }
        return (token, (try? fields.integer("expires_in")) ?? 0)
    }

    /// The URL.
    public var description: String { url }

    /// Shows the URL only, also to debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}

/// A reply as it came.
public struct HTTPReply: Sendable, Hashable, CustomStringConvertible {
    /// The status code.
    public let status: Int
    /// The headers in their order.
    public let headers: HeaderList
    /// The body's bytes.
    public let body: [UInt8]

    /// Takes a reply.
    public init(status: Int, headers: HeaderList = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Status and size; bodies hold people.
    public var description: String { "\(status), \(body.count) bytes" }

    /// Whole seconds to wait, from `Retry-After`; nil when absent or a date.
    public var retryAfterSeconds: Int? {
        guard let text = headers.first("Retry-After"), text.utf8.count < 10,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }
}

/// Why no request could be planned; carries no secret.
public enum RequestPlanError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A secret is missing or of the wrong kind.
    case secret(SecretError)
    /// The adapter cannot ask about this kind of target.
    case unsupportedTarget
    /// The id cannot stand in a URL: empty, too long, or a dot segment.
    case unusableID
    /// Neither the configuration nor the id says whether live or test is meant.
    case unknownMode
    /// The draft lacks something that the provider needs.
    case missingField(String)
    /// An amount that the provider's wire cannot carry exactly.
    case unusableAmount
    /// The provider sells one product in one piece, and the draft has more.
    case tooManyItems

    /// The stable name for programs.
    public var code: String {
        switch self {
        case .secret(let error): error.code
        case .unsupportedTarget: "unsupported_target"
        case .unusableID: "unusable_id"
        case .unknownMode: "unknown_mode"
        case .missingField: "missing_field"
        case .unusableAmount: "unusable_amount"
        case .tooManyItems: "too_many_items"
        }
    }

    /// One sentence for a person.
    public var message: String {
        switch self {
        case .secret(let error): error.message
        case .unsupportedTarget: "This provider cannot be asked about that kind of id."
        case .unusableID: "The id is not one that the provider gives."
        case .unknownMode: "It is not known whether live or test is meant."
        case .missingField(let name): "The draft has no \(name)."
        case .unusableAmount: "The amount cannot be sent exactly."
        case .tooManyItems: "This provider sells one product in one piece at a time."
        }
    }

    /// What to do about it.
    public var hint: String {
        switch self {
        case .secret(let error): error.hint
        case .unknownMode: "Say so in the provider's configuration."
        default: "Nothing was sent."
        }
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}
