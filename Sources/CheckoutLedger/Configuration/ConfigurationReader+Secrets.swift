import CheckoutModel
import ProviderKit

/// The names under which an account's secrets stand: `<role>File` and `<role>Environment`.
struct AccountSecretNames {
    struct Name {
        let rule: SecretRule
        let file: String
        let variable: String
    }

    let names: [Name]

    init(_ rules: [SecretRule]) {
        names = rules.map { rule in
            let role = Self.camelCased(rule.role.rawValue)
            return Name(rule: rule, file: role + "File", variable: role + "Environment")
        }
        // One word for the usual case: the one secret that checks webhooks.
        let verifying = rules.filter(\.verifies)
        short = verifying.count == 1 ? verifying.first : nil
    }

    /// The role that `secretFile` and `secretEnvironment` mean; nil where there are several.
    let short: SecretRule?

    var all: [String] {
        names.flatMap { [$0.file, $0.variable] }
            + (short == nil ? [] : ["secretFile", "secretEnvironment"])
    }

    /// `api_key` as `apiKey`.
    private static func camelCased(_ role: String) -> String {
        let words = role.split(separator: "_")
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return (words.first.map { String($0) } ?? "") + rest.joined()
    }
}

extension ConfigurationReader {
    /// The texts of every role that the account names, checked one by one.
    mutating func readSecrets(
        _ descriptor: ProviderDescriptor, _ members: [JSONMember], _ roles: AccountSecretNames,
        mode: ProviderMode, at path: String
    ) -> [SecretRole: [String]] {
        var texts: [SecretRole: [String]] = [:]
        var modes: [(ProviderMode, path: String)] = mode == .unknown ? [] : [(mode, path)]
        for member in members where roles.all.contains(member.name) {
            let place = "\(path).\(member.name)"
            let name = roles.names.first { $0.file == member.name || $0.variable == member.name }
            guard let rule = name?.rule ?? roles.short else { continue }
            let isFile = member.name.hasSuffix("File")
            for source in sourceNames(member.value, at: place) {
                let found =
                    isFile
                    ? secrets(inFile: source, at: place) : secrets(inVariable: source, at: place)
                guard let found else { continue }
                check(found, rule, from: source, at: place)
                for text in found {
                    note(SecretRule.mode(of: text), &modes, at: place)
                }
                texts[rule.role, default: []] += found
            }
        }
        let isNamed = members.contains { roles.all.contains($0.name) }
        // Where a provider signs with keys of its own, webhooks can be checked without a secret.
        if !isNamed, !roles.names.isEmpty, !descriptor.resolvesKeys {
            report(
                .missingSecret, at: path, "The account has no secret.",
                hint: "Name a file of it: \(roles.names.map(\.file).joined(separator: ", ")).")
        }
        secrets += texts.values.flatMap { $0 }
        return texts
    }

    /// One name, or several while a secret is being rotated.
    private mutating func sourceNames(_ value: JSONValue, at path: String) -> [String] {
        let names = value.text.map { [$0] } ?? value.elements?.compactMap(\.text) ?? []
        let count = value.elements?.count ?? 1
        guard !names.isEmpty, names.count == count, !names.contains("") else {
            report(
                .invalidSetting, at: path, "This must be a name, or a list of names.",
                hint: "A secret itself never stands in the configuration.")
            return []
        }
        return names
    }

    private mutating func secrets(inFile name: String, at path: String) -> [String]? {
        let bytes: [UInt8]
        do throws(LedgerError) {
            bytes = try sources.file(name)
        } catch {
            report(.unreadableFile, at: path, error.message, hint: error.hint)
            return nil
        }
        if let bits = sources.permissions(name), bits & 0o077 != 0 {
            report(
                .openPermissions, at: path, "Others on this machine can read \(name).",
                hint: "Run: chmod 600 \(name)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            report(
                .malformedSecret, at: path, "\(name) is no text.",
                hint: "One secret a line; key files in PEM.")
            return nil
        }
        return SecretSet.texts(inFile: text)
    }

    private mutating func secrets(inVariable variable: String, at path: String) -> [String]? {
        guard let value = sources.variable(variable), !value.isEmpty else {
            report(
                .unsetVariable, at: path, "The variable \(variable) is not set.",
                hint: "Set it where the program is started, or use a file.")
            return nil
        }
        return SecretSet.texts(inFile: value)
    }

    private mutating func check(
        _ texts: [String], _ rule: SecretRule, from source: String, at path: String
    ) {
        guard !texts.isEmpty else {
            report(
                .missingSecret, at: path, "\(source) holds no secret.",
                hint: "Write one secret a line.")
            return
        }
        for problem in SecretSet.problems(texts, rule: rule) {
            report(
                .malformedSecret, at: path, "\(source): \(problem.message)", hint: problem.hint)
        }
    }

    /// Notes for which world a secret is, and reports the first that contradicts what was said.
    private mutating func note(
        _ mode: ProviderMode, _ modes: inout [(ProviderMode, path: String)], at path: String
    ) {
        guard mode != .unknown else { return }
        if let other = modes.first(where: { $0.0 != mode }) {
            report(
                .mixedModes, at: path,
                "This is a \(mode.name) key, and \(other.path) says \(other.0.name).",
                hint: "Test and live are never mixed: give each an account of its own.")
        } else {
            modes.append((mode, path))
        }
    }
}
