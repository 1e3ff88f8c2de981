import CheckoutLedger
import CommandKit
import Cryptography

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where the demo's ledger lies: a directory with a mark in it, so that a demo never replaces
/// anything but a demo.
enum DemoDirectory {
    static let standard = "./.checkout-ledger-demo"
    static let mark = "pretend-data.txt"
    /// Everything that such a directory holds; nothing else in it is ever touched.
    private static let files = [
        "keys/data.mdb", "keys/lock.mdb", "data.mdb", "lock.mdb", mark,
    ]

    /// Makes the directory and marks it; takes an earlier demo's ledger away.
    ///
    /// Throws `NOT_A_DEMO` when there is a ledger without the mark, and `FILE_FAILED`.
    static func prepare(_ path: String, seed: Int) throws {
        if Files.exists("\(path)/\(mark)") {
            KeystoreDirectory.removeAll(in: "\(path)/keys")
            for file in files { try remove("\(path)/\(file)") }
        } else if Files.exists("\(path)/data.mdb") || Files.exists("\(path)/keys") {
            throw Complaint(
                code: "NOT_A_DEMO",
                message: "There is a ledger at \(path) that no demo made; it is left alone.",
                hint: "Name another directory: \(Program.name) demo --ledger DIR")
        }
        try Files.makePrivateDirectory(path)
        let text = "Pretend data, made by 'checkout-ledger demo --seed \(seed)'.\n"
        try Files.writeNew("\(path)/\(mark)", Array(text.utf8))
    }

    /// The id of the ledger in a directory that is there: it follows from the place, not the seed.
    ///
    /// Seals and the root key are kept by it. Two demos of one seed at two places would else each
    /// be held against the other's seals, and found rolled back.
    static func identity(of path: String) throws -> UInt128 {
        guard let resolved = realpath(path, nil) else {
            throw Complaint(
                code: "FILE_FAILED",
                message: "Cannot find \(path): \(String(cString: strerror(errno))).",
                hint: "Name another directory: \(Program.name) demo --ledger DIR")
        }
        defer { free(resolved) }
        let digest = SHA256.hash(Array(String(cString: resolved).utf8))
        return digest.bytes.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }

    private static func remove(_ path: String) throws {
        guard unlink(path) != 0, errno != ENOENT else { return }
        let reason = String(cString: strerror(errno))
        throw Complaint(
            code: "FILE_FAILED", message: "Cannot remove \(path): \(reason).",
            hint: "Remove the demo's directory by hand, or name another one.")
    }
}
