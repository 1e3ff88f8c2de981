import CCrypto
import Synchronization

/// Bytes that nobody can foresee, from libcrypto's generator, which the kernel seeds.
///
/// Small wants are served from a pool that is drawn ahead: asking libcrypto costs about two
/// microseconds whatever is asked of it. A forked child never gets its parent's bytes.
public enum SecureRandom {
    private static let pool = Mutex(RandomPool())

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
