import LMDB
import Synchronization

/// Wrapped keys in an LMDB environment of their own, so that they can be kept, copied and
/// destroyed apart from the log.
final class LMDBKeyRows: KeyRows {
    let directory: KeystoreDirectory
    private let isReadOnly: Bool
    private let current: Mutex<Opened>
    /// Held while this process goes over to another generation.
    private let following = Mutex(())

    private struct Opened: Sendable {
        let environment: Environment
        let keys: Database<ByteKeys>
        let generation: UInt64
    }

    init(directory: String, isReadOnly: Bool) throws(LedgerError) {
        self.directory = KeystoreDirectory(path: directory)
        self.isReadOnly = isReadOnly
        current = Mutex(try Self.open(self.directory, isReadOnly: isReadOnly))
    }

    /// Opens the generation that counts.
    private static func open(
        _ directory: KeystoreDirectory, isReadOnly: Bool
    ) throws(LedgerError) -> Opened {
        while true {
            let generation = directory.newest()
            do {
                let environment = try Environment.open(
                    directory: directory.path(of: generation), options(isReadOnly: isReadOnly))
                let keys = try environment.byteDatabase("keys")
                // It may have been rewritten and removed between the look and the opening; then
                // an empty store was made where it stood.
                if directory.newest() == generation {
                    return Opened(environment: environment, keys: keys, generation: generation)
                }
                environment.close()
                directory.remove(generation)
            } catch {
                guard directory.newest() != generation else { throw LedgerError(storage: error) }
            }
        }
    }

    private static func options(isReadOnly: Bool) -> EnvironmentOptions {
        var options = EnvironmentOptions(databases: [DatabaseDeclaration("keys", keys: .bytes)])
        // 16 GiB of address space: 125 bytes a session reach for a hundred million.
        options.mapBytes = 1 << 34
        options.isReadOnly = isReadOnly
        return options
    }

    func close() { current.withLock { $0 }.environment.close() }

    var generation: UInt64 { current.withLock { $0.generation } }

    func stamp() throws(LedgerError) -> KeyRowsStamp {
        try using { opened in
            KeyRowsStamp(
                generation: opened.generation,
                transaction: try opened.environment.lastTransactionID())
        }
    }

    func follow() throws(LedgerError) {
        let result: Result<Void, LedgerError> = following.withLock { _ in
            let old = current.withLock { $0 }
            guard directory.newest() != old.generation else { return .success(()) }
            do throws(LedgerError) {
                let new = try Self.open(directory, isReadOnly: isReadOnly)
                current.withLock { $0 = new }
                // Waits for those who are reading; they come back to the new one.
                old.environment.close()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Runs `body` on what is open; again when that was closed under it by a change of generation.
    private func using<R>(_ body: (Opened) throws -> R) throws(LedgerError) -> R {
        while true {
            let opened = current.withLock { $0 }
            do {
                return try body(opened)
            } catch let error as LMDBError where error.code == .closed {
                if generation == opened.generation { throw LedgerError(storage: error) }
            } catch {
                throw LedgerError(storage: error)
            }
        }
    }

    /// True before the first key was made.
    func isEmpty() throws(LedgerError) -> Bool { try count() == 0 }

    /// Copies the keys, as they are now, into a directory that has none yet; how many rows.
    func copy(to directory: String) throws(LedgerError) -> Int {
        try using { try $0.environment.copy(compactingTo: directory) }
        let copied = try LMDBKeyRows(directory: directory, isReadOnly: true)
        defer { copied.close() }
        return try copied.count()
    }

    private func count() throws(LedgerError) -> Int {
        try using { opened in try opened.environment.read { try $0.count(opened.keys) } }
    }

    func value(_ key: [UInt8]) throws(LedgerError) -> [UInt8]? {
        try using { opened in
            try opened.environment.read { try $0.getBytes(opened.keys, key) }
        }
    }

    func rows(
        beginning prefix: [UInt8], from key: [UInt8], limit: Int
    ) throws(LedgerError) -> [KeyRow] {
        try using { opened in
            try opened.environment.read { transaction in
                var found: [KeyRow] = []
                try transaction.forEach(opened.keys, from: key) { key, value in
                    let key = key.withUnsafeBytes { Array($0) }
                    guard key.starts(with: prefix), found.count < limit else { return .stop }
                    found.append(KeyRow(key: key, value: value.withUnsafeBytes { Array($0) }))
                    return .next
                }
                return found
            }
        }
    }

    func commit(_ change: KeyRowChange, in generation: UInt64) throws(LedgerError) -> Bool {
        let directory = directory
        let isDone = try using { opened in
            guard opened.generation == generation else { return false }
            return try opened.environment.write { transaction in
                // A rewriting holds this lock until the next generation has its name.
                guard directory.newest() == generation else { return false }
                for row in change.puts { try transaction.put(opened.keys, row.key, row.value) }
                for row in change.insertions
                where try !transaction.contains(opened.keys, row.key) {
                    try transaction.put(opened.keys, row.key, row.value)
                }
                for key in change.deletions { try transaction.delete(opened.keys, key) }
                return true
            }
        }
        if !isDone { try follow() }
        return isDone
    }

    func replace(
        reached: (ErasureStep) -> Void,
        _ transform: (KeyRow) throws(LedgerError) -> KeyRow
    ) throws(LedgerError) -> Bool {
        try follow()
        let old = current.withLock { $0 }
        let next = old.generation + 1
        do {
            try old.environment.write { transaction in
                // Tells processes that have the old rows open to look for the new ones; first,
                // since a map that must grow for it would have all of this done twice.
                try transaction.put(old.keys, KeystoreLayout.moved, [1])
                try write(next, reached) { (put) throws in
                    try transaction.forEach(old.keys) { key, value in
                        let row = KeyRow(
                            key: key.withUnsafeBytes { Array($0) },
                            value: value.withUnsafeBytes { Array($0) })
                        if row.key != KeystoreLayout.moved { try put(try transform(row)) }
                        return .next
                    }
                }
                try directory.finish(next)
                reached(.renamed)
            }
        } catch {
            throw LedgerError(storage: error)
        }
        try follow()
        return directory.remove(old.generation)
    }

    /// Writes a generation that has no name yet, a slice of rows at a time, in rising order.
    ///
    /// Into a fresh file: unlike a copy of the old one it never held a row that is gone.
    private func write(
        _ generation: UInt64, _ reached: (ErasureStep) -> Void,
        _ fill: ((KeyRow) throws -> Void) throws -> Void
    ) throws {
        let place = directory.unfinishedPath(of: generation)
        directory.removeLeftovers()
        let environment = try Environment.open(
            directory: place, Self.options(isReadOnly: false))
        defer { environment.close() }
        let keys = try environment.byteDatabase("keys")
        var slice: [KeyRow] = []
        func flush() throws {
            let rows = slice
            slice = []
            try environment.write { transaction in
                for row in rows { try transaction.put(keys, row.key, row.value) }
            }
        }
        try fill { row in
            slice.append(row)
            if slice.count >= Limits.keyRowsPerCommit { try flush() }
        }
        try flush()
        reached(.copied)
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
