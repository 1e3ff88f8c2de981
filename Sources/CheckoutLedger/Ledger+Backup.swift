public import EventLog

/// What a backup holds.
public struct BackupReport: Sendable, Hashable {
    /// What reading and hashing all of it found.
    public let verification: VerificationReport
    /// How many rows of wrapped keys were copied; nil when they were left out.
    public let keyRows: Int?
}

extension Ledger where Store == LMDBStore {
    /// Copies the ledger, as it is now and without free pages, while others read and write; then
    /// opens the copy and verifies it.
    ///
    /// The wrapped keys are left out unless a directory for them is named: whoever has them and
    /// the root key, which is never copied, can read what is sealed. The log is copied first, so
    /// that no event lacks a key that was there. Blocks its caller. Throws `ALREADY_EXISTS`,
    /// `FILE_FAILED` and what the storage says; a copy that does not verify is reported and stays
    /// for a look at it.
    public func backUp(
        to directory: String, keysTo keys: String? = nil
    ) throws(LedgerError) -> BackupReport {
        for path in [directory, keys].compactMap({ $0 }) where Files.exists(path) {
            throw LedgerError(
                .exists, "There is something at \(path) already.",
                hint: "Name a directory that is not there; nothing was overwritten.")
        }
        try Files.makePrivateDirectory(Files.parent(of: directory))
        let report: VerificationReport
        do throws(LogError) {
            try log.copy(compactingTo: directory)
            let store = try LMDBStore(directory: directory, isReadOnly: true)
            do throws(LogError) {
                let copy = try EventLog<CheckoutSchema, LMDBStore>(store: store)
                defer { copy.close() }
                report = try copy.verify()
            } catch {
                store.close()
                throw error
            }
        } catch {
            throw LedgerError(error)
        }
        guard let keys, let rows = keystore.rows as? LMDBKeyRows else {
            return BackupReport(verification: report, keyRows: nil)
        }
        try Files.makePrivateDirectory(Files.parent(of: keys))
        return BackupReport(verification: report, keyRows: try rows.copy(to: keys))
    }
}
