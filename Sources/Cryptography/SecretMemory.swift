import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Small pieces of memory for keys, in pages that stay out of the swap and out of core dumps.
///
/// The pages are locked where the system lets this process lock any more, which is a matter of
/// `ulimit -l`; otherwise they are ordinary memory. Locking each key's own memory was refused:
/// a lock is on a whole page, and the first key to go would unlock its neighbours.
enum SecretMemory {
    private struct Pool: ~Copyable {
        var free: [UInt] = []
    }

    private static let pool = Mutex(Pool())

    /// Memory of at least `count` bytes, all zero; larger than a slot it is not locked.
    static func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
        guard count <= Limits.secretSlotBytes else { return plain(count) }
        let address = pool.withLock { pool -> UInt in
            if pool.free.isEmpty { pool.free = newSlots() }
            return pool.free.popLast() ?? 0
        }
        guard let start = UnsafeMutableRawPointer(bitPattern: address) else { return plain(count) }
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    /// Overwrites the memory and keeps it for the next key.
    static func giveBack(_ memory: UnsafeMutableRawBufferPointer) {
        Memory.wipe(memory)
        guard memory.count <= Limits.secretSlotBytes else { return memory.deallocate() }
        let address = UInt(bitPattern: memory.baseAddress)
        pool.withLock { $0.free.append(address) }
    }

    private static func plain(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        return memory
    }

    /// Slots of a new run of pages; they are never given back to the system.
    private static func newSlots() -> [UInt] {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: Limits.secretRunBytes, alignment: Limits.secretRunBytes)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Limits.secretRunBytes)
        _ = mlock(memory, Limits.secretRunBytes)
        #if canImport(Glibc)
            _ = madvise(memory, Limits.secretRunBytes, MADV_DONTDUMP)
        #endif
        let start = UInt(bitPattern: memory)
        return stride(from: 0, to: Limits.secretRunBytes, by: Limits.secretSlotBytes).map {
            start + UInt($0)
        }
    }
}

/// Overwrites bytes of a key that stand in an array, once they are not needed any more.
package func cleanse(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { Memory.wipe($0) }
    bytes = []
}
