/// A payload as records keep it: `checkout_event.proto` in wire format.
///
/// What the header already says (type, times, source, evidence, amount) is not said again.
public struct EventPayload: Sendable, Hashable {
    /// The payment provider; never empty.
    public var provider = ""
    /// The merchant's account there.
    public var account = ""
    /// Every id the speaker gave.
    public var ids = ProviderIDs()
    /// The provider's own word.
    public var rawType: String?
    /// A reason in words.
    public var reason: String?
    /// The provider's delivery id.
    public var deliveryID: String?
    /// How the delivery was verified.
    public var verification: CheckoutEvent.Verification?
    /// Place of a piece of a long body.
    public var part: CheckoutEvent.Part?
    /// The person who acted.
    public var actor: String?
    /// Earlier resolutions this one replaces.
    public var replaces: [EventReference] = []
    /// The other stream of a link, plus one; 0 when this is not a link.
    public var linkedStreamPlusOne: UInt64 = 0
    /// Sealed private fields, one blob a data class.
    public var sealed: [[UInt8]] = []
    /// Commitments to the keys of `sealed`, in its order, where this event is the first to use
    /// one of them; else none.
    public var keyCommitments: [[UInt8]] = []
    /// HMAC-SHA-256 of a delivery's body under its data key.
    public var bodyTag: [UInt8] = []
    /// What an event about privacy states.
    public var privacy: PrivacyRecord? {
        get { privacyRecords.first }
        set { privacyRecords = newValue.map { [$0] } ?? [] }
    }
    /// At most one; apart, since it is large and few payloads have it.
    private var privacyRecords: [PrivacyRecord] = []
    /// Private fields that came after their subject was erased, and were not kept.
    public var discarded: DiscardedFields?
    /// What was taken out before it was stored.
    public var redactions: [RedactionNote] = []
    /// What a reading, an export or a verification covered.
    public var audit: AuditNote? {
        get { auditNotes.first }
        set { auditNotes = newValue.map { [$0] } ?? [] }
    }
    /// At most one; apart, since it is large and few payloads have it.
    private var auditNotes: [AuditNote] = []
    /// Fields of a newer build, kept as they were read.
    public var unknownFields: [UInt8] = []

    /// An empty payload.
    public init() {}

    /// The clear part of an event.
    ///
    /// Shared, as in `Fact`: an initialiser would else have its own copy of the twenty fields made.
    public init(_ event: __shared CheckoutEvent) {
        provider = event.provider.rawValue
        account = event.account
        ids = event.ids
        rawType = event.rawType
        reason = event.reason
        deliveryID = event.deliveryID
        verification = event.verification
        part = event.part
        actor = event.actor
        replaces = event.replaces
    }

    /// The wire format.
    public func encoded() -> [UInt8] {
        var writer = ProtobufWriter(
            reserving: byteBound + Self.byteBound(sealed, keyCommitments, bodyTag)
                + unknownFields.count)
        writeClear(to: &writer)
        writer.integer(17, linkedStreamPlusOne)
        Self.write(sealed, keyCommitments, bodyTag, discarded, to: &writer)
        if let privacy { writer.message(21) { privacy.write(to: &$0) } }
        for note in redactions { writer.message(23) { note.write(to: &$0) } }
        if let audit { writer.message(24) { audit.write(to: &$0) } }
        writer.raw(unknownFields)
        return writer.bytes
    }

    /// The wire format of an event's clear part and what was sealed of it: as that of a payload
    /// made from the event, without making one.
    package static func encoded(
        _ event: __shared CheckoutEvent, sealed: [[UInt8]], keyCommitments: [[UInt8]],
        bodyTag: [UInt8], discarded: DiscardedFields? = nil, redactions: [RedactionNote] = []
    ) -> [UInt8] {
        var writer = ProtobufWriter(
            reserving: event.byteBound + byteBound(sealed, keyCommitments, bodyTag))
        event.writeClear(to: &writer)
        write(sealed, keyCommitments, bodyTag, discarded, to: &writer)
        for note in redactions { writer.message(23) { note.write(to: &$0) } }
        return writer.bytes
    }

    private static func write(
        _ sealed: [[UInt8]], _ keyCommitments: [[UInt8]], _ bodyTag: [UInt8],
        _ discarded: DiscardedFields?, to writer: inout ProtobufWriter
    ) {
        for blob in sealed { writer.data(18, blob) }
        for commitment in keyCommitments { writer.data(19, commitment) }
        writer.data(20, bodyTag)
        if let discarded { writer.message(22) { discarded.write(to: &$0) } }
    }

    private static func byteBound(
        _ sealed: [[UInt8]], _ keyCommitments: [[UInt8]], _ bodyTag: [UInt8]
    ) -> Int {
        var bound = bodyTag.count
        for blob in sealed { bound += blob.count + 8 }
        for commitment in keyCommitments { bound += commitment.count + 8 }
        return bound
    }

    /// Reads the wire format; a field this build does not know is kept, not dropped.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            guard try take(field) else {
                unknownFields.append(contentsOf: field.raw)
                continue
            }
        }
    }

    /// Reads an owned copy.
    public init(decoding bytes: [UInt8]) throws(PayloadError) {
        self.init()
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(PayloadError) in
            try EventPayload(decoding: UnsafeRawBufferPointer(buffer))
        }
    }

    private mutating func take(_ field: ProtobufReader.Field) throws(PayloadError) -> Bool {
        switch (field.number, field.value) {
        case (1, .bytes(let text)): provider = try .init(utf8: text)
        case (2, .bytes(let text)): account = try .init(utf8: text)
        case (3, .bytes(let text)): ids.session = try .init(utf8: text)
        case (4, .bytes(let text)): ids.payment = try .init(utf8: text)
        case (5, .bytes(let text)): ids.refund = try .init(utf8: text)
        case (6, .bytes(let text)): ids.dispute = try .init(utf8: text)
        case (7, .bytes(let text)): ids.subscription = try .init(utf8: text)
        case (8, .bytes(let text)): ids.order = try .init(utf8: text)
        case (9, .bytes(let text)): ids.customer = try .init(utf8: text)
        case (10, .bytes(let text)): rawType = try .init(utf8: text)
        case (11, .bytes(let text)): reason = try .init(utf8: text)
        case (12, .bytes(let text)): deliveryID = try .init(utf8: text)
        case (13, .bytes(let nested)): verification = try .init(decoding: nested)
        case (14, .bytes(let nested)): part = try .init(decoding: nested)
        case (15, .bytes(let text)): actor = try .init(utf8: text)
        case (16, .fixed64(let value)): replaces.append(EventReference(rawValue: value))
        case (17, .integer(let value)): linkedStreamPlusOne = value
        case (18, .bytes(let blob)): sealed.append(Array(blob))
        case (19, .bytes(let blob)): keyCommitments.append(Array(blob))
        case (20, .bytes(let blob)): bodyTag = Array(blob)
        case (21, .bytes(let nested)): privacy = try .init(decoding: nested)
        case (22, .bytes(let nested)): discarded = try .init(decoding: nested)
        case (23, .bytes(let nested)): redactions.append(try .init(decoding: nested))
        case (24, .bytes(let nested)): audit = try .init(decoding: nested)
        default: return false
        }
        return true
    }
}

/// What a payload says in clear, of an event or of a payload itself.
private protocol ClearFields {
    var providerName: String { get }
    var account: String { get }
    var ids: ProviderIDs { get }
    var rawType: String? { get }
    var reason: String? { get }
    var deliveryID: String? { get }
    var verification: CheckoutEvent.Verification? { get }
    var part: CheckoutEvent.Part? { get }
    var actor: String? { get }
    var replaces: [EventReference] { get }
}

extension CheckoutEvent: ClearFields {
    fileprivate var providerName: String { provider.rawValue }
}

extension EventPayload: ClearFields {
    fileprivate var providerName: String { provider }
}

extension ClearFields {
    @inline(__always)
    fileprivate func writeClear(to writer: inout ProtobufWriter) {
        writer.string(1, providerName)
        writer.string(2, account)
        writer.string(3, ids.session)
        writer.string(4, ids.payment)
        writer.string(5, ids.refund)
        writer.string(6, ids.dispute)
        writer.string(7, ids.subscription)
        writer.string(8, ids.order)
        writer.string(9, ids.customer)
        writer.string(10, rawType)
        writer.string(11, reason)
        writer.string(12, deliveryID)
        if let verification {
            writer.message(13) {
                $0.string(1, verification.scheme)
                $0.string(2, verification.keyFingerprint)
                $0.string(3, verification.adapterVersion)
            }
        }
        if let part {
            writer.message(14) {
                $0.integer(1, UInt64(part.index))
                $0.integer(2, UInt64(part.count))
            }
        }
        writer.string(15, actor)
        for reference in replaces { writer.fixed64(16, reference.rawValue) }
    }

    /// At least as many bytes as the clear part of an ordinary payload has.
    @inline(__always)
    fileprivate var byteBound: Int {
        func bytes(_ text: String?) -> Int { text.map { $0.utf8.count + 4 } ?? 0 }
        var bound = bytes(providerName) + bytes(account) + 64
        bound += bytes(ids.session) + bytes(ids.payment) + bytes(ids.refund) + bytes(ids.dispute)
        bound += bytes(ids.subscription) + bytes(ids.order) + bytes(ids.customer)
        bound += bytes(rawType) + bytes(reason) + bytes(deliveryID) + bytes(actor)
        return bound
    }
}

extension CheckoutEvent.Verification {
    fileprivate init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init(scheme: "", keyFingerprint: "", adapterVersion: "")
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            guard case .bytes(let text) = field.value else { continue }
            switch field.number {
            case 1: scheme = try String(utf8: text)
            case 2: keyFingerprint = try String(utf8: text)
            case 3: adapterVersion = try String(utf8: text)
            default: break
            }
        }
    }
}

extension CheckoutEvent.Part {
    fileprivate init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init(index: 0, count: 0)
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            guard case .integer(let value) = field.value else { continue }
            switch field.number {
            case 1: index = UInt32(truncatingIfNeeded: value)
            case 2: count = UInt32(truncatingIfNeeded: value)
            default: break
            }
        }
    }
}

extension String {
    /// Text that must be UTF-8; a repaired id would name something else.
    init(utf8 bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PayloadError(offset: 0)
        }
        self = text
    }
}
