import LMDB

/// Wrapped keys in an LMDB environment of their own, so that they can be kept, copied and
/// destroyed apart from the log.
final class LMDBKeyRows: KeyRows {
    private let environment: Environment
    private let keys: Database<ByteKeys>

    init(directory: String, isReadOnly: Bool) throws(LedgerError) {
        do {
            var options = EnvironmentOptions(databases: [DatabaseDeclaration("keys", keys: .bytes)])
            // 16 GiB of address space: 125 bytes a session reach for a hundred million.
            options.mapBytes = 1 << 34
            options.isReadOnly = isReadOnly
            environment = try Environment.open(directory: directory, options)
            keys = try environment.byteDatabase("keys")
        } catch {
            throw LedgerError(storage: error)
        }
    }

    func close() { environment.close() }

    /// True before the first key was made.
    func isEmpty() throws(LedgerError) -> Bool { try count() == 0 }

    /// Copies the keys, as they are now, into a directory that has none yet; how many rows.
    func copy(to directory: String) throws(LedgerError) -> Int {
        do {
            try environment.copy(compactingTo: directory)
        } catch {
            throw LedgerError(storage: error)
        }
        let copied = try LMDBKeyRows(directory: directory, isReadOnly: true)
        defer { copied.close() }
        return try copied.count()
    }

    private func count() throws(LedgerError) -> Int {
        do {
            return try environment.read { try $0.count(keys) }
        } catch {
            throw LedgerError(storage: error)
        }
    }

    func value(_ key: [UInt8]) throws(LedgerError) -> [UInt8]? {
        do {
            return try environment.read { try $0.getBytes(keys, key) }
        } catch {
            throw LedgerError(storage: error)
        }
    }

    func commit(_ rows: [(key: [UInt8], value: [UInt8])]) throws(LedgerError) {
        do {
            try environment.write { transaction in
                for row in rows { try transaction.put(keys, row.key, row.value) }
            }
        } catch {
            throw LedgerError(storage: error)
        }
    }

    func commitIfAbsent(_ rows: [(key: [UInt8], value: [UInt8])]) throws(LedgerError) {
        do {
            try environment.write { transaction in
                for row in rows where try !transaction.contains(keys, row.key) {
                    try transaction.put(keys, row.key, row.value)
                }
            }
        } catch {
            throw LedgerError(storage: error)
        }
    }
}

extension LedgerError {
    /// The storage engine's error in the ledger's words.
    init(storage error: any Error) {
        if let error = error as? LMDBError {
            self.init(Code(rawValue: error.code.rawValue), error.message, hint: error.hint)
        } else {
            self.init(any: error)
        }
    }
}
