package import LMDB

extension EventLog where Store == LMDBStore {
    /// Grows with every commit of any process.
    package var commitCounter: UInt64 { store.commitCounter }

    /// How large the files are and how many rows each table has, at one moment.
    ///
    /// Walks LMDB's list of free pages. Throws what the engine throws when it cannot read, and
    /// `LOG_CLOSED`.
    package func storageStatistics() throws(LogError) -> EnvironmentStatistics {
        try whileOpen { () throws(LogError) in
            try inLogWords { try store.environment.statistics() }
        }
    }

    /// The reads that are going on in all processes, those of processes that died among them.
    ///
    /// Throws what the engine throws when it cannot read, and `LOG_CLOSED`.
    package func storageReaders() throws(LogError) -> [EnvironmentReader] {
        try whileOpen { () throws(LogError) in
            try inLogWords { try store.environment.readers() }
        }
    }
}
