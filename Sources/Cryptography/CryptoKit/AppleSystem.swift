#if canImport(CryptoKit) && !os(macOS)
    import Security

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #endif

    /// The system's generator, which needs no seed from anybody.
    enum SystemRandom {
        /// Overwrites all of the buffer.
        static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            guard let base = buffer.baseAddress else { return }
            arc4random_buf(base, buffer.count)
        }
    }

    /// What an optimizer must not make something else of.
    enum Memory {
        /// Overwrites the bytes with zeros, also where nobody reads them again.
        static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
            guard let base = bytes.baseAddress else { return }
            memset_s(base, bytes.count, 0, bytes.count)
        }

        /// Whether as many bytes are the same, in a time that does not tell where they differ.
        static func isEqual(
            _ left: UnsafeRawPointer?, _ right: UnsafeRawPointer?, count: Int
        ) -> Bool {
            guard let left, let right, count > 0 else { return count == 0 }
            return timingsafe_bcmp(left, right, count) == 0
        }
    }
#endif
