import EventLog
import EventLogTestKit
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Appends to a ledger from several tasks at once, notes what was acknowledged, and may kill
/// itself: the child of the crash tests, of no use otherwise.
///
/// Arguments: directory, file for acknowledgements, first caller, callers, first batch, batches,
/// and one of `run`, `point:POINT:COUNT`, `time:MICROSECONDS`.
@main
struct CrashChild {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 8 else { exit(2) }
        let numbers = arguments[3...6].compactMap { Int($0) }
        guard numbers.count == 4 else { exit(2) }
        let fuse = Fuse(arguments[7])
        do {
            let log = try TallyLog<LMDBStore>(
                store: LMDBStore(directory: arguments[1]), clock: SystemLogClock(),
                ids: RandomLogIDSource(), reached: fuse.reached)
            let file = open(arguments[2], O_WRONLY | O_APPEND | O_CREAT, 0o600)
            let seals = open(arguments[2] + ".seals", O_WRONLY | O_APPEND | O_CREAT, 0o600)
            try log.beginSealing(
                Sealing(origin: "crash", signers: [CrashSeal.signer]) { seal in
                    let line = CrashSeal.line(seal)
                    _ = line.withCString { write(seals, $0, strlen($0)) }
                })
            fuse.light()
            try await withThrowingTaskGroup { group in
                for caller in numbers[0]..<numbers[0] + numbers[1] {
                    group.addTask {
                        for number in numbers[2]..<numbers[2] + numbers[3] {
                            try await append(caller, number, log, file)
                        }
                    }
                }
                try await group.waitForAll()
            }
            log.close()
        } catch {
            fputs("\(error)\n", stderrFile())
            exit(1)
        }
    }

    private static func append(
        _ caller: Int, _ number: Int, _ log: TallyLog<LMDBStore>, _ file: Int32
    ) async throws {
        let batch = CrashBatch(caller: caller, number: number)
        let result = try await log.append([batch.request])
        var line = ""
        for (member, entry) in result[0].entries.enumerated() {
            line += "\(batch.hash(member)) \(entry.position)\n"
        }
        // One call of write(2), which a kill does not split.
        _ = line.withCString { write(file, $0, strlen($0)) }
        if number % 40 == 39 { try log.checkpoint() }
        if number % 5 == 4 { _ = try log.seal() }
    }

    private static func stderrFile() -> UnsafeMutablePointer<FILE>? { fdopen(2, "w") }
}

/// When the process kills itself.
private final class Fuse: Sendable {
    private let point: WritePoint?
    private let count: Int
    private let microseconds: Int?
    private let passed = Mutex(0)

    init(_ text: String) {
        let parts = text.split(separator: ":").map(String.init)
        point = parts[0] == "point" ? WritePoint(rawValue: Int(parts[1]) ?? -1) : nil
        count = parts.count > 2 ? Int(parts[2]) ?? 0 : 0
        microseconds = parts[0] == "time" ? Int(parts[1]) : nil
    }

    func reached(_ point: WritePoint) {
        guard point == self.point else { return }
        let isTime = passed.withLock { passed in
            passed += 1
            return passed == count
        }
        if isTime { kill(getpid(), SIGKILL) }
    }

    /// Starts the clock of a fuse that burns by time.
    func light() {
        guard let microseconds else { return }
        _ = Task.detached {
            try await Task.sleep(for: .microseconds(microseconds))
            kill(getpid(), SIGKILL)
        }
    }
}
