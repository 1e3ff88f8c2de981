import CheckoutLedger
import CheckoutModel
import CommandKit
import EventLog
import ProviderKit
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a command works with: its words, where it writes, and the ledger once it is asked for.
final class Context: Sendable {
    let command: ParsedCommand
    /// Data, and nothing else.
    let output: Output
    /// Everything that is said to a person.
    let errors: Output
    private let opened = Mutex<Ledger<LMDBStore>?>(nil)
    private let configured = Mutex<LedgerConfiguration?>(nil)

    init(_ command: ParsedCommand) {
        self.command = command
        let color = command.choice("color", as: ColorPolicy.self) ?? .auto
        output = .standardOutput(color: color)
        errors = .standardError(color: color)
    }

    /// True when only JSON may stand on standard output.
    var isJSON: Bool { command.has("json") }

    /// True when only data and errors are wanted.
    var isQuiet: Bool { command.has("quiet") }

    /// The accounts of this installation; nil when no configuration is named.
    func configuration() throws -> LedgerConfiguration? {
        if let held = configured.withLock({ $0 }) { return held }
        let configuration = try readConfiguration()
        configured.withLock { $0 = configuration }
        return configuration
    }

    /// The adapters with their defaults.
    static func registry() throws -> ProviderRegistry {
        try LedgerConfiguration.empty.registry(of: Adapters.all)
    }

    /// The adapters as this installation has set them up.
    func registry() throws -> ProviderRegistry {
        try (configuration() ?? .empty).registry(of: Adapters.all)
    }

    /// The adapter as it is set up for an account; its provider's first one for an unknown name.
    func adapter(for scope: AccountScope) throws -> (any PaymentProvider)? {
        try configuration()?.account(for: scope)?.provider ?? registry().provider(scope.provider)
    }

    /// Where the ledger is.
    var ledgerPath: String {
        if let path = command.value("ledger") { return path }
        if let path = Self.variable("CHECKOUT_LEDGER_PATH") { return path }
        let local = "./.checkout-ledger"
        if Files.exists(local + "/data.mdb") { return local }
        let data =
            Self.variable("XDG_DATA_HOME") ?? ((Self.variable("HOME") ?? "") + "/.local/share")
        let home = data + "/checkout-ledger"
        return Files.exists(home + "/data.mdb") ? home : local
    }

    /// Opens the ledger, once; `writing` where the command may add to it, `masking` with secrets
    /// that no record may show; at `path` instead of the usual place.
    ///
    /// Says so where it is not the ledger that was sealed, which every answer depends on.
    func ledger(
        writing: Bool = false, masking secrets: [String] = [], at path: String? = nil,
        with change: (inout LedgerOptions) -> Void = { _ in }
    ) throws -> Ledger<LMDBStore> {
        if let ledger = opened.withLock({ $0 }) { return ledger }
        var options = try options(writing: writing)
        options.redactor = options.redactor.adding(secrets)
        change(&options)
        let ledger = try open(path ?? ledgerPath, options)
        opened.withLock { $0 = ledger }
        warn(of: ledger.standing)
        return ledger
    }

    /// Opens a ledger; one that an earlier version of this program wrote is brought up to date
    /// first, because a command that reads cannot do it.
    private func open(
        _ path: String, _ options: LedgerOptions
    ) throws(LedgerError) -> Ledger<LMDBStore> {
        do throws(LedgerError) {
            return try Ledger.open(at: path, options: options)
        } catch  where error.code.rawValue == LogError.Code.foldVersionChanged.rawValue {
            try Ledger.renewProjections(at: path)
            return try Ledger.open(at: path, options: options)
        }
    }

    private func warn(of standing: Standing) {
        switch standing {
        case .unknown, .agrees: return
        case .refused(let error), .unclear(let error):
            let complaint = Complaint(
                code: error.code.rawValue, message: error.message, hint: error.hint)
            say("Warning: \(error.message)\nHint: \(error.hint)\n", json: complaint.warning)
        }
    }

    /// Makes a ledger, which `ledger()` then gives.
    func createLedger(
        at path: String, clock: any LogClock = SystemLogClock(),
        ids: any LogIDSource = RandomLogIDSource(), isPretend: Bool = false
    ) throws -> Ledger<LMDBStore> {
        var options = try options(writing: true)
        options.isPretend = isPretend
        options.clock = clock
        options.ids = ids
        let ledger = try Ledger.create(at: path, options: options)
        opened.withLock { $0 = ledger }
        return ledger
    }

    func options(writing: Bool) throws -> LedgerOptions {
        // Reading asks no adapter and masks nothing.
        let configuration = writing ? try configuration() : nil
        var options = LedgerOptions(
            providers: try (configuration ?? .empty).registry(of: Adapters.all))
        if let configuration { options.redactor = configuration.redactor }
        let named = command.value("root-key") ?? Self.variable("CHECKOUT_LEDGER_ROOT_KEY")
        if let name = named?.removing(prefix: "credential:") {
            options.rootKeySource = .credential(name)
        } else {
            options.rootKeyPath = named
        }
        // The configuration may name another kind of source; a file that is named here comes first.
        if named == nil, writing || opensPrivateFields {
            options.rootKeySource = try self.configuration()?.privacy.rootKey
        }
        options.tool = "checkout-ledger \(Program.version)"
        options.sealKeyPath = Self.variable("CHECKOUT_LEDGER_SEAL_KEY")
        options.anchorDirectories = (Self.variable("CHECKOUT_LEDGER_ANCHORS") ?? "")
            .split(separator: ":").map { String($0) }
        options.isReadOnly = !writing
        for name in ["HOME", "XDG_STATE_HOME", "CREDENTIALS_DIRECTORY"] {
            options.environment[name] = Self.variable(name)
        }
        return options
    }

    /// True for commands that open private fields, or may have to.
    private var opensPrivateFields: Bool {
        switch command.path.first {
        case "privacy": true
        case "timeline", "events": command.has("private") || command.has("verbose")
        default: false
        }
    }

    /// Writes what is pending and lets go of the ledger.
    func close() {
        opened.withLock { ledger in
            ledger?.close()
            ledger = nil
        }
    }

    /// This moment; commands ask here and nowhere else.
    var now: Instant { Instant(microseconds: SystemLogClock().now()) }

    /// True when standard output is a pipe that nobody reads any more; costs one system call.
    ///
    /// For a command that waits: it would learn of it only by its next write, which may never come.
    var isReaderGone: Bool {
        var pipe = pollfd(fd: 1, events: 0, revents: 0)
        return poll(&pipe, 1, 0) == 1 && pipe.revents & Int16(POLLERR) != 0
    }

    /// An environment variable that is set and not empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}

extension String {
    /// What stands behind a beginning; nil for a text that begins otherwise.
    fileprivate func removing(prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}

extension Complaint {
    /// Standard output took less than there was to say.
    static func outputFailed(_ reason: String) -> Complaint {
        Complaint(
            code: "OUTPUT_FAILED", message: "Cannot write the output: \(reason).",
            hint: "Look at where it goes, and run the command again.")
    }
}

extension Context {
    /// Tells a person, or a program under `--json`, what went wrong, and gives the exit code.
    func report(_ error: any Error) -> ExitCode {
        switch error {
        case OutputError.closedPipe: return .done
        case OutputError.failed(let reason):
            let complaint = Complaint.outputFailed(reason)
            say(complaint.text(style: errors.terminal.style), json: complaint.json)
            return .failed
        case let code as ExitCode: return code
        case let error as UsageError:
            say(error.text(style: errors.terminal.style), json: error.json)
            return .usage
        case let error as LedgerError:
            complain(error.code.rawValue, error.message, error.hint)
            return Self.exitCode(error.code)
        case let error as SecretError:
            complain(error.code, error.message, error.hint)
            return .credentials
        case let error as ConfigurationError: return report(error)
        case let error as ConfigurationMissing:
            let complaint = error.complaint
            say(complaint.text(style: errors.terminal.style), json: complaint.json)
            return .credentials
        case let error as Complaint:
            say(error.text(style: errors.terminal.style), json: error.json)
            return .failed
        default:
            complain("UNEXPECTED", "\(error)", "This is a fault in the program; please report it.")
            return .fault
        }
    }

    private func complain(_ code: String, _ message: String, _ hint: String) {
        let complaint = Complaint(code: code, message: message, hint: hint.isEmpty ? nil : hint)
        say(complaint.text(style: errors.terminal.style), json: complaint.json)
    }

    private func say(_ text: String, json: [UInt8]) {
        // Both end with their line break; nobody is left to tell when standard error is gone.
        try? errors.write(isJSON ? json : Array(text.utf8))
        try? errors.flush()
    }

    private static func exitCode(_ code: LedgerError.Code) -> ExitCode {
        switch code {
        case .rootKeyMissing, .malformedKey, .keyCredentials: .credentials
        case .interrupted: .interrupted
        case .damagedFile: .integrity
        default: integrityCodes.contains { $0.rawValue == code.rawValue } ? .integrity : .failed
        }
    }

    /// What the log says when something is not as it was written or sealed.
    private static let integrityCodes: [LogError.Code] = [
        .damaged, .invariantBroken, .rolledBack, .historyRewritten, .fork, .invalidProof,
        .signatureInvalid, .malformedProof, .malformedNote,
    ]
}
