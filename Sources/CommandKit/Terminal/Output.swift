import Synchronization

/// Why nothing more can be written.
package enum OutputError: Error, Sendable, Hashable {
    /// The reader went away, as `head` does: end quietly with `ExitCode.done`.
    case closedPipe
    /// Anything else, such as a full disk, with the system's words.
    case failed(String)
}

/// A buffered writer to a file descriptor.
///
/// Safe to use from several tasks; a write is never torn by another one. On a terminal every line
/// appears at once, elsewhere at `flush()` or when `Limits.outputBuffer` is full.
package final class Output: Sendable {
    package let terminal: Terminal
    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        var buffer: [UInt8] = []
        var error: OutputError?
    }

    /// Standard output; call `ignoreBrokenPipes()` once before.
    package static func standardOutput(color: ColorPolicy = .auto) -> Output {
        Output(1, terminal: .behind(1, color: color))
    }

    /// Standard error, for everything that is said to a person.
    package static func standardError(color: ColorPolicy = .auto) -> Output {
        Output(2, terminal: .behind(2, color: color))
    }

    package init(_ descriptor: Int32, terminal: Terminal) {
        self.descriptor = descriptor
        self.terminal = terminal
    }

    /// Makes a write to a closed pipe an error instead of the end of the process.
    package static func ignoreBrokenPipes() { SystemCalls.ignoreBrokenPipeSignal() }

    package func write(_ bytes: [UInt8]) throws(OutputError) {
        try append(flushing: false) { $0 += bytes }
    }

    package func write(_ text: String) throws(OutputError) {
        try append(flushing: terminal.isTerminal) { $0 += text.utf8 }
    }

    /// The text and a line break.
    package func line(_ text: String = "") throws(OutputError) {
        try append(flushing: terminal.isTerminal) { buffer in
            buffer += text.utf8
            buffer.append(UInt8(ascii: "\n"))
        }
    }

    /// What the writer holds as one line; the writer is empty afterwards.
    package func line(_ writer: inout JSONWriter) throws(OutputError) {
        try append(flushing: terminal.isTerminal) { buffer in
            buffer += writer.bytes
            buffer.append(UInt8(ascii: "\n"))
        }
        writer.removeAll()
    }

    /// Hands everything to the system.
    ///
    /// Call before the process ends and after each event of a tail.
    package func flush() throws(OutputError) { try append(flushing: true) { _ in } }

    /// Writes a sentence for a person and forgets any failure: when standard error is gone, there
    /// is nobody left to tell.
    ///
    /// A line break is added unless the text ends in one.
    package func say(_ text: String) {
        try? write(text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n")
        try? flush()
    }

    private func append(
        flushing: Bool, _ body: (inout [UInt8]) -> Void
    ) throws(OutputError) {
        let error = state.withLock { state -> OutputError? in
            if let error = state.error { return error }
            body(&state.buffer)
            if flushing || state.buffer.count >= Limits.outputBuffer {
                state.error = empty(&state.buffer)
            }
            return state.error
        }
        if let error { throw error }
    }

    private func empty(_ buffer: inout [UInt8]) -> OutputError? {
        let number = SystemCalls.write(buffer, to: descriptor)
        buffer.removeAll(keepingCapacity: true)
        if number == 0 { return nil }
        return SystemCalls.isBrokenPipe(number)
            ? .closedPipe : .failed(SystemCalls.message(number))
    }
}
