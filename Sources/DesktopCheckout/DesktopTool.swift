#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Asks a short program of the desktop, such as `xdg-mime`, and waits for its answer.
enum DesktopTool {
    /// What it printed, when it ended well in time; nil otherwise, also when it is not installed.
    static func ask(
        _ program: String, _ words: [String], _ environment: DesktopEnvironment
    ) -> String? {
        guard let path = environment.find(program) else { return nil }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child: ChildProcess
        do throws(ChildProcess.Refusal) {
            child = try ChildProcess(path, words, environment, output: ends[1])
        } catch {
            close(ends[1])
            return nil
        }
        close(ends[1])
        let deadline = Deadline(milliseconds: DesktopLimits.toolMilliseconds)
        let output = Descriptor.read(
            ends[0], limit: DesktopLimits.toolOutputBytes, until: deadline)
        if output == nil { child.terminate() }
        guard child.wait().isSuccess, let output else { return nil }
        return String(decoding: output, as: UTF8.self)
    }
}

/// A moment on the clock that only goes forward.
struct Deadline: Sendable {
    private let end: Int64

    init(milliseconds: Int64) { end = Self.now + milliseconds }

    /// Milliseconds that are left, for `poll`; 0 when it is over.
    var left: Int32 { Int32(clamping: max(0, end - Self.now)) }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Bounded reading and writing of pipes and sockets.
enum Descriptor {
    /// Reads to the end, or to the first line break with `isLine`; nil when that takes too long
    /// or is too much.
    static func read(
        _ descriptor: Int32, limit: Int, isLine: Bool = false, until deadline: Deadline
    ) -> [UInt8]? {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while wait(descriptor, Int16(POLLIN), until: deadline) {
            let count = systemRead(descriptor, &buffer, buffer.count)
            if count < 0 {
                guard errno == EINTR || errno == EAGAIN else { return nil }
                continue
            }
            if count == 0 { return isLine ? nil : content }
            content += buffer[..<count]
            if isLine, let end = content.firstIndex(of: UInt8(ascii: "\n")) {
                return end <= limit ? Array(content[..<end]) : nil
            }
            guard content.count <= limit else { return nil }
        }
        return nil
    }

    /// Writes everything; false when that takes too long or the other side is gone.
    static func write(_ bytes: [UInt8], to socket: Int32, until deadline: Deadline) -> Bool {
        var done = 0
        while done < bytes.count {
            guard wait(socket, Int16(POLLOUT), until: deadline) else { return false }
            #if canImport(Darwin)
                let flags: Int32 = 0
            #else
                let flags = Int32(MSG_NOSIGNAL)
            #endif
            let count = bytes.withUnsafeBytes { buffer in
                send(socket, buffer.baseAddress.map { $0 + done }, buffer.count - done, flags)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// True when the descriptor is ready in time.
    static func wait(_ descriptor: Int32, _ event: Int16, until deadline: Deadline) -> Bool {
        while true {
            var waiting = pollfd(fd: descriptor, events: event, revents: 0)
            let count = poll(&waiting, 1, deadline.left)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }
}

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, buffer, count)
}
