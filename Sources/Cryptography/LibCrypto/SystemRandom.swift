#if !canImport(CryptoKit) || os(macOS)
    import CCrypto
    import Synchronization

    /// Libcrypto's generator, which the kernel seeds.
    ///
    /// Small wants are served from a pool that is drawn ahead: asking libcrypto costs about two
    /// microseconds whatever is asked of it. A forked child never gets its parent's bytes.
    enum SystemRandom {
        private static let pool = Mutex(RandomPool())

        /// Overwrites all of the buffer; fails only where the kernel gives libcrypto no seed.
        static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            // An address is no value that a lock's closure may send; a number is.
            let address = UInt(bitPattern: buffer.baseAddress)
            let count = buffer.count
            if count > 0, count <= Limits.pooledRandomBytes {
                let isFilled = pool.withLock { pool in
                    pool.take(
                        into: UnsafeMutableRawBufferPointer(
                            start: UnsafeMutableRawPointer(bitPattern: address), count: count))
                }
                if isFilled { return }
            }
            draw(buffer)
        }

        /// Overwrites all of the buffer, from libcrypto itself.
        static func draw(_ buffer: UnsafeMutableRawBufferPointer) {
            var rest = buffer
            while !rest.isEmpty {
                let count = min(rest.count, Int(Int32.max))
                guard RAND_bytes(rest.baseAddress, Int32(count)) == 1 else {
                    preconditionFailure("the system gives no random bytes")
                }
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
#endif
