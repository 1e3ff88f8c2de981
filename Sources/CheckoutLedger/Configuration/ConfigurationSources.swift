/// Where a configuration gets what it only names: files of secrets, and the environment.
///
/// Tests bring their own; nothing else of the reading touches the machine.
public struct ConfigurationSources: Sendable {
    /// The content of a file; the path stands as it is written in the configuration.
    public var file: @Sendable (String) throws(LedgerError) -> [UInt8]
    /// A file's permission bits; nil when they cannot be had.
    public var permissions: @Sendable (String) -> UInt16?
    /// A variable's value; nil when it is not set.
    public var variable: @Sendable (String) -> String?
    /// A path as it is used, for one that is written in the configuration.
    public var path: @Sendable (String) -> String = { $0 }

    /// Takes the three.
    public init(
        file: @escaping @Sendable (String) throws(LedgerError) -> [UInt8],
        permissions: @escaping @Sendable (String) -> UInt16?,
        variable: @escaping @Sendable (String) -> String?
    ) {
        self.file = file
        self.permissions = permissions
        self.variable = variable
    }

    /// This machine's files, relative paths beginning at the folder of the file `path`.
    public static func files(
        besideFile path: String, variable: @escaping @Sendable (String) -> String?
    ) -> ConfigurationSources {
        @Sendable func place(_ name: String) -> String { Files.path(name, besideFile: path) }
        var sources = ConfigurationSources(
            file: { (name) throws(LedgerError) in
                try Files.read(place(name), limit: Limits.secretFileBytes)
            },
            permissions: { name in
                let bits = (try? Files.permissions(place(name))) ?? nil
                return bits.map { UInt16(truncatingIfNeeded: $0) }
            }, variable: variable)
        sources.path = place
        return sources
    }
}
