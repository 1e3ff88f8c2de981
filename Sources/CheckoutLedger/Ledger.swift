public import EventLog
public import ProviderKit

/// Records every voice about a checkout, and answers what is true.
///
/// One value for one ledger; safe to use from any task. `append`-like calls return after the
/// disk was flushed and not before. Reads answer from one consistent snapshot, and are exact: what
/// a call recorded, the next read sees.
///
/// Generic over the storage engine: `LMDBStore` for ledgers on disk, `InMemoryStore` for tests and
/// previews.
public final class Ledger<Store: LogStore>: Sendable {
    /// The log underneath; other targets of this package read it for proofs and benchmarks.
    package let log: EventLog<CheckoutSchema, Store>
    let scribe: EventScribe
    let keystore: Keystore
    let sealing: LedgerSealing
    /// The adapters that this ledger knows.
    public let providers: ProviderRegistry
    /// The program's name and version, for receipts.
    let tool: String

    /// Puts a ledger together from its parts.
    init(
        log: EventLog<CheckoutSchema, Store>, keystore: Keystore, redactor: Redactor,
        ids: any LogIDSource, providers: ProviderRegistry, sealing: LedgerSealing = .none,
        tool: String = ""
    ) {
        self.tool = tool
        self.log = log
        self.sealing = sealing
        self.keystore = keystore
        self.providers = providers
        scribe = EventScribe(
            ledgerID: log.identity.id.bytes, keystore: keystore, redactor: redactor, ids: ids)
    }

    /// The random name of this ledger, 16 bytes.
    public var id: [UInt8] { scribe.ledgerID }

    /// True when private fields can be sealed and opened: the root key is here.
    public var canOpenPrivateFields: Bool { keystore.isUsable }

    /// Masks in what is recorded from now on what this one masks, too: secrets that a server took
    /// over while it runs.
    public func mask(_ redactor: Redactor) { scribe.mask(redactor) }

    /// Writes what is pending and lets go of the files.
    ///
    /// No call may follow.
    public func close() {
        log.close()
        keystore.close()
    }

    /// Runs `body` on one consistent snapshot, in the ledger's own error words.
    func read<R>(
        _ body: (borrowing Snapshot<CheckoutSchema, Store>) throws(LedgerError) -> R
    ) throws(LedgerError) -> R {
        do {
            return try log.read { try body($0) }
        } catch {
            throw LedgerError(any: error)
        }
    }
}
