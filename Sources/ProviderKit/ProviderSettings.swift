public import CheckoutModel

/// The settings of one account as a configuration file has them: read once, by name, and every
/// mistake kept.
///
/// Reading never throws. A setting of the wrong type reads as absent and is a problem; a name that
/// nobody asked for is one too, so that a slip of the pen is not taken for a default.
public struct ProviderSettings: Sendable {
    /// Live or test, as the account says; unknown when it does not.
    public let mode: ProviderMode
    /// What was wrong, in the order in which it was read.
    public private(set) var problems: [ProviderConfigurationError] = []
    private let members: [JSONMember]
    private var asked: Set<String> = []

    /// Takes an account's own members, without those that belong to the host, such as secrets.
    public init(mode: ProviderMode = .unknown, _ members: [JSONMember] = []) {
        self.mode = mode
        self.members = members
    }

    /// Text that is not empty; nil when absent.
    public mutating func text(_ name: String) -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.text, !text.isEmpty else {
            return refuse(name, "\(name) must be text that is not empty.")
        }
        return text
    }

    /// Text that must be there; empty, and a problem, when it is not.
    public mutating func requiredText(_ name: String) -> String {
        let before = problems.count
        if let text = text(name) { return text }
        if problems.count == before { report(name, "\(name) is missing.") }
        return ""
    }

    /// Texts that are not empty; nil when absent.
    public mutating func texts(_ name: String) -> [String]? {
        guard let value = take(name) else { return nil }
        let texts = (value.elements ?? []).compactMap(\.text)
        guard let elements = value.elements, texts.count == elements.count, !texts.contains("")
        else {
            return refuse(name, "\(name) must be a list of texts.")
        }
        return texts
    }

    /// True or false; nil when absent.
    public mutating func flag(_ name: String) -> Bool? {
        guard let value = take(name) else { return nil }
        guard case .bool(let flag) = value else {
            return refuse(name, "\(name) must be true or false.")
        }
        return flag
    }

    /// A whole number of seconds, not negative; nil when absent.
    public mutating func seconds(_ name: String) -> Int64? {
        guard let value = take(name) else { return nil }
        guard let seconds = value.integer, seconds >= 0 else {
            return refuse(name, "\(name) must be a whole number of seconds.")
        }
        return seconds
    }

    /// Adds a mistake that only the adapter can see.
    public mutating func report(_ name: String, _ message: String) {
        problems.append(ProviderConfigurationError(field: name, message: message))
    }

    /// The names that were given and never asked for, in their order.
    public var unknownNames: [String] {
        members.map(\.name).filter { !asked.contains($0) }
    }

    /// The names that were asked for, sorted: what an adapter takes.
    public var knownNames: [String] { asked.sorted() }

    private mutating func take(_ name: String) -> JSONValue? {
        asked.insert(name)
        let value = members.first { $0.name == name }?.value
        return value == .null ? nil : value
    }

    private mutating func refuse<Value>(_ name: String, _ message: String) -> Value? {
        report(name, message)
        return nil
    }
}

/// What differs between installations of an adapter and is not secret.
public protocol ProviderConfiguration: Sendable {
    /// Reads an account's settings; mistakes go into `settings.problems`.
    init(settings: inout ProviderSettings)
}

/// For adapters that need no settings.
public struct NoConfiguration: ProviderConfiguration {
    /// Nothing to say.
    public init() {}

    /// Reads nothing.
    public init(settings: inout ProviderSettings) {}
}

extension PaymentProvider {
    /// The adapter for one account of a configuration file.
    ///
    /// Throws every mistake at once; `unknown_setting`s are the caller's to name, with what is
    /// close to them.
    public static func configured(
        by settings: inout ProviderSettings
    ) throws(ProviderSettingsError) -> Self {
        let configuration = Configuration(settings: &settings)
        guard settings.problems.isEmpty else { throw ProviderSettingsError(settings.problems) }
        do throws(ProviderConfigurationError) {
            return try Self(configuration: configuration)
        } catch {
            throw ProviderSettingsError([error])
        }
    }
}

/// All mistakes of one account's settings.
public struct ProviderSettingsError: Error, Sendable, Hashable {
    /// At least one.
    public let problems: [ProviderConfigurationError]

    init(_ problems: [ProviderConfigurationError]) { self.problems = problems }
}
