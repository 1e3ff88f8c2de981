/// What an event knows about a person, or that opens something: kept sealed, never in clear.
///
/// Nothing here takes part in the fold, so destroying the key changes no state.
public struct PrivateFields: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The customer's e-mail address as the provider wrote it.
    public var customerEmail: String?
    /// The customer's name as the provider wrote it.
    public var customerName: String?
    /// Licence keys, in the provider's order.
    public var licenseKeys: [String]
    /// A delivery's body, byte for byte; a long one continues in `delivery.part` records.
    public var body: [UInt8]
    /// A delivery's header fields in order of arrival.
    public var headers: [HeaderField]
    /// The return URL as it arrived.
    public var returnURL: String?
    /// SHA-256 of the whole body, so that two arrivals can be compared; empty without a body.
    public var bodyDigest: [UInt8]
    /// The URLs that bring the customer back, as the app registered them for this checkout.
    public var registeredURLs: [String]
    /// Until when they are awaited: the checkout can no longer be paid then; nil when not known.
    public var expiresAt: Instant?

    /// All fields absent unless given.
    public init(
        customerEmail: String? = nil, customerName: String? = nil, licenseKeys: [String] = [],
        body: [UInt8] = [], headers: [HeaderField] = [], returnURL: String? = nil,
        bodyDigest: [UInt8] = [], registeredURLs: [String] = [], expiresAt: Instant? = nil
    ) {
        self.customerEmail = customerEmail
        self.customerName = customerName
        self.licenseKeys = licenseKeys
        self.body = body
        self.headers = headers
        self.returnURL = returnURL
        self.bodyDigest = bodyDigest
        self.registeredURLs = registeredURLs
        self.expiresAt = expiresAt
    }

    /// True when there is nothing to seal.
    ///
    /// Field by field: comparing with an empty value takes as long as sealing a short one.
    public var isEmpty: Bool {
        customerEmail == nil && customerName == nil && licenseKeys.isEmpty && body.isEmpty
            && headers.isEmpty && returnURL == nil && bodyDigest.isEmpty
            && registeredURLs.isEmpty && expiresAt == nil
    }

    /// Shows nothing.
    public var description: String { isEmpty ? "<none>" : "<private>" }

    /// Shows nothing, also to debuggers and `dump`.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// One header field of a delivery, its name as it arrived.
public struct HeaderField: Sendable, Hashable {
    /// The name, in the sender's own case.
    public var name: String
    /// The value, unchanged.
    public var value: String

    /// Pairs a name with its value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
