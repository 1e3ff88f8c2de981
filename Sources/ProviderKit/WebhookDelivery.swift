/// One webhook as it arrived: bytes and headers, nothing parsed, nothing trusted.
public struct WebhookDelivery: Sendable, Hashable, CustomStringConvertible {
    /// The HTTP method, such as `POST`.
    public let method: String
    /// The public URL that the provider was told to call.
    ///
    /// The host's configuration says it; a URL taken from the request would let a sender choose
    /// what its signature covers.
    public let configuredURL: String
    /// Every header in the order of arrival; a name may occur more than once.
    public let headers: HeaderList
    /// The exact bytes of the body.
    public let body: [UInt8]

    /// Takes what arrived.
    ///
    /// Copies no bytes and checks nothing; ``DeliveryVerifier`` does.
    public init(
        method: String = "POST", configuredURL: String = "", headers: HeaderList, body: [UInt8]
    ) {
        self.method = method
        self.configuredURL = configuredURL
        self.headers = headers
        self.body = body
    }

    /// Sizes only: headers hold signatures, bodies hold people.
    public var description: String {
        "WebhookDelivery(\(headers.fields.count) headers, \(body.count) bytes)"
    }
}

/// HTTP headers in their order; names ignore ASCII case.
public struct HeaderList: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One header line.
    public struct Field: Sendable, Hashable {
        /// As it was written.
        public let name: String
        /// Without the blanks around it that HTTP ignores.
        public let value: String

        /// Takes a line apart; spaces and tabs around the value are dropped, as HTTP has it.
        public init(name: String, value: String) {
            self.name = name
            self.value = value.trimmingBlanks
        }

        /// Keeps blanks: for pairs that are no headers.
        init(verbatim name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The lines in their order.
    public let fields: [Field]

    /// Takes the lines in their order.
    public init(_ fields: [Field]) { self.fields = fields }

    /// Takes names and values in their order.
    public init(_ pairs: some Sequence<(name: String, value: String)>) {
        fields = pairs.map { Field(name: $0.name, value: $0.value) }
    }

    /// Takes names and values in their order; a name may be repeated.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of this name, whether or not others disagree.
    ///
    /// For notes such as `Retry-After`; whatever is signed is read with ``one(_:)``.
    public func first(_ name: String) -> String? {
        fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// The one value of this name.
    ///
    /// The same value several times is one value: proxies do that. Throws `missing_header`,
    /// `ambiguous_header` when two values differ, and `malformed_header` when the value or the
    /// list is longer than ``Limits`` allows.
    public func one(_ name: String) throws(WebhookRejection) -> String {
        guard fields.count <= Limits.headers else { throw .malformedHeader(name) }
        var found: String?
        for field in fields where field.name.equalsIgnoringASCIICase(name) {
            if let found, !found.utf8.elementsEqual(field.value.utf8) {
                throw .ambiguousHeader(name)
            }
            found = field.value
        }
        guard let found, !found.isEmpty else { throw .missingHeader(name) }
        guard found.utf8.count <= Limits.headerBytes else { throw .malformedHeader(name) }
        return found
    }
}

extension StringProtocol {
    /// Compares bytes with `A`–`Z` taken as `a`–`z`; no locale, no Unicode folding.
    func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        func lower(_ byte: UInt8) -> UInt8 {
            (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        }
        return utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { lower($0) == lower($1) }
    }

    /// Without spaces and tabs at both ends.
    var trimmingBlanks: String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let bytes = utf8.drop(while: isBlank)
        let count = bytes.reversed().drop(while: isBlank).count
        return String(decoding: Array(bytes.prefix(count)), as: UTF8.self)
    }
}
