import CheckoutLedger
import CommandKit
import EventLog
import Synchronization

/// A progress line that several threads may tell how far they are.
///
/// At Ctrl-C it ends the process: what it is used for either only reads, or is safe to stop
/// anywhere because the live rows stay the old ones.
final class ProgressLine: Sendable {
    private let progress: Mutex<Progress>

    init(_ label: String, _ context: Context, of total: UInt64) {
        progress = Mutex(
            Progress(
                label, of: Int(clamping: total), on: context.errors,
                isQuiet: context.isQuiet || context.isJSON))
    }

    func update(_ step: LogProgress) {
        if Interrupt.isRequested { ExitCode.interrupted.exit() }
        progress.withLock { $0.update(Int(clamping: step.done)) }
    }

    /// Takes the line away and says the last sentence.
    func finish(_ sentence: String) { progress.withLock { $0.finish(sentence) } }
}

extension Context {
    /// Calls of the log, in the ledger's own error words.
    func inLedgerWords<R>(_ body: () throws(LogError) -> R) throws -> R {
        do throws(LogError) { return try body() } catch { throw LedgerError(error) }
    }
}
