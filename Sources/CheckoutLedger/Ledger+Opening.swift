public import EventLog
import LMDB
public import ProviderKit

/// What a ledger is opened with.
public struct LedgerOptions: Sendable {
    /// The adapters it knows.
    public var providers: ProviderRegistry
    /// Masks what must never be stored.
    public var redactor = Redactor()
    /// The root key's file; nil for the user's state directory.
    ///
    /// The same as `rootKeySource` with a file, which comes first.
    public var rootKeyPath: String?
    /// The seal key's file; nil for the user's state directory, where it is made on first use.
    ///
    /// A ledger is sealed where this or a home in `environment` is named.
    public var sealKeyPath: String?
    /// Directories, best on another volume or machine, that the last seal is kept in too.
    public var anchorDirectories: [String] = []
    /// True for a pretend ledger that is made again and again under one id: while it is empty, the
    /// seals that are kept of an earlier one go.
    public var isPretend = false
    /// Where the root key comes from.
    public var rootKeySource: RootKeySource?
    /// The program's name and version, for receipts.
    public var tool = ""
    /// The process's environment, for the state directory and for credentials.
    public var environment: [String: String] = [:]
    /// True where nothing is to be written; recording then fails.
    public var isReadOnly = false
    /// Where recorded times come from.
    public var clock: any LogClock = SystemLogClock()
    /// Where event ids come from.
    public var ids: any LogIDSource = RandomLogIDSource()
    /// Called at each durable step of an erasure, for tests that crash there.
    package var reached: @Sendable (ErasureStep) -> Void = { _ in }

    /// Everything but the adapters has a default.
    public init(providers: ProviderRegistry) { self.providers = providers }
}

extension Ledger where Store == LMDBStore {
    /// Makes a new ledger in a directory, with a new root key outside it.
    ///
    /// Throws `LEDGER_EXISTS`, `FILE_FAILED`, `MALFORMED_KEY` and what the storage says.
    public static func create(
        at directory: String, options: LedgerOptions
    ) throws(LedgerError) -> Ledger<LMDBStore> {
        guard !holdsLedger(directory) else {
            throw LedgerError(
                .exists, "There is a ledger at \(directory) already.",
                hint: "Open it, or choose another directory.")
        }
        try Files.makePrivateDirectory(directory)
        return try assemble(directory, options)
    }

    /// Opens the ledger in a directory.
    ///
    /// Throws `NO_LEDGER`, `NOT_A_LEDGER`, `NOT_A_STORE`, `FORMAT_TOO_NEW`, `ALREADY_OPEN`,
    /// `PERMISSION_DENIED`, `MALFORMED_KEY`, and for reading only `FOLD_VERSION_CHANGED`; nothing
    /// is changed by any of them. A missing root key is no error until private fields are to be
    /// sealed or opened.
    public static func open(
        at directory: String, options: LedgerOptions
    ) throws(LedgerError) -> Ledger<LMDBStore> {
        // Where looking is forbidden, opening says so; "there is none" would have people make one.
        guard Files.mayExist(directory + "/data.mdb") else {
            throw LedgerError(
                .noLedger, "There is no ledger at \(directory).",
                hint: "Make one with: checkout-ledger init --ledger \(directory)")
        }
        return try assemble(directory, options)
    }

    /// Builds the projections anew where another version of this program built them; reads no key.
    ///
    /// Opening for writing does it by itself; this is for those who want to read only, and may
    /// write. Takes as long as reading the log does.
    package static func renewProjections(at directory: String) throws(LedgerError) {
        do throws(LogError) {
            let store = try LMDBStore(directory: directory)
            do throws(LogError) { try EventLog(checkoutsIn: store).close() } catch {
                store.close()
                throw error
            }
        } catch {
            throw LedgerError(error)
        }
    }

    private static func holdsLedger(_ directory: String) -> Bool {
        Files.exists(directory + "/data.mdb")
    }

    private static func assemble(
        _ directory: String, _ options: LedgerOptions
    ) throws(LedgerError) -> Ledger<LMDBStore> {
        let log: EventLog<CheckoutSchema, LMDBStore>
        do throws(LogError) {
            let store = try LMDBStore(directory: directory, isReadOnly: options.isReadOnly)
            do throws(LogError) {
                log = try EventLog(
                    checkoutsIn: store, clock: options.clock, ids: options.ids)
            } catch {
                store.close()
                throw error
            }
        } catch {
            throw LedgerError(error)
        }
        do throws(LedgerError) {
            let keystore = try keystore(of: log.identity.id.bytes, directory, options)
            let sealing: LedgerSealing
            do throws(LedgerError) { sealing = try beginSealing(log, options) } catch {
                keystore.close()
                throw error
            }
            let ledger = Ledger(
                log: log, keystore: keystore, redactor: options.redactor, ids: options.ids,
                providers: options.providers, sealing: sealing, tool: options.tool)
            if !options.isReadOnly { ledger.resumeErasures(waits: false) }
            return ledger
        } catch {
            log.close()
            throw error
        }
    }

    private static func keystore(
        of ledgerID: [UInt8], _ directory: String, _ options: LedgerOptions
    ) throws(LedgerError) -> Keystore {
        let keys = directory + "/keys"
        let path =
            options.rootKeyPath
            ?? RootKey.defaultPath(ledgerID: ledgerID, environment: options.environment)
        let ring = RootKeyring(
            options.rootKeySource ?? .file(path), environment: options.environment)
        // A copy that was made without its keys can be read, but for what is sealed.
        let isWithoutKeys = options.isReadOnly && !KeystoreDirectory(path: keys).holdsKeys
        guard !isWithoutKeys else {
            return Keystore(rows: InMemoryKeyRows(), ring: ring)
        }
        let rows = try LMDBKeyRows(directory: keys, isReadOnly: options.isReadOnly)
        // Most reading needs no key: whoever opens a sealed field hears what is wrong with it.
        if !options.isReadOnly {
            do throws(LedgerError) {
                // Made where there are no keys yet that one should open.
                if try rows.isEmpty() {
                    try refuseKey(at: path, inside: directory)
                    try ring.makeFirst()
                }
                try ring.reload()
            } catch {
                guard error.code == .rootKeyMissing else {
                    rows.close()
                    throw error
                }
            }
        }
        return Keystore(rows: rows, ring: ring, reached: options.reached)
    }
}

extension Ledger where Store == LMDBStore {
    /// A key beside what it opens would be in every copy of it.
    private static func refuseKey(
        at path: String, inside directory: String
    ) throws(LedgerError) {
        guard let ledger = Files.realPath(directory),
            var place = Files.realPath(Files.parent(of: path))
        else { return }
        place += "/"
        guard place.hasPrefix(ledger + "/") else { return }
        throw LedgerError(
            .malformedKey, "The root key's file would stand inside the ledger's directory.",
            hint: "Name a file elsewhere with --root-key: a copy of the ledger must open nothing.")
    }
}

extension Ledger where Store == InMemoryStore {
    /// A ledger in memory, with a root key of its own: for tests, previews and trials.
    ///
    /// Everything is gone when it is closed.
    public static func inMemory(options: LedgerOptions) throws(LedgerError) -> Ledger<InMemoryStore>
    {
        do throws(LogError) {
            let log = try EventLog<CheckoutSchema, InMemoryStore>(
                store: InMemoryStore(), clock: options.clock, ids: options.ids)
            return Ledger(
                log: log,
                keystore: Keystore(
                    rows: InMemoryKeyRows(), ring: RootKeyring(inMemory: .generate()),
                    reached: options.reached),
                redactor: options.redactor, ids: options.ids, providers: options.providers,
                tool: options.tool)
        } catch {
            throw LedgerError(error)
        }
    }
}
