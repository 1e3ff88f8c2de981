public import CheckoutModel

/// A hosted checkout to be created.
public struct SessionDraft: Sendable, Hashable {
    /// What is sold; at least one.
    public var items: [Item]
    /// The merchant's own reference; comes back with every event.
    public var reference: String
    /// Where the customer is sent after paying.
    public var returnURL: String
    /// Where the customer is sent after giving up; nil = the provider's choice.
    public var cancelURL: String?
    /// The customer's address, to fill in; private.
    public var customerEmail: String?

    /// Describes a checkout.
    public init(
        items: [Item], reference: String, returnURL: String, cancelURL: String? = nil,
        customerEmail: String? = nil
    ) {
        self.items = items
        self.reference = reference
        self.returnURL = returnURL
        self.cancelURL = cancelURL
        self.customerEmail = customerEmail
    }

    /// One line of what is sold.
    public struct Item: Sendable, Hashable {
        /// The provider's id of the product or price; nil for a line described here.
        public var productID: String?
        /// The name shown.
        public var name: String
        /// How many; at least 1.
        public var quantity: Int
        /// The exact price of one; nil = the product's own.
        public var unitAmount: Money?

        /// Describes a line.
        public init(
            productID: String? = nil, name: String = "", quantity: Int = 1,
            unitAmount: Money? = nil
        ) {
            self.productID = productID
            self.name = name
            self.quantity = quantity
            self.unitAmount = unitAmount
        }
    }
}

/// The same text for the same wish, so that repeating a request makes no second session.
public struct IdempotencyKey: RawRepresentable, Sendable, Hashable {
    /// At most 255 printable ASCII characters.
    public let rawValue: String

    /// Takes the text; nil when it is empty, longer, or not printable ASCII.
    public init?(rawValue: String) {
        guard (1...255).contains(rawValue.utf8.count),
            rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.rawValue = rawValue
    }
}

/// Randomness for schemes that sign requests; injected, so that plans can be repeated in tests.
public struct Nonce: Sendable, Hashable {
    /// The random bytes.
    public let bytes: [UInt8]

    /// Takes random bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A hosted checkout that the provider made.
public struct CreatedSession: Sendable, Hashable {
    /// Every id named, the session's among them.
    public let ids: ProviderIDs
    /// The page to open; nil when the provider has none for this session.
    public let checkoutURL: String?
    /// When it can no longer be paid; nil when not told.
    public let expiresAt: Instant?
    /// Live or test.
    public let mode: ProviderMode

    /// States what was made.
    public init(ids: ProviderIDs, checkoutURL: String?, expiresAt: Instant?, mode: ProviderMode) {
        self.ids = ids
        self.checkoutURL = checkoutURL
        self.expiresAt = expiresAt
        self.mode = mode
    }
}
