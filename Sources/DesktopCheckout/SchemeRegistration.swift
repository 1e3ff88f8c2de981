public import CheckoutFlow

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which program a Linux desktop gives the URLs of an app's own scheme to.
///
/// On macOS this stands in the app's `Info.plist` (`CFBundleURLTypes`), and the system hands URLs
/// to the app itself: use `ForwardedByHost` there.
public struct SchemeRegistration: Sendable {
    /// The scheme in lower case.
    public var scheme: String { name.text }
    private let name: SchemeName
    private let environment: DesktopEnvironment

    /// Takes a scheme such as `shopdemo`; throws `INVALID_RETURN_URL`.
    public init(
        scheme: String, environment: DesktopEnvironment = .current
    ) throws(CheckoutError) {
        name = try SchemeName(scheme)
        self.environment = environment
    }

    /// Throws `SCHEME_NOT_REGISTERED`, with the reason, unless the desktop knows a program that is
    /// given such URLs.
    ///
    /// Asks `xdg-mime`, so it takes some hundredths of a second.
    public func check() throws(CheckoutError) {
        #if !os(macOS)
            guard environment.find("xdg-mime") != nil else {
                throw refusal("cannot be checked: there is no xdg-mime", "Install xdg-utils.")
            }
            let answer = DesktopTool.ask(
                "xdg-mime", ["query", "default", name.mimeType], environment)
            let file = (answer ?? "").split { $0 == "\n" || $0 == ";" }.first ?? ""
            guard !file.isEmpty else {
                throw refusal(
                    "is not registered",
                    "Register it: checkout-ledger handle-url --register "
                        + "\(scheme), or SchemeRegistration.install in your own installer.")
            }
            guard let entry = read(String(file)) else { return }
            if let problem = entry.problem(mimeType: name.mimeType) {
                throw refusal(
                    "is registered by a file that cannot work: \(problem)", "Mend \(file).")
            }
        #endif
    }

    /// Makes a program the handler, for this user: it is started with its own words and the URL.
    ///
    /// Writes `<fileName>.desktop` into the user's applications, and tells the desktop by
    /// `xdg-mime`. Throws `PLATFORM_ERROR`, and `SCHEME_NOT_REGISTERED` when the desktop does not
    /// take it.
    public func install(
        command: [String], applicationName: String, fileName: String
    ) throws(CheckoutError) {
        guard
            let entry = DesktopEntry(
                name: applicationName, command: command, mimeType: name.mimeType),
            !fileName.isEmpty, !fileName.contains("/")
        else {
            throw CheckoutError(
                .platform, "A name or a word of the command cannot stand in a desktop file.",
                hint: "Leave out line breaks and other control characters.")
        }
        guard let folder = environment.applicationsFolder else {
            throw CheckoutError(
                .platform, "Neither HOME nor XDG_DATA_HOME is set.",
                hint: "Set one of them; the registration is kept below it.")
        }
        let file = "\(fileName).desktop"
        try write(entry, folder, file)
        // Desktops that keep no such index do without it.
        _ = DesktopTool.ask("update-desktop-database", [folder], environment)
        _ = DesktopTool.ask("xdg-mime", ["default", file, name.mimeType], environment)
        try check()
    }

    private func write(
        _ entry: DesktopEntry, _ folder: String, _ file: String
    ) throws(CheckoutError) {
        func failed() -> CheckoutError {
            CheckoutError(
                .platform, "Cannot write \(file): \(String(cString: strerror(errno))).",
                hint: "See that \(folder) may be written.")
        }
        guard Folder.make(folder, mode: 0o755) else { throw failed() }
        let temporary = "\(folder)/.\(file).new"
        let handle = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard handle >= 0 else { throw failed() }
        let bytes = Array(entry.text.utf8)
        let count = bytes.withUnsafeBytes { systemWrite(handle, $0) }
        close(handle)
        guard count == bytes.count, rename(temporary, "\(folder)/\(file)") == 0 else {
            let error = failed()
            unlink(temporary)
            throw error
        }
    }

    /// A desktop file by its name, where it is found.
    private func read(_ file: String) -> DesktopEntry? {
        for folder in environment.applicationsFolders {
            let handle = open("\(folder)/\(file)", O_RDONLY | O_CLOEXEC)
            guard handle >= 0 else { continue }
            defer { close(handle) }
            let deadline = Deadline(milliseconds: DesktopLimits.toolMilliseconds)
            let bytes = Descriptor.read(
                handle, limit: DesktopLimits.desktopFileBytes, until: deadline)
            return bytes.map { DesktopEntry(text: String(decoding: $0, as: UTF8.self)) }
        }
        return nil
    }

    private func refusal(_ what: String, _ hint: String) -> CheckoutError {
        CheckoutError(.schemeNotRegistered, "The scheme \(scheme) \(what).", hint: hint)
    }
}

private func systemWrite(_ handle: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(handle, bytes.baseAddress, bytes.count)
}

/// Makes folders.
enum Folder {
    /// Makes a folder with all above it; false, with `errno`, where that fails.
    static func make(_ path: String, mode: mode_t) -> Bool {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += part
            if !made.isEmpty, mkdir(made, mode) != 0, errno != EEXIST { return false }
            made += "/"
        }
        return true
    }
}
