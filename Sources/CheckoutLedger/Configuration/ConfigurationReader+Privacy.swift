import ProviderKit

extension LedgerConfiguration {
    /// How private fields are kept.
    public struct Privacy: Sendable, Hashable {
        /// Where the root key comes from; nil for the file in the user's state directory.
        public internal(set) var rootKey: RootKeySource?
        /// How long contact fields are kept after a session's last event, in µs; nil for ever.
        public internal(set) var keepsContact: Int64?
        /// The same for commercial fields.
        public internal(set) var keepsCommercial: Int64?

        /// Nothing is said.
        public init() {}
    }
}

extension ConfigurationReader {
    /// Reads how private fields are kept; files stand beside the configuration unless absolute.
    mutating func readPrivacy(_ value: JSONValue) -> LedgerConfiguration.Privacy {
        var privacy = LedgerConfiguration.Privacy()
        guard case .object(let members) = value else {
            report(
                .invalidSetting, at: "privacy", "This must be an object.",
                hint: #"Write {"keepDays": {"contact": 400}}."#)
            return privacy
        }
        for member in members {
            switch member.name {
            case "rootKey": privacy.rootKey = readRootKey(member.value)
            case "keepDays": readRetention(member.value, into: &privacy)
            default: reportUnknown(member.name, in: "privacy", among: ["rootKey", "keepDays"])
            }
        }
        return privacy
    }

    private mutating func readRootKey(_ value: JSONValue) -> RootKeySource? {
        if case .object(let members) = value, members.count == 1, let member = members.first {
            let text = member.value.text ?? ""
            let words = member.value.elements?.compactMap(\.text) ?? []
            switch member.name {
            case "file" where !text.isEmpty: return .file(sources.path(text))
            case "credential" where !text.isEmpty && !text.contains("/"): return .credential(text)
            case "command" where words.first?.hasPrefix("/") == true: return .command(words)
            default: break
            }
        }
        report(
            .invalidSetting, at: "privacy.rootKey",
            "This must be a file, a credential's name, or a command with its whole path.",
            hint: #"Write {"file": "root.key"}, {"credential": "root-key"} or "#
                + #"{"command": ["/usr/bin/key-client", "get"]}."#)
        return nil
    }

    private mutating func readRetention(
        _ value: JSONValue, into privacy: inout LedgerConfiguration.Privacy
    ) {
        guard case .object(let members) = value else {
            report(
                .invalidSetting, at: "privacy.keepDays", "This must be an object.",
                hint: #"Write {"contact": 400}."#)
            return
        }
        for member in members {
            let days = member.value.integer.flatMap { (1...36_500).contains($0) ? $0 : nil }
            switch member.name {
            case "contact": privacy.keepsContact = days.map { $0 * 86_400_000_000 }
            case "commercial": privacy.keepsCommercial = days.map { $0 * 86_400_000_000 }
            default:
                reportUnknown(
                    member.name, in: "privacy.keepDays", among: ["contact", "commercial"])
                continue
            }
            if days == nil {
                report(
                    .invalidSetting, at: "privacy.keepDays.\(member.name)",
                    "This must be a whole number of days from 1 to 36500.",
                    hint: "Leave it out to keep the fields.")
            }
        }
    }
}
