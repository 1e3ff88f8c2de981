#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the program tells the shell when it ends.
///
/// Scripts may rely on these numbers.
package struct ExitCode: Error, Sendable, Hashable {
    package let rawValue: Int32
    /// The meaning, as `help exit-codes` prints it.
    package let meaning: String

    private init(_ rawValue: Int32, _ meaning: String) {
        self.rawValue = rawValue
        self.meaning = meaning
    }

    package static let done = ExitCode(0, "done")
    package static let failed = ExitCode(
        1, "the command ran and could not do it (storage, network, provider, not found)")
    package static let usage = ExitCode(2, "usage error: bad command, option or value")
    package static let integrity = ExitCode(3, "integrity: verification found a difference")
    package static let credentials = ExitCode(4, "credentials missing or refused")
    package static let unresolved = ExitCode(
        5, "finished, but something is still unresolved (reconcile, import with skips)")
    package static let fault = ExitCode(70, "a fault in this program; it prints how to report it")
    package static let interrupted = ExitCode(130, "interrupted; work done so far is kept")

    /// The number alone, for a signal handler, which must not initialise `interrupted`.
    static let interruptedNumber: Int32 = 130

    /// Every code in rising order, for the help topic.
    package static let all = [
        done, failed, usage, integrity, credentials, unresolved, fault, interrupted,
    ]

    /// Ends the process at once.
    ///
    /// Flush outputs before.
    package func exit() -> Never {
        #if canImport(Glibc)
            Glibc.exit(rawValue)
        #elseif canImport(Musl)
            Musl.exit(rawValue)
        #else
            Darwin.exit(rawValue)
        #endif
    }
}
