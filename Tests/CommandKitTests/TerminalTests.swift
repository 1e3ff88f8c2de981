import Foundation
import Testing

@testable import CommandKit

@Suite("Terminals and outputs")
struct TerminalTests {
    struct ColourCase: CustomTestStringConvertible {
        let id: String
        let isTerminal: Bool
        let policy: ColorPolicy
        let environment: [String: String]
        let colours: Bool
        var testDescription: String { id }
    }

    static let colours = [
        ColourCase(
            id: "terminal", isTerminal: true, policy: .auto, environment: [:], colours: true),
        ColourCase(id: "pipe", isTerminal: false, policy: .auto, environment: [:], colours: false),
        ColourCase(
            id: "NO_COLOR", isTerminal: true, policy: .auto, environment: ["NO_COLOR": "0"],
            colours: false),
        ColourCase(
            id: "empty NO_COLOR", isTerminal: true, policy: .auto, environment: ["NO_COLOR": ""],
            colours: true),
        ColourCase(
            id: "CLICOLOR=0", isTerminal: true, policy: .auto, environment: ["CLICOLOR": "0"],
            colours: false),
        ColourCase(
            id: "forced", isTerminal: false, policy: .auto, environment: ["CLICOLOR_FORCE": "1"],
            colours: true),
        ColourCase(
            id: "NO_COLOR wins over force", isTerminal: true, policy: .auto,
            environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], colours: false),
        ColourCase(
            id: "dumb", isTerminal: true, policy: .auto, environment: ["TERM": "dumb"],
            colours: false),
        ColourCase(
            id: "always", isTerminal: false, policy: .always, environment: ["NO_COLOR": "1"],
            colours: true),
        ColourCase(id: "never", isTerminal: true, policy: .never, environment: [:], colours: false),
    ]

    @Test("Colour follows the option, then the environment, then the terminal", arguments: colours)
    func colour(_ test: ColourCase) {
        let terminal = Terminal(
            isTerminal: test.isTerminal, columns: nil, color: test.policy,
            environment: { test.environment[$0] })
        #expect(terminal.style.colours == test.colours)
    }

    @Test("The width is the terminal's, else COLUMNS, else 80, within reason")
    func width() {
        func width(_ columns: Int?, _ variable: String?) -> Int {
            Terminal(
                isTerminal: true, columns: columns, color: .auto,
                environment: { $0 == "COLUMNS" ? variable : nil }
            ).width
        }
        #expect(width(100, "60") == 100)
        #expect(width(nil, "60") == 60)
        #expect(width(nil, "wide") == 80)
        #expect(width(nil, nil) == 80)
        #expect(width(1, nil) == 20)
        #expect(width(nil, "99999999") == 1_000)
    }

    @Test("A reader that goes away ends the program quietly with success")
    func closedPipe() async {
        await #expect(processExitsWith: .exitCode(0)) {
            Output.ignoreBrokenPipes()
            let pipe = Pipe()
            let output = Output(
                pipe.fileHandleForWriting.fileDescriptor, terminal: Terminal(isTerminal: false))
            try output.line("first")
            try output.flush()
            try pipe.fileHandleForReading.close()
            do {
                for _ in 0..<100 { try output.write([UInt8](repeating: 0x78, count: 4_096)) }
                ExitCode.failed.exit()
            } catch {
                // Once closed it stays closed, and says so every time.
                let again = #expect(throws: OutputError.self) { try output.flush() }
                let isQuiet = error as? OutputError == .closedPipe && again == .closedPipe
                (isQuiet ? ExitCode.done : ExitCode.fault).exit()
            }
        }
    }

    @Test("A full disk is an error with the system's words")
    func failedWrite() {
        let output = Output(-1, terminal: Terminal(isTerminal: false))
        let error = #expect(throws: OutputError.self) {
            try output.line("x")
            try output.flush()
        }
        #expect(error == .failed("Bad file descriptor"))
        output.say("nobody hears this, and nothing fails")
    }

    @Test("Everything written arrives, in order, however it was buffered")
    func buffering() throws {
        let text = try captured(Terminal(isTerminal: false)) { output in
            for number in 0..<20_000 { try output.line("line \(number)") }
        }
        #expect(text == (0..<20_000).map { "line \($0)\n" }.joined())
    }

    @Test("The first Ctrl-C sets a flag, the second ends with 130")
    func interrupt() async {
        await #expect(processExitsWith: .exitCode(130)) {
            Interrupt.watch()
            // Tests run on a worker thread, and those block signals.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            guard !Interrupt.isRequested else { ExitCode.fault.exit() }
            raise(SIGINT)
            guard Interrupt.isRequested else { ExitCode.failed.exit() }
            raise(SIGINT)
            ExitCode.unresolved.exit()
        }
    }
}

@Suite("Progress")
struct ProgressTests {
    @Test("A terminal shows one line over itself, errors above it, and the final count")
    func onTerminal() throws {
        let terminal = Terminal(isTerminal: true, width: 60)
        let text = try captured(terminal) { output in
            var times: [Int64] = [0, 50, 200].reversed()
            var progress = Progress(
                "Verifying", of: 1_184, on: output, isQuiet: false,
                clock: { times.popLast() ?? 1_000 })
            progress.update(0)
            progress.update(10)
            progress.update(592)
            progress.note("Skipped line 3.")
            progress.finish("Verified 1,184 events.")
        }
        let empty = String(repeating: "·", count: 20)
        let half = String(repeating: "█", count: 10) + String(repeating: "·", count: 10)
        let clear = "\r\u{1B}[K"
        #expect(
            text == "\(clear)Verifying  \(empty)  0/1,184"
                + "\(clear)Verifying  \(half)  592/1,184"
                + "\(clear)Skipped line 3.\n\(clear)Verifying  \(half)  592/1,184"
                + "\(clear)Verified 1,184 events.\n")
    }

    @Test("Elsewhere only errors and the final count are printed, and quiet keeps the errors")
    func elsewhere() throws {
        func run(isQuiet: Bool) throws -> String {
            try captured(Terminal(isTerminal: false)) { output in
                var progress = Progress("Reading", of: nil, on: output, isQuiet: isQuiet)
                progress.update(10)
                progress.note("Skipped line 3.")
                progress.finish("Read 10 events.")
            }
        }
        #expect(try run(isQuiet: false) == "Skipped line 3.\nRead 10 events.\n")
        #expect(try run(isQuiet: true) == "Skipped line 3.\n")
    }
}
