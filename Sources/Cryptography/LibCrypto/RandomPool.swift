#if !canImport(CryptoKit) || os(macOS)
    import CCrypto
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #endif

    /// Random bytes drawn ahead, so that small wants need not ask libcrypto each time.
    ///
    /// They lie in a page that the kernel empties in a forked child: there the pool is as if never
    /// filled, and no two processes ever give the same bytes. What was given is overwritten at
    /// once. Where the system has no such page there is no pool.
    struct RandomPool: ~Copyable, @unchecked Sendable {
        /// How many bytes are left, then the bytes; those left stand at the end.
        private let page: UnsafeMutableRawPointer?

        init() {
            #if canImport(Glibc)
                let memory = mmap(
                    nil, Limits.randomPoolBytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                guard let memory, memory != MAP_FAILED else {
                    page = nil
                    return
                }
                if madvise(memory, Limits.randomPoolBytes, MADV_WIPEONFORK) == 0 {
                    page = memory
                } else {
                    munmap(memory, Limits.randomPoolBytes)
                    page = nil
                }
            #else
                page = nil
            #endif
        }

        /// Fills a small buffer; false when there is no pool.
        mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
            guard let page, let target = buffer.baseAddress else { return false }
            precondition(buffer.count <= Limits.pooledRandomBytes)
            var left = page.load(as: Int.self)
            if left < buffer.count {
                left = Limits.randomPoolBytes - MemoryLayout<Int>.size
                SystemRandom.draw(
                    UnsafeMutableRawBufferPointer(
                        start: page + MemoryLayout<Int>.size, count: left))
            }
            let source = page + (Limits.randomPoolBytes - left)
            target.copyMemory(from: source, byteCount: buffer.count)
            OPENSSL_cleanse(source, buffer.count)
            page.storeBytes(of: left - buffer.count, as: Int.self)
            return true
        }
    }
#endif
