import ProviderKit

extension LedgerConfiguration {
    /// How the server is run; what the command line says wins.
    public struct Server: Sendable, Hashable {
        /// The forms of log lines.
        public enum LogFormat: String, Sendable, Hashable, CaseIterable {
            /// For people.
            case text
            /// One JSON object a line.
            case json
        }

        /// Where it listens; nil for 127.0.0.1.
        public internal(set) var address: String?
        /// 0 lets the system choose; nil for the usual one.
        public internal(set) var port: UInt16?
        /// How providers and browsers reach it, such as `https://pay.shop.example`; no slash at
        /// its end.
        public internal(set) var publicURL: String?
        /// Further names that browsers may ask for.
        public internal(set) var hosts: [String] = []
        /// The file of the token that opens the pages; beside the configuration unless absolute.
        public internal(set) var tokenFile: String?
        /// True where buttons on the pages may do something.
        public internal(set) var allowsActions: Bool?
        /// Where a button on the pages sends a stored webhook again.
        public internal(set) var resendTarget: String?
        /// Minutes from one round of questions to providers to the next; 0 for none.
        public internal(set) var reconcileMinutes: Int?
        /// The form of log lines.
        public internal(set) var logFormat: LogFormat?
        /// Connections at a time.
        public internal(set) var connections: Int?
        /// Connections of one address at a time; 0 for no bound.
        public internal(set) var connectionsPerAddress: Int?

        /// Nothing is said.
        public init() {}

        /// A URL that webhooks can be sent to; nil for anything else, and for one with a password.
        package static func target(_ text: String) -> String? {
            guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else {
                return nil
            }
            let host = text.dropFirst(scheme.utf8.count).prefix { !"/?#".contains($0) }
            let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            return isPlain && !host.isEmpty && !host.contains("@") ? text : nil
        }
    }
}

extension ConfigurationReader {
    /// One setting: how it is taken, and what it must be.
    private struct ServerSetting: Sendable {
        let name: String
        let expectation: String
        /// False when the value is not what it must be.
        let take: @Sendable (JSONValue, inout LedgerConfiguration.Server) -> Bool
    }

    /// Every setting under "server"; adding one is a line here.
    private static let serverSettings: [ServerSetting] = [
        ServerSetting(name: "address", expectation: "an address such as \"127.0.0.1\"") {
            $1.address = $0.text
            return $0.text?.isEmpty == false
        },
        ServerSetting(name: "port", expectation: "a whole number from 0 to 65535") {
            $1.port = $0.whole(0...65_535).map { UInt16($0) }
            return $1.port != nil
        },
        ServerSetting(
            name: "publicURL", expectation: "a URL such as \"https://pay.shop.example\""
        ) {
            $1.publicURL = $0.text.flatMap(publicURL)
            return $1.publicURL != nil
        },
        ServerSetting(name: "hosts", expectation: "a list of names such as [\"pay.shop.example\"]")
        {
            let names = $0.elements?.compactMap(\.text) ?? []
            $1.hosts = names.map { $0.lowercased() }
            return names.count == $0.elements?.count && !names.contains("")
        },
        ServerSetting(name: "tokenFile", expectation: "a file's path") {
            $1.tokenFile = $0.text
            return $0.text?.isEmpty == false
        },
        ServerSetting(name: "allowActions", expectation: "true or false") {
            $1.allowsActions = $0.isTrue
            return $0.isTrue != nil
        },
        ServerSetting(name: "resendTo", expectation: "a URL such as \"https://test.example/hooks\"")
        {
            $1.resendTarget = $0.text.flatMap { LedgerConfiguration.Server.target($0) }
            return $1.resendTarget != nil
        },
        ServerSetting(
            name: "reconcileEveryMinutes", expectation: "a whole number of minutes, 0 for never"
        ) {
            $1.reconcileMinutes = $0.whole(0...10_080)
            return $1.reconcileMinutes != nil
        },
        ServerSetting(name: "logFormat", expectation: "\"text\" or \"json\"") {
            $1.logFormat = $0.text.flatMap { LedgerConfiguration.Server.LogFormat(rawValue: $0) }
            return $1.logFormat != nil
        },
        ServerSetting(name: "connections", expectation: "a whole number from 1 to 100000") {
            $1.connections = $0.whole(1...100_000)
            return $1.connections != nil
        },
        ServerSetting(
            name: "connectionsPerAddress", expectation: "a whole number, 0 for no bound"
        ) {
            $1.connectionsPerAddress = $0.whole(0...100_000)
            return $1.connectionsPerAddress != nil
        },
    ]

    /// Reads how the server is run.
    mutating func readServer(_ value: JSONValue) -> LedgerConfiguration.Server {
        var server = LedgerConfiguration.Server()
        guard case .object(let members) = value else {
            report(
                .invalidSetting, at: "server", "This must be an object.",
                hint: #"Write {"port": 8787}."#)
            return server
        }
        for member in members {
            guard let setting = Self.serverSettings.first(where: { $0.name == member.name }) else {
                reportUnknown(member.name, in: "server", among: Self.serverSettings.map(\.name))
                continue
            }
            if !setting.take(member.value, &server) {
                report(
                    .invalidSetting, at: "server.\(member.name)",
                    "This must be \(setting.expectation).", hint: "Leave it out for the default.")
            }
        }
        return server
    }

    /// Scheme and host with an optional path, the slash at the end dropped; nil for anything else.
    private static func publicURL(_ text: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else {
            return nil
        }
        let rest = text.dropFirst(scheme.utf8.count)
        guard let first = rest.utf8.first, first != UInt8(ascii: "/"),
            rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !rest.contains(where: { "?#@\\".contains($0) })
        else { return nil }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

extension JSONValue {
    fileprivate func whole(_ range: ClosedRange<Int>) -> Int? {
        integer.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    fileprivate var isTrue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }
}
