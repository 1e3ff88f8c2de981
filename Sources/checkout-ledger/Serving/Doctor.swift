import CheckoutLedger
import CheckoutModel
import CommandKit
import Cryptography
import EventLog
import LMDB
import ProviderKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Looks at everything that usually goes wrong, and changes nothing.
struct Doctor {
    let context: Context

    /// Before this the machine's clock has not been set: 2025-01-01.
    private static let earliestNow = Instant(seconds: 1_735_689_600)
    /// A log that is this many events ahead of its projections is slow to answer.
    private static let laggingEvents: UInt64 = 100_000
    /// A reader this many commits behind keeps old pages from being used again.
    private static let laggingCommits: UInt64 = 10_000
    /// With less room than this the next busy day fails.
    private static let scarceBytes = 256 << 20

    init(_ context: Context) { self.context = context }

    func findings() -> [DoctorFinding] {
        [lmdb(), clock()] + ledger() + accounts() + [port()]
    }

    // MARK: - The machine

    private func lmdb() -> DoctorFinding {
        let version = LMDBLibrary.version
        guard !version.breaksSharedLocks else {
            return DoctorFinding(
                "lmdb", .warn, "LMDB \(version) cannot be used by two processes at once.",
                hint: "Use 0.9.24 or 0.9.32 and later, or never run commands beside the server.")
        }
        return DoctorFinding("lmdb", .ok, "LMDB \(version).")
    }

    private func clock() -> DoctorFinding {
        let now = context.now
        return now < Self.earliestNow
            ? DoctorFinding(
                "clock", .fail, "The machine's clock says \(now.iso8601Seconds).",
                hint: "Set it; webhooks are refused by a clock that is off by minutes.")
            : DoctorFinding("clock", .ok, "\(now.iso8601Seconds).")
    }

    private func port() -> DoctorFinding {
        let port = UInt16(clamping: context.command.integer("port") ?? 0)
        switch LocalPort.bindError(port) {
        case nil: return DoctorFinding("port", .ok, "127.0.0.1:\(port) is free.")
        case EADDRINUSE?:
            return DoctorFinding(
                "port", .warn, "Something listens on 127.0.0.1:\(port).",
                hint: "That is well if it is this program's server; else serve on another --port.")
        case let error?:
            let reason = String(cString: strerror(error))
            return DoctorFinding(
                "port", .fail, "127.0.0.1:\(port) cannot be listened on: \(reason).",
                hint: "Ports below 1024 need privileges; try 8787 behind a reverse proxy.")
        }
    }

    // MARK: - The ledger

    private func ledger() -> [DoctorFinding] {
        let path = context.ledgerPath
        let ledger: Ledger<LMDBStore>
        do {
            ledger = try context.ledger()
        } catch let error as LedgerError {
            let isMissing = error.code == .noLedger
            return [
                DoctorFinding(
                    "ledger", isMissing ? .warn : .fail, error.message, hint: error.hint,
                    isAboutCredentials: error.code == .malformedKey)
            ]
        } catch {
            return [DoctorFinding("ledger", .fail, "\(error)")]
        }
        do {
            let statistics = try ledger.log.read { try $0.statistics() }
            let storage = try context.inLedgerWords { () throws(LogError) in
                try ledger.log.storageStatistics()
            }
            return [
                DoctorFinding(
                    "ledger", .ok,
                    "\(Wording.count(Int(clamping: statistics.events), "event")) at \(path)."),
                sizes(storage), try readers(ledger, storage), recordedTime(statistics),
                lag(statistics), permissions(path), room(path), rootKey(ledger),
                try seals(ledger),
            ]
        } catch {
            return [DoctorFinding("ledger", .fail, "\(error)", hint: "Run: \(Program.name) verify")]
        }
    }

    private func sizes(_ storage: EnvironmentStatistics) -> DoctorFinding {
        let used = storage.usedPages * storage.pageBytes
        let text =
            "\(Wording.bytes(used)) of data; \(Wording.bytes(storage.mapBytes)) of address space "
            + "reserved, which takes no room."
        return used > storage.mapBytes / 2
            ? DoctorFinding(
                "map", .warn, text, hint: "The map grows by itself while there is room.")
            : DoctorFinding("map", .ok, text)
    }

    private func readers(
        _ ledger: Ledger<LMDBStore>, _ storage: EnvironmentStatistics
    ) throws -> DoctorFinding {
        let readers = try context.inLedgerWords { () throws(LogError) in
            try ledger.log.storageReaders()
        }
        let stale = readers.filter { kill($0.processID, 0) != 0 && errno == ESRCH }
        let slow = readers.filter {
            storage.lastTransactionID > $0.transactionID
                && storage.lastTransactionID - $0.transactionID > Self.laggingCommits
        }
        if let reader = stale.first {
            return DoctorFinding(
                "readers", .warn, "Process \(reader.processID) died while it was reading.",
                hint: "Any command that writes clears its place.")
        }
        if let reader = slow.first {
            return DoctorFinding(
                "readers", .warn,
                "Process \(reader.processID) holds an old state, so the file grows.",
                hint: "Let it finish, or end it.")
        }
        return DoctorFinding("readers", .ok, "No reader is left over or far behind.")
    }

    private func recordedTime(_ statistics: LogStatistics) -> DoctorFinding {
        guard let newest = statistics.lastRecordedAt else {
            return DoctorFinding("recorded time", .ok, "Nothing is recorded yet.")
        }
        let ahead = newest - context.now.microseconds
        return ahead > 1_000_000
            ? DoctorFinding(
                "recorded time", .warn,
                "The last event is \(Wording.duration(.microseconds(ahead))) in the future.",
                hint: "The clock has jumped back; new events are held at that time until it passes."
            )
            : DoctorFinding("recorded time", .ok, "No event is in the future.")
    }

    private func lag(_ statistics: LogStatistics) -> DoctorFinding {
        let lag = statistics.events - min(statistics.watermark, statistics.events)
        let text =
            lag == 0
            ? "They have read everything."
            : "\(Wording.count(Int(clamping: lag), "event")) behind; answers are exact even so."
        return lag > Self.laggingEvents
            ? DoctorFinding(
                "projections", .warn, text, hint: "Any command that writes brings them up to date.")
            : DoctorFinding("projections", .ok, text)
    }

    private func permissions(_ path: String) -> DoctorFinding {
        for (name, wanted) in [("", "700"), ("/data.mdb", "600"), ("/keys", "700")] {
            guard let mode = Self.mode(path + name), mode & 0o077 != 0 else { continue }
            return DoctorFinding(
                "permissions", .warn, "Others on this machine can look into \(path + name).",
                hint: "Run: chmod \(wanted) \(path + name)")
        }
        return DoctorFinding("permissions", .ok, "The ledger is its owner's alone.")
    }

    private func room(_ path: String) -> DoctorFinding {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else {
            return DoctorFinding("room", .warn, "The free space of the disk cannot be read.")
        }
        let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        let text = "\(Wording.bytes(free)) free on the ledger's disk."
        return free < Self.scarceBytes
            ? DoctorFinding(
                "room", .warn, text, hint: "Make room; webhooks are answered 503 on a full disk.")
            : DoctorFinding("room", .ok, text)
    }

    private func rootKey(_ ledger: Ledger<LMDBStore>) -> DoctorFinding {
        let options = try? context.options(writing: false)
        let path =
            options?.rootKeyPath
            ?? RootKey.defaultPath(
                ledgerID: ledger.log.identity.id.bytes, environment: options?.environment ?? [:])
        do throws(LedgerError) {
            if let key = try RootKey.read(path) {
                return DoctorFinding("root key", .ok, "Key \(key.fingerprint) at \(path).")
            }
            return DoctorFinding(
                "root key", .fail, "There is no root key at \(path).",
                hint: "Bring back its copy, or name it with --root-key; without it nothing can be "
                    + "sealed or opened.", isAboutCredentials: true)
        } catch {
            return DoctorFinding(
                "root key", .fail, error.message, hint: error.hint, isAboutCredentials: true)
        }
    }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode : nil
    }

    // MARK: - The accounts

    private func accounts() -> [DoctorFinding] {
        let configuration: LedgerConfiguration?
        do {
            configuration = try context.configuration()
        } catch let error as ConfigurationError {
            return error.problems.map { problem in
                DoctorFinding(
                    "config", problem.isWarning ? .warn : .fail,
                    [problem.path, problem.message].filter { !$0.isEmpty }.joined(separator: ": "),
                    hint: problem.hint.isEmpty ? nil : problem.hint,
                    isAboutCredentials: problem.isAboutSecrets)
            }
        } catch let error as LedgerError {
            return [DoctorFinding("config", .fail, error.message, hint: error.hint)]
        } catch {
            return [DoctorFinding("config", .fail, "\(error)")]
        }
        guard let configuration else {
            return [
                DoctorFinding(
                    "secrets", .warn, "No configuration names your accounts.",
                    hint: "Give --config; see its form: \(Program.name) help config")
            ]
        }
        return configuration.warnings.map { warning in
            DoctorFinding(
                "config", .warn, "\(warning.path): \(warning.message)", hint: warning.hint)
        } + configuration.accounts.map(secrets)
    }

    private func secrets(of account: LedgerConfiguration.Account) -> DoctorFinding {
        let canReceive = account.provider is any WebhookReceiving
        let lacks = [
            canReceive && !account.receivesWebhooks ? "its webhooks cannot be checked" : nil,
            account.statusQueries != nil && !account.canBeAsked ? "it cannot be asked" : nil,
        ].compactMap(\.self)
        let name = "\(account.scope) (\(account.scope.mode.name))"
        guard lacks.isEmpty else {
            return DoctorFinding(
                "secrets", .warn, "\(name): \(lacks.joined(separator: ", ")).",
                hint: "Name the secret's file in the configuration.")
        }
        return DoctorFinding("secrets", .ok, "\(name): complete.")
    }
}

/// A port of this machine.
enum LocalPort {
    /// Why 127.0.0.1 cannot be listened on at a port: the number of the system's error; nil when it
    /// can.
    static func bindError(_ port: UInt16) -> Int32? {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return errno }
        defer { _ = close(descriptor) }
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        return result == 0 ? nil : errno
    }
}
