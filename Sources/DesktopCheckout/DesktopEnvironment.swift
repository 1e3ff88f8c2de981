#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The variables that a desktop's programs are looked for with, and started with.
public struct DesktopEnvironment: Sendable, Hashable {
    /// Every variable by its name.
    public var variables: [String: String]

    /// Takes variables, such as those of a test.
    public init(_ variables: [String: String]) { self.variables = variables }

    /// This process's own.
    public static var current: DesktopEnvironment {
        var found: [String: String] = [:]
        #if canImport(Darwin)
            let first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
                _NSGetEnviron().pointee
        #else
            let first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        #endif
        guard var entry = first else { return DesktopEnvironment([:]) }
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return DesktopEnvironment(found)
    }

    /// A variable that is set and not empty.
    subscript(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The path of a program: as it stands when it has a slash, else looked for in `PATH`.
    func find(_ program: String) -> String? {
        if program.contains("/") { return Self.isProgram(program) ? program : nil }
        guard !program.isEmpty else { return nil }
        for folder in (self["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":") {
            let path = "\(folder)/\(program)"
            if Self.isProgram(path) { return path }
        }
        return nil
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }

    /// Where this user's applications are described.
    var applicationsFolder: String? {
        if let data = self["XDG_DATA_HOME"] { return data + "/applications" }
        return self["HOME"].map { $0 + "/.local/share/applications" }
    }

    /// Every folder in which applications are described, the user's own first.
    var applicationsFolders: [String] {
        let shared = self["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
        return (applicationsFolder.map { [$0] } ?? [])
            + shared.split(separator: ":").map { "\($0)/applications" }
    }

    /// Where processes of this user meet; nil when the environment names no place.
    var meetingFolder: String? {
        let name = "checkout-return"
        if let folder = self["XDG_RUNTIME_DIR"] { return "\(folder)/\(name)" }
        #if canImport(Darwin)
            if let folder = self["TMPDIR"] { return "\(folder)/\(name)" }
        #endif
        if let folder = self["XDG_STATE_HOME"] { return "\(folder)/\(name)" }
        return self["HOME"].map { "\($0)/.local/state/\(name)" }
    }
}
