#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The pages that a data file says hold nothing, read from its list of free pages without LMDB.
///
/// Asked only when a file is shorter than its number of pages: pages at its end that were never
/// written are in this list, or the file was cut. Everything read is checked, since LMDB's own
/// reader would take a cut file at its word and be killed by the system.
struct FreePageList {
    private let descriptor: Int32
    private let pageBytes: Int
    /// Whole pages that the file has.
    private let pages: UInt64
    /// Free pages from ``pages`` on.
    private(set) var missing: Set<UInt64> = []
    /// Pages that may still be read; a damaged list could name the same ones for ever.
    private var budget: UInt64

    /// Nil when the list itself is not whole.
    ///
    /// `root` is `UInt64.max` for an empty list.
    init?(descriptor: Int32, pageBytes: Int, pages: UInt64, root: UInt64) {
        self.descriptor = descriptor
        self.pageBytes = pageBytes
        self.pages = pages
        budget = pages
        if root != .max {
            guard read(page: root, depth: 0) else { return nil }
        }
    }

    /// Page flags, and the flag of a node whose value is on pages of its own.
    private enum Flag {
        static let branch: UInt16 = 0x01
        static let leaf: UInt16 = 0x02
        static let overflow: UInt16 = 0x04
        static let bigData: UInt16 = 0x01
        static let headerBytes = 16
        static let nodeBytes = 8
        /// No tree of LMDB is deeper.
        static let depth = 32
    }

    private mutating func read(page number: UInt64, depth: Int) -> Bool {
        guard depth < Flag.depth, let page = load(number, count: 1) else { return false }
        let flags = page.u16(10)
        guard flags & (Flag.branch | Flag.leaf) != 0 else { return false }
        let count = (Int(page.u16(12)) - Flag.headerBytes) / 2
        for index in 0..<max(count, 0) {
            let node = Int(page.u16(Flag.headerBytes + 2 * index))
            guard node >= Flag.headerBytes, node + Flag.nodeBytes <= pageBytes else { return false }
            let low = UInt64(page.u16(node)) | UInt64(page.u16(node + 2)) << 16
            if flags & Flag.branch != 0 {
                let child = low | UInt64(page.u16(node + 4)) << 32
                guard read(page: child, depth: depth + 1) else { return false }
            } else {
                let data = node + Flag.nodeBytes + Int(page.u16(node + 6))
                let isBig = page.u16(node + 4) & Flag.bigData != 0
                guard readList(page, at: data, byteCount: Int(low), isBig: isBig) else {
                    return false
                }
            }
        }
        return true
    }

    /// One value: how many pages, then their numbers.
    private mutating func readList(
        _ page: [UInt8], at offset: Int, byteCount: Int, isBig: Bool
    ) -> Bool {
        guard offset + 8 <= pageBytes else { return false }
        var list = page[offset...]
        if isBig {
            let total = Flag.headerBytes + byteCount
            let count = (total + pageBytes - 1) / pageBytes
            guard let run = load(page.u64(offset), count: count),
                run.u16(10) & Flag.overflow != 0
            else { return false }
            list = run[Flag.headerBytes...]
        }
        guard byteCount >= 8, list.count >= byteCount else { return false }
        let numbers = Array(list.prefix(byteCount))
        let count = numbers.u64(0)
        guard count <= UInt64(byteCount / 8 - 1) else { return false }
        for index in 0..<Int(count) {
            let number = numbers.u64(8 + 8 * index)
            if number >= pages { missing.insert(number) }
        }
        return true
    }

    private mutating func load(_ number: UInt64, count: Int) -> [UInt8]? {
        guard number < pages, UInt64(count) <= min(pages - number, budget) else { return nil }
        budget -= UInt64(count)
        var bytes = [UInt8](repeating: 0, count: count * pageBytes)
        let offset = off_t(number) * off_t(pageBytes)
        guard pread(descriptor, &bytes, bytes.count, offset) == bytes.count else { return nil }
        return bytes
    }
}

extension [UInt8] {
    fileprivate func u16(_ offset: Int) -> UInt16 {
        withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
    }

    fileprivate func u64(_ offset: Int) -> UInt64 {
        withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }
}
