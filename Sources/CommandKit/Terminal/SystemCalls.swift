#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The few system calls this target makes, so that no other file names a C library.
enum SystemCalls {
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal behind a descriptor; nil when there is none or it does not say.
    static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        return String(cString: value)
    }

    /// Writes all bytes; 0, or the error number of the write that failed.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let written = write(descriptor, buffer[offset...])
                if written >= 0 {
                    offset += written
                } else if errno == EAGAIN {
                    // Somebody made the shared descriptor non-blocking: wait, do not spin.
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    private static func write(
        _ descriptor: Int32, _ rest: Slice<UnsafeRawBufferPointer>
    ) -> Int {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        #if canImport(Glibc)
            return Glibc.write(descriptor, part.baseAddress, part.count)
        #elseif canImport(Musl)
            return Musl.write(descriptor, part.baseAddress, part.count)
        #else
            return Darwin.write(descriptor, part.baseAddress, part.count)
        #endif
    }

    static func isBrokenPipe(_ number: Int32) -> Bool { number == EPIPE }

    static func message(_ number: Int32) -> String { String(cString: strerror(number)) }

    static func ignoreBrokenPipeSignal() { _ = signal(SIGPIPE, SIG_IGN) }

    /// Milliseconds of a clock that only goes forward.
    static func monotonicMilliseconds() -> Int64 {
        var time = timespec()
        _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
