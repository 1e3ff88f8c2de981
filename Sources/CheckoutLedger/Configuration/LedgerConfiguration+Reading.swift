import CheckoutModel
import Cryptography
public import ProviderKit

extension LedgerConfiguration {
    /// Reads a configuration file whole; see `help config` for its form.
    ///
    /// Pure over the bytes and the sources. Throws every mistake at once; warnings alone do not
    /// throw.
    public static func read(
        _ bytes: [UInt8], providers types: [any PaymentProvider.Type],
        from sources: ConfigurationSources
    ) throws(ConfigurationError) -> LedgerConfiguration {
        var reader = ConfigurationReader(types: types, sources: sources)
        let configuration = reader.read(bytes)
        let isUsable = reader.problems.allSatisfy(\.isWarning)
        guard isUsable, let configuration else {
            throw ConfigurationError(problems: reader.problems)
        }
        return configuration
    }
}

/// Walks through a configuration and notes every mistake.
struct ConfigurationReader {
    let types: [any PaymentProvider.Type]
    let sources: ConfigurationSources
    var problems: [ConfigurationProblem] = []
    /// Every secret's text, for masking.
    var secrets: [String] = []
    private var accounts: [LedgerConfiguration.Account] = []
    private var network = LedgerConfiguration.Network()
    private var server = LedgerConfiguration.Server()
    private var privacy = LedgerConfiguration.Privacy()

    init(types: [any PaymentProvider.Type], sources: ConfigurationSources) {
        self.types = types
        self.sources = sources
    }

    mutating func report(
        _ kind: ConfigurationProblem.Kind, at path: String, _ message: String, hint: String
    ) {
        problems.append(ConfigurationProblem(kind, at: path, message, hint: hint))
    }

    mutating func read(_ bytes: [UInt8]) -> LedgerConfiguration? {
        guard let root = document(bytes) else { return nil }
        for member in root {
            switch member.name {
            case "providers": readProviders(member.value)
            case "network": readNetwork(member.value)
            case "server": server = readServer(member.value)
            case "privacy": privacy = readPrivacy(member.value)
            default:
                reportUnknown(
                    member.name, in: "", among: ["providers", "network", "server", "privacy"])
            }
        }
        checkLoopback()
        return LedgerConfiguration(
            accounts: accounts, network: network, server: server, privacy: privacy,
            warnings: problems.filter(\.isWarning), secrets: secrets)
    }

    private mutating func document(_ bytes: [UInt8]) -> [JSONMember]? {
        do throws(JSONError) {
            let value = try JSONValue(json: bytes, limit: Limits.configurationBytes)
            if case .object(let members) = value { return members }
            report(
                .malformedFile, at: "", "The configuration is no JSON object.",
                hint: #"Begin with {"providers": …}."#)
        } catch {
            let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            let what =
                switch error.reason {
                case .duplicateKey: "names a setting twice"
                case .truncated: "ends too early"
                case .notUTF8: "is no UTF-8 text"
                case .tooDeep, .tooLarge: "is larger than any configuration"
                case .malformed: "is no JSON"
                }
            report(
                .malformedFile, at: "", "The configuration \(what), at line \(line).",
                hint: "JSON has no comments and no comma before a closing bracket.")
        }
        return nil
    }

    mutating func reportUnknown(_ name: String, in path: String, among names: [String]) {
        report(
            .unknownSetting, at: path.isEmpty ? name : "\(path).\(name)",
            "There is no setting of that name.", hint: NearName.hint(for: name, among: names))
    }

    // MARK: Providers

    private mutating func readProviders(_ value: JSONValue) {
        guard case .object(let members) = value else {
            report(
                .invalidSetting, at: "providers", "This must be an object.",
                hint: #"Write {"dodo": {…}}."#)
            return
        }
        for member in members {
            let path = "providers.\(member.name)"
            guard let type = types.first(where: { $0.descriptor.id.rawValue == member.name }) else {
                report(
                    .unknownProvider, at: path, "There is no adapter of that name.",
                    hint: NearName.hint(
                        for: member.name, among: types.map { $0.descriptor.id.rawValue }))
                continue
            }
            readProvider(type, member.value, at: path)
        }
    }

    private mutating func readProvider(
        _ type: any PaymentProvider.Type, _ value: JSONValue, at path: String
    ) {
        guard case .object(let members) = value else {
            report(
                .invalidSetting, at: path, "This must be an object.",
                hint: #"Write the account's settings, or {"accounts": {…}}."#)
            return
        }
        guard let list = members.first(where: { $0.name == "accounts" }) else {
            readAccount(type, "", members, at: path)
            return
        }
        for member in members where member.name != "accounts" {
            report(
                .unknownSetting, at: "\(path).\(member.name)",
                "Beside \"accounts\" there can be no other setting.",
                hint: "Move it into the account that it is for.")
        }
        guard case .object(let named) = list.value, !named.isEmpty else {
            report(
                .invalidSetting, at: "\(path).accounts", "This must be an object of accounts.",
                hint: #"Write {"main": {…}}."#)
            return
        }
        for member in named {
            let place = "\(path).accounts.\(member.name)"
            let isName =
                (1...Limits.accountBytes).contains(member.name.utf8.count)
                && member.name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x2F }
            guard isName, case .object(let settings) = member.value else {
                report(
                    .invalidSetting, at: place,
                    isName ? "This must be an object." : "This is no name for an account.",
                    hint: "A name has up to \(Limits.accountBytes) letters, digits and signs but "
                        + "blanks and slashes.")
                continue
            }
            readAccount(type, member.name, settings, at: place)
        }
    }

    private mutating func readAccount(
        _ type: any PaymentProvider.Type, _ name: String, _ members: [JSONMember], at path: String
    ) {
        let before = problems.count
        let mode = readMode(members, at: path)
        let descriptor = type.descriptor
        let roles = AccountSecretNames(descriptor.secretRules)
        let own = members.filter { $0.name != "mode" && !roles.all.contains($0.name) }
        let texts = readSecrets(descriptor, members, roles, mode: mode, at: path)
        var settings = ProviderSettings(mode: mode, own)
        let provider = configured(type, by: &settings, at: path)
        for unknown in settings.unknownNames {
            reportUnknown(
                unknown, in: path, among: ["mode"] + roles.all + settings.knownNames)
        }
        guard problems[before...].allSatisfy(\.isWarning), let provider,
            let secrets = try? SecretSet(texts, rules: descriptor.secretRules)
        else { return }
        accounts.append(
            LedgerConfiguration.Account(
                scope: AccountScope(descriptor.id, account: name, mode: mode), provider: provider,
                secrets: secrets))
    }

    private mutating func configured<Provider: PaymentProvider>(
        _ type: Provider.Type, by settings: inout ProviderSettings, at path: String
    ) -> (any PaymentProvider)? {
        do throws(ProviderSettingsError) {
            return try type.configured(by: &settings)
        } catch {
            for problem in error.problems {
                report(
                    .invalidSetting, at: "\(path).\(problem.field)", problem.message, hint: "")
            }
            return nil
        }
    }

    private mutating func readMode(_ members: [JSONMember], at path: String) -> ProviderMode {
        guard let value = members.first(where: { $0.name == "mode" })?.value else {
            return .unknown
        }
        switch value.text {
        case "live": return .live
        case "test": return .test
        default:
            report(
                .invalidSetting, at: "\(path).mode", "The mode is neither live nor test.",
                hint: #"Write "live" or "test"."#)
            return .unknown
        }
    }

    // MARK: Network

    private mutating func readNetwork(_ value: JSONValue) {
        guard case .object(let members) = value else {
            report(
                .invalidSetting, at: "network", "This must be an object.",
                hint: "Leave it out for the defaults.")
            return
        }
        for member in members {
            switch member.name {
            case "rootsFile": readRoots(member.value)
            case "proxy":
                switch member.value.text {
                case "environment": network.usesProxyEnvironment = true
                case "none": network.usesProxyEnvironment = false
                default:
                    report(
                        .invalidSetting, at: "network.proxy",
                        "The proxy is neither none nor environment.",
                        hint: #"Write "environment" to use https_proxy and no_proxy."#)
                }
            case "loopback": readLoopback(member.value)
            default:
                reportUnknown(
                    member.name, in: "network", among: ["rootsFile", "proxy", "loopback"])
            }
        }
    }

    private mutating func readRoots(_ value: JSONValue) {
        let path = "network.rootsFile"
        guard let name = value.text, !name.isEmpty else {
            report(
                .invalidSetting, at: path, "This must be a file's path.", hint: "Name a PEM file.")
            return
        }
        network.rootsFile = name
        do throws(LedgerError) {
            let text = String(decoding: try sources.file(name), as: UTF8.self)
            guard let roots = try? TrustedRoots(pem: text) else {
                report(
                    .invalidSetting, at: path, "\(name) holds no certificates.",
                    hint: "Name a PEM file of the roots to trust.")
                return
            }
            network.roots = roots
        } catch {
            // Not the kind that unreadable secrets have: no credential is missing.
            report(.invalidSetting, at: path, error.message, hint: error.hint)
        }
    }

    private mutating func readLoopback(_ value: JSONValue) {
        guard case .object(let members) = value else {
            report(
                .invalidSetting, at: "network.loopback", "This must be an object.",
                hint: #"Write {"api.provider.example": "http://127.0.0.1:8080"}."#)
            return
        }
        for member in members {
            let text = member.value.text ?? ""
            let scheme = ["http://127.0.0.1:", "https://127.0.0.1:"].first { text.hasPrefix($0) }
            let port = scheme.flatMap { UInt16(text.dropFirst($0.count)) }
            guard let scheme, let port, port > 0 else {
                report(
                    .invalidSetting, at: "network.loopback.\(member.name)",
                    "This is no address on this machine.",
                    hint: "Write http://127.0.0.1:PORT or https://127.0.0.1:PORT.")
                continue
            }
            network.loopback.append(
                .init(
                    host: member.name.lowercased(), port: port,
                    isEncrypted: scheme.hasPrefix("https")))
        }
    }

    /// A played host gets the account's key and says what it likes, so no real money may be near.
    private mutating func checkLoopback() {
        guard !network.loopback.isEmpty else { return }
        for account in accounts where account.scope.mode != .test {
            report(
                .mixedModes, at: "network.loopback",
                "\(account.scope) is no test account, and hosts are played on this machine.",
                hint: #"Give every account "mode": "test", or remove "loopback"."#)
        }
    }
}
