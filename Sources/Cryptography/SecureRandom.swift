/// Bytes that nobody can foresee, from the system's generator.
public enum SecureRandom {
    /// `count` new bytes.
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            fill(UnsafeMutableRawBufferPointer(buffer))
            filled = count
        }
    }

    /// Overwrites all of the buffer.
    ///
    /// Without randomness nothing may go on, so failing ends the process.
    public static func fill(_ buffer: UnsafeMutableRawBufferPointer) { SystemRandom.fill(buffer) }
}
