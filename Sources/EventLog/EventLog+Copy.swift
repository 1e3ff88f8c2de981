import LMDB

extension EventLog where Store == LMDBStore {
    /// Copies the log, as it is now and without free pages, into a directory that holds none,
    /// while everything goes on.
    ///
    /// Throws under the engine's own codes, such as `ALREADY_EXISTS`, and `STORAGE_FULL`,
    /// `LOG_CLOSED`.
    package func copy(compactingTo directory: String) throws(LogError) {
        try whileOpen { () throws(LogError) in
            try inLogWords { try store.environment.copy(compactingTo: directory) }
        }
    }
}
