import Cryptography
public import EventLog

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Ledger where Store == LMDBStore {
    /// Makes a new ledger out of an export, of which `first` is the first line.
    ///
    /// It is built beside the directory and gets its name once every line was read and the root
    /// compared; whatever is wrong with the file, nothing stays behind. The ledger keeps its
    /// identity, so that keys which are kept elsewhere open its sealed fields again. Blocks its
    /// caller. Throws `LEDGER_EXISTS`, `DAMAGED_FILE`, `FORMAT_TOO_NEW`, `FILE_FAILED` and what the
    /// storage says.
    public static func restore(
        at directory: String, from lines: inout LineReader, first: TextLine
    ) throws(LedgerError) -> LedgerExport.Summary {
        var target = directory
        while target.count > 1, target.hasSuffix("/") { target.removeLast() }
        guard !Files.exists(target) else {
            throw LedgerError(
                .exists, "There is something at \(directory) already.",
                hint: "An export becomes a new ledger: name a directory that is not there, with "
                    + "--into.")
        }
        var reader = try LedgerExportReader(header: first)
        try Files.makePrivateDirectory(Files.parent(of: target))
        let aside = target + ".importing-\(getpid())"
        removeStore(aside)
        do throws(LedgerError) {
            try build(aside, &reader, &lines)
            guard rename(aside, target) == 0 else { throw Files.failure("create", target) }
        } catch {
            removeStore(aside)
            throw error
        }
        try Files.flushDirectory(Files.parent(of: target))
        return LedgerExport.Summary(
            ledgerID: reader.identity.id.bytes, records: reader.records,
            root: reader.root ?? "")
    }

    private static func build(
        _ directory: String, _ reader: inout LedgerExportReader, _ lines: inout LineReader
    ) throws(LedgerError) {
        let log: EventLog<CheckoutSchema, LMDBStore>
        do throws(LogError) {
            let store = try LMDBStore(directory: directory)
            do throws(LogError) {
                try EventLog<CheckoutSchema, LMDBStore>.makeRestored(
                    in: store, identity: reader.identity)
                log = try EventLog(store: store)
            } catch {
                store.close()
                throw error
            }
        } catch {
            throw LedgerError(error)
        }
        defer { log.close() }
        var batch: [[UInt8]] = []
        var bytes = 0
        while let line = try lines.next() {
            guard let record = try reader.record(line) else { continue }
            batch.append(record)
            bytes += record.count
            if batch.count >= Limits.recordsPerRestore || bytes >= Limits.bytesPerRestore {
                try restore(batch, into: log)
                batch = []
                bytes = 0
            }
        }
        try restore(batch, into: log)
        guard let stated = reader.root else {
            throw LedgerError(
                .damagedFile, "The file ends before its last line.",
                hint: "It was cut; nothing of it was taken.")
        }
        let root: String
        do {
            root = try log.read { try $0.frontier().root().hex }
        } catch {
            throw LedgerError(any: error)
        }
        guard root == stated else {
            throw LedgerError(
                .damagedFile, "The records do not make the root that the file states.",
                hint: "They were changed; nothing of the file was taken.")
        }
    }

    /// A record that does not fit is the file's fault, not the storage's.
    private static func restore(
        _ records: [[UInt8]], into log: EventLog<CheckoutSchema, LMDBStore>
    ) throws(LedgerError) {
        do throws(LogError) {
            try log.restore(records)
        } catch {
            guard error.code == .damaged else { throw LedgerError(error) }
            throw LedgerError(
                .damagedFile, error.message,
                hint: "The file's records do not make a log; nothing of it was taken.")
        }
    }

    /// Removes what a restoration made, and nothing else.
    private static func removeStore(_ directory: String) {
        unlink(directory + "/data.mdb")
        unlink(directory + "/lock.mdb")
        rmdir(directory)
    }
}
