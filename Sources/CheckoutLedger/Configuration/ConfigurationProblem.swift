/// One mistake in a configuration: where, what, and what to do.
///
/// Names files, variables and settings; never a secret.
public struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
    /// What kind of mistake; the raw values are stable names for programs.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The file is no JSON object.
        case malformedFile = "malformed_file"
        /// No adapter has that name.
        case unknownProvider = "unknown_provider"
        /// Nobody asks for a setting of that name.
        case unknownSetting = "unknown_setting"
        /// A setting of the wrong type or with a value that cannot be used.
        case invalidSetting = "invalid_setting"
        /// A file that is named cannot be read.
        case unreadableFile = "unreadable_file"
        /// A variable that is named is not set, or empty.
        case unsetVariable = "unset_variable"
        /// There is no secret where one must be.
        case missingSecret = "missing_secret"
        /// A text that cannot be the secret it is meant to be.
        case malformedSecret = "malformed_secret"
        /// A test key in a live account, or the other way round.
        case mixedModes = "mixed_modes"
        /// A file of secrets that others on the machine can read; a warning.
        case openPermissions = "open_permissions"
    }

    /// What kind of mistake.
    public let kind: Kind
    /// The place in the file, such as `providers.dodo.accounts.eu.apiKeyFile`; empty for the whole.
    public let path: String
    /// One sentence for a person.
    public let message: String
    /// What to do about it.
    public let hint: String

    init(_ kind: Kind, at path: String, _ message: String, hint: String) {
        self.kind = kind
        self.path = path
        self.message = message
        self.hint = hint
    }

    /// True for mistakes that only mean less safety than there could be.
    public var isWarning: Bool { kind == .openPermissions }

    /// True when a secret is missing or wrong, or would be sent to the wrong world.
    public var isAboutSecrets: Bool {
        switch kind {
        case .unreadableFile, .unsetVariable, .missingSecret, .malformedSecret, .mixedModes: true
        default: false
        }
    }

    /// Place, sentence and hint on one line.
    public var description: String {
        (path.isEmpty ? "" : path + ": ") + (hint.isEmpty ? message : "\(message) \(hint)")
    }
}

/// A configuration that must not be used, with every mistake in it.
public struct ConfigurationError: Error, Sendable, Hashable {
    /// At least one that is no warning.
    public let problems: [ConfigurationProblem]

    /// True when a secret is among what is wrong.
    public var isAboutSecrets: Bool { problems.contains(where: \.isAboutSecrets) }
}

/// "Did you mean …?" for names in a configuration.
enum NearName {
    /// ` Did you mean 'x'?`, or which names there are, or nothing.
    static func hint(for name: String, among names: [String]) -> String {
        if name.utf8.count > 3, let longer = names.first(where: { $0.hasPrefix(name) }) {
            return "Did you mean '\(longer)'?"
        }
        let near = names.map { (name: $0, distance: distance(Array(name.utf8), Array($0.utf8))) }
            .min { $0.distance < $1.distance }
        if let near, near.distance * 2 <= max(name.utf8.count, near.name.utf8.count) {
            return "Did you mean '\(near.name)'?"
        }
        return names.isEmpty ? "" : "Known are: \(names.joined(separator: ", "))."
    }

    /// Insertions, deletions and changes that turn one word into the other.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard left.count <= 64, right.count <= 64 else { return max(left.count, right.count) }
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let change = last[column] + (left[row] == right[column] ? 0 : 1)
                current.append(min(change, last[column + 1] + 1, current[column] + 1))
            }
            last = current
        }
        return last[right.count]
    }
}
