import Cryptography
public import EventLog

/// A sealed ledger as static files that any web server can hand out.
///
/// `checkpoint` is the last seal; `tile/…` has the hashes of the tree, 256 a file. With entries,
/// `tile/entries/…` has the records too, each behind its length in two bytes: their headers can be
/// read by everybody who has the files.
///
/// Source: C2SP tlog-tiles.
public struct TileExport: Sendable, Hashable {
    /// The seal that the tiles are of.
    public let seal: Seal
    /// How many files were written.
    public let files: Int
}

extension Ledger {
    /// Writes the tiles of the last seal into a directory that is not there yet.
    ///
    /// Blocks its caller. `isStopped` is asked before each file. Throws `NOT_SEALED`,
    /// `LEDGER_EXISTS`, `HISTORY_REWRITTEN` when the records do not give the sealed root,
    /// `FILE_FAILED`, `INTERRUPTED`.
    public func exportTiles(
        to directory: String, withEntries: Bool, isStopped: () -> Bool = { false }
    ) throws(LedgerError) -> TileExport {
        guard !Files.exists(directory) else {
            throw LedgerError(
                .exists, "There is something at \(directory) already.",
                hint: "Name a directory that is not there.")
        }
        let seal = try sealedHead()
        var files = 1
        for tile in Tile.all(of: seal.head.size) {
            if isStopped() {
                throw LedgerError(
                    .interrupted, "Interrupted while writing \(directory).",
                    hint: "Remove the directory; it is not whole.")
            }
            try write(try bytes(of: tile), to: directory + "/" + tile.path)
            files += 1
            guard withEntries, tile.level == 0 else { continue }
            try write(try entries(of: tile), to: directory + "/" + tile.entriesPath)
            files += 1
        }
        // Last, so that a directory with a seal is whole.
        try write(seal.bytes, to: directory + "/checkpoint")
        return TileExport(seal: seal, files: files)
    }

    private func sealedHead() throws(LedgerError) -> Seal {
        do throws(LogError) {
            guard let seal = try log.lastSeal() else {
                throw LogError(
                    .notSealed, "The ledger has not been sealed yet.", hint: "Seal it first.")
            }
            // The same check as for any proof: what is handed out must give the sealed root.
            _ = try log.growthProof(from: seal.head.size, root: seal.head.root)
            return seal
        } catch {
            throw LedgerError(error)
        }
    }

    private func bytes(of tile: Tile) throws(LedgerError) -> [UInt8] {
        try read { (snapshot) throws(LedgerError) in
            do throws(LogError) {
                return try snapshot.hashes(of: tile).flatMap(\.bytes)
            } catch {
                throw LedgerError(error)
            }
        }
    }

    private func entries(of tile: Tile) throws(LedgerError) -> [UInt8] {
        let first = tile.index * UInt64(Tile.fullWidth)
        var bytes: [UInt8] = []
        for position in first..<first + UInt64(tile.width) {
            let record: [UInt8]
            do throws(LogError) { record = try log.recordBytes(at: position) } catch {
                throw LedgerError(error)
            }
            bytes += [UInt8(record.count >> 8), UInt8(record.count & 0xFF)] + record
        }
        return bytes
    }

    private func write(_ bytes: [UInt8], to path: String) throws(LedgerError) {
        try Files.makePrivateDirectory(Files.parent(of: path))
        try Files.writeNew(path, bytes)
    }
}
