public import CheckoutModel

/// The adapters of one installation: an explicit list, no reflection, no loading at run time.
public struct ProviderRegistry: Sendable {
    private let providers: [any PaymentProvider]

    /// Takes the adapters in the order in which URLs are offered to them.
    ///
    /// Throws `duplicate_provider`, `malformed_provider_id` or `kit_version_mismatch`.
    public init(_ providers: [any PaymentProvider]) throws(RegistryError) {
        var seen: Set<ProviderID> = []
        for provider in providers {
            let descriptor = type(of: provider).descriptor
            guard descriptor.id.isWellFormed else { throw .malformedID(descriptor.id) }
            guard seen.insert(descriptor.id).inserted else { throw .duplicate(descriptor.id) }
            guard descriptor.kitVersion == ProviderDescriptor.currentKitVersion else {
                throw .kitVersionMismatch(descriptor.id, found: descriptor.kitVersion)
            }
        }
        self.providers = providers
    }

    /// Who is registered, in order.
    public var descriptors: [ProviderDescriptor] { providers.map { type(of: $0).descriptor } }

    /// The adapter of this name.
    public func provider(_ id: ProviderID) -> (any PaymentProvider)? {
        providers.first { type(of: $0).descriptor.id == id }
    }

    /// The adapter, when it reads return URLs.
    public func returns(_ id: ProviderID) -> (any ReturnURLParsing)? {
        provider(id) as? any ReturnURLParsing
    }

    /// The adapter, when its return URLs are signed.
    public func signedReturns(_ id: ProviderID) -> (any SignedReturn)? {
        provider(id) as? any SignedReturn
    }

    /// The adapter, when it receives webhooks.
    public func webhooks(_ id: ProviderID) -> (any WebhookReceiving)? {
        provider(id) as? any WebhookReceiving
    }

    /// The adapter, when it receives unsigned notes.
    public func hints(_ id: ProviderID) -> (any HintReceiving)? {
        provider(id) as? any HintReceiving
    }

    /// The adapter, when its provider can be asked.
    public func statusQueries(_ id: ProviderID) -> (any StatusQuerying)? {
        provider(id) as? any StatusQuerying
    }

    /// The adapter, when it creates sessions.
    public func sessionCreation(_ id: ProviderID) -> (any SessionCreating)? {
        provider(id) as? any SessionCreating
    }

    /// The adapter, when its provider publishes the keys that it signs with.
    public func keyPublishing(_ id: ProviderID) -> (any KeyPublishing)? {
        provider(id) as? any KeyPublishing
    }

    /// The adapter, when its provider waits for us to take what was approved.
    public func paymentCompletion(_ id: ProviderID) -> (any PaymentCompleting)? {
        provider(id) as? any PaymentCompleting
    }

    /// What the adapter can do, derived from what it conforms to.
    public func capabilities(_ id: ProviderID) -> Set<ProviderCapability> {
        provider(id).map { ProviderCapability.all(of: type(of: $0)) } ?? []
    }

    /// The first adapter that knows the URL, and what it is to it; nil when none does.
    public func recognise(
        checkoutURL: String
    ) -> (provider: ProviderID, match: CheckoutURLMatch)? {
        for provider in providers {
            let match = provider.recognise(checkoutURL: checkoutURL)
            if match != .notMine { return (type(of: provider).descriptor.id, match) }
        }
        return nil
    }
}

/// Something an adapter can do.
public enum ProviderCapability: String, Sendable, Hashable, CaseIterable {
    /// ``ReturnURLParsing``
    case returnURL = "return_url"
    /// ``SignedReturn``
    case signedReturn = "signed_return"
    /// ``WebhookReceiving``
    case webhook
    /// ``HintReceiving``
    case hint
    /// ``StatusQuerying``
    case statusQuery = "status_query"
    /// ``SessionCreating``
    case sessionCreation = "session_creation"
    /// ``KeyPublishing``
    case keyPublishing = "key_publishing"
    /// ``PaymentCompleting``
    case paymentCompletion = "payment_completion"

    /// What an adapter conforms to.
    public static func all(of adapter: any PaymentProvider.Type) -> Set<ProviderCapability> {
        Set(
            allCases.filter { capability in
                switch capability {
                case .returnURL: adapter is any ReturnURLParsing.Type
                case .signedReturn: adapter is any SignedReturn.Type
                case .webhook: adapter is any WebhookReceiving.Type
                case .hint: adapter is any HintReceiving.Type
                case .statusQuery: adapter is any StatusQuerying.Type
                case .sessionCreation: adapter is any SessionCreating.Type
                case .keyPublishing: adapter is any KeyPublishing.Type
                case .paymentCompletion: adapter is any PaymentCompleting.Type
                }
            })
    }
}

/// A list of adapters that cannot be used: a mistake in the program, found at its start.
public enum RegistryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Two adapters of one name.
    case duplicate(ProviderID)
    /// Not lower-case letters and digits, joined by single `.` or `-`.
    case malformedID(ProviderID)
    /// Written for another version of the kit.
    case kitVersionMismatch(ProviderID, found: Int)

    /// The stable name for programs.
    public var code: String {
        switch self {
        case .duplicate: "duplicate_provider"
        case .malformedID: "malformed_provider_id"
        case .kitVersionMismatch: "kit_version_mismatch"
        }
    }

    /// One sentence for a person.
    public var message: String {
        switch self {
        case .duplicate(let id): "Two adapters are called \(id)."
        case .malformedID(let id): "The name \"\(id)\" is not one that a provider can have."
        case .kitVersionMismatch(let id, let found):
            """
            The adapter \(id) was written for kit version \(found), this is \
            \(ProviderDescriptor.currentKitVersion).
            """
        }
    }

    /// What to do about it.
    public var hint: String {
        switch self {
        case .duplicate: "Register each provider once."
        case .malformedID: "Use lower-case letters, digits, dots and hyphens, as com.example.pay."
        case .kitVersionMismatch: "Build the adapter against this version."
        }
    }

    /// Code, sentence and hint on one line.
    public var description: String { "\(code): \(message) \(hint)" }
}

extension ProviderID {
    /// Lower-case letters and digits, joined by single `.` or `-`, at most 64.
    fileprivate var isWellFormed: Bool {
        let parts = rawValue.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }
        return rawValue.utf8.count <= 64
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                    }
            }
    }
}
