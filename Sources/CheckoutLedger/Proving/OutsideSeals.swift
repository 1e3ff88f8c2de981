import Cryptography
public import EventLog

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The last seals of a ledger, kept outside its directory: a copy of the ledger does not take them
/// along, and putting an old copy back does not bring old ones back.
///
/// One file for each epoch in the user's state directory, by ledger id, and one in each anchor
/// directory. A file is replaced by greater seals only, under a lock that all processes of the user
/// take.
public struct OutsideSeals: Sendable {
    /// A seal as one of the files has it.
    public struct Kept: Sendable {
        /// The file.
        public let path: String
        /// What it holds.
        public let seal: Seal
        /// False for the file in the state directory, which the same user could change.
        public let isOutside: Bool
    }

    let ledgerID: [UInt8]
    /// Where the ledger's own key and seals are.
    let stateDirectory: String
    let anchorDirectories: [String]

    /// Nil where no place is known: neither a home nor a key file is named.
    init?(_ ledgerID: [UInt8], _ options: LedgerOptions) {
        let hasHome = ["HOME", "XDG_STATE_HOME"].contains { options.environment[$0] != nil }
        guard hasHome || options.sealKeyPath != nil else { return nil }
        self.ledgerID = ledgerID
        stateDirectory =
            hasHome
            ? Files.stateDirectory(options.environment) + "/" + Hex.encode(ledgerID)
            : Files.parent(of: options.sealKeyPath ?? "") + "/" + Hex.encode(ledgerID)
        anchorDirectories = options.anchorDirectories
    }

    /// Where the key is that was made on first use.
    var keyPath: String { stateDirectory + "/seal.key" }

    private func paths(_ epoch: UInt32) -> [(path: String, isOutside: Bool)] {
        let name = Hex.encode(ledgerID)
        return [(stateDirectory + "/e\(epoch + 1).seal", false)]
            + anchorDirectories.map { ($0 + "/\(name)-e\(epoch + 1).seal", true) }
    }

    /// The seals of an epoch, from 0; throws `DAMAGED_FILE` where one cannot be read.
    public func read(epoch: UInt32) throws(LedgerError) -> [Kept] {
        var kept: [Kept] = []
        for (path, isOutside) in paths(epoch) {
            guard let seal = try Self.seal(at: path) else { continue }
            kept.append(Kept(path: path, seal: seal, isOutside: isOutside))
        }
        return kept
    }

    /// The greatest epoch, from 0, of which a seal is kept; nil when there is none.
    func greatestEpoch(from epoch: UInt32) -> UInt32? {
        var found: UInt32?
        var next = epoch
        while paths(next).contains(where: { Files.exists($0.path) }) {
            found = next
            next += 1
        }
        return found
    }

    /// Keeps a seal in every place; a greater one that is there stays.
    ///
    /// Throws `FORK` where one of the same size and another root is there, `DAMAGED_FILE`,
    /// `FILE_FAILED`; the other places are tried all the same.
    func keep(_ seal: Seal, epoch: UInt32) throws(LedgerError) {
        try Files.makePrivateDirectory(stateDirectory)
        let lock = try FileLock(stateDirectory + "/seals.lock")
        defer { lock.end() }
        var failure: LedgerError?
        for (path, _) in paths(epoch) {
            do throws(LedgerError) { try Self.keep(seal, at: path) } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Removes what is kept, where the log has nothing that could have been sealed.
    func forget(ifEmpty log: EventLog<CheckoutSchema, LMDBStore>) throws(LedgerError) {
        let end: UInt64
        do { end = try log.read { $0.end } } catch { throw LedgerError(any: error) }
        guard end == 0, let last = greatestEpoch(from: 0) else { return }
        for (path, _) in (0...last).flatMap(paths) { unlink(path) }
    }

    private static func keep(_ seal: Seal, at path: String) throws(LedgerError) {
        if let held = try self.seal(at: path)?.head {
            if held.size > seal.head.size { return }
            if held.size == seal.head.size {
                guard held.root == seal.head.root else {
                    throw LedgerError(.fork(seal.head.size))
                }
                return
            }
        }
        try Files.replace(path, with: seal.bytes)
    }

    private static func seal(at path: String) throws(LedgerError) -> Seal? {
        guard Files.exists(path) else { return nil }
        let bytes = try Files.read(path, limit: Limits.sealFileBytes)
        do throws(LogError) {
            return try Seal(bytes)
        } catch {
            throw LedgerError(
                .damagedFile, "The file \(path) does not hold a seal.",
                hint: "It was changed by something else. Put the seal back, or remove the file.")
        }
    }
}
