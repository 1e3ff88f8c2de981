/// A group of private fields that has keys of its own, so that it can be erased apart.
///
/// The law may want an address forgotten and an invoice kept. Numbers are stored.
public enum PrivateClass: UInt8, Sendable, Hashable, CaseIterable {
    /// Who the customer is: name, address, URLs and the raw words of deliveries.
    case contact = 1
    /// What was sold: licence keys.
    case commercial = 2

    /// The word that people and JSON see.
    public var name: String {
        switch self {
        case .contact: "contact"
        case .commercial: "commercial"
        }
    }

    /// Reads the word; nil for any other.
    public init?(name: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

/// Some of the classes.
public struct PrivateClasses: OptionSet, Sendable, Hashable {
    /// One bit each, as stored.
    public let rawValue: UInt8
    /// Takes the bits as stored.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Only that class.
    public init(_ dataClass: PrivateClass) { rawValue = dataClass.rawValue }

    /// Who the customer is.
    public static let contact = Self(.contact)
    /// What was sold.
    public static let commercial = Self(.commercial)
    /// All there are.
    public static let all: Self = [.contact, .commercial]

    /// True when that class is among them.
    public func contains(_ dataClass: PrivateClass) -> Bool { contains(Self(dataClass)) }

    /// In the order in which they are stored.
    public var list: [PrivateClass] { PrivateClass.allCases.filter { contains($0) } }
}

extension PrivateFields {
    /// The classes of which there is something.
    public var classes: PrivateClasses {
        var found: PrivateClasses = []
        if !licenseKeys.isEmpty { found.insert(.commercial) }
        if customerEmail != nil || customerName != nil || !body.isEmpty || !headers.isEmpty
            || returnURL != nil || !bodyDigest.isEmpty || !registeredURLs.isEmpty
            || expiresAt != nil
        {
            found.insert(.contact)
        }
        return found
    }

    /// The fields of one class alone.
    ///
    /// A delivery's body belongs to `contact` whatever else it says: it names the customer.
    public func only(_ dataClass: PrivateClass) -> PrivateFields {
        var fields = self
        switch dataClass {
        case .commercial: return PrivateFields(licenseKeys: licenseKeys)
        case .contact: fields.licenseKeys = []
        }
        return fields
    }

    /// Takes over the fields of a class from where they were opened.
    public mutating func add(_ dataClass: PrivateClass, from other: PrivateFields) {
        switch dataClass {
        case .commercial: licenseKeys += other.licenseKeys
        case .contact:
            // A blob of before there were classes holds both.
            let licenses = licenseKeys
            self = other
            licenseKeys += licenses
        }
    }
}
