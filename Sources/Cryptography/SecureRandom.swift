import CCrypto

/// Bytes that nobody can foresee, from libcrypto's generator, which the kernel seeds.
///
/// One call costs about two microseconds whatever is asked of it: who needs many small values
/// fills one buffer and cuts it up.
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
    /// Without randomness nothing may go on, so failing ends the process; libcrypto fails only
    /// where the kernel gives it no seed.
    public static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
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
