import Cryptography

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// Files of keys: what they hold passes only through memory that is overwritten afterwards.

extension Files {
    /// The whole content; throws `TOO_LONG`, `FILE_FAILED`.
    static func readSecret(_ path: String, limit: Int) throws(LedgerError) -> SecretBytes {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        return try SecretBytes(capacity: limit + 1) { (memory) throws(LedgerError) in
            var filled = 0
            while filled <= limit {
                let rest = UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
                let count = read(descriptor, rest) { false }
                if count == 0 { return filled }
                guard count > 0 else { throw failure("read", path) }
                filled += count
            }
            throw LedgerError(
                .tooLong, "\(path) is longer than \(limit) bytes.",
                hint: "Check that it is the right file.")
        }
    }

    /// As `writeNew(_:_:)` for an array.
    static func writeNew(_ path: String, _ secret: SecretBytes) throws(LedgerError) {
        try writeNew(path) { (descriptor) throws(LedgerError) in
            let written: Result<Void, LedgerError> = secret.withUnsafeBytes { bytes in
                do throws(LedgerError) {
                    return .success(
                        try write(descriptor, UnsafeRawBufferPointer(bytes), named: path))
                } catch {
                    return .failure(error)
                }
            }
            try written.get()
        }
    }
}
