import Foundation
import TestSupport

/// The built program at `serve`, until it is stopped.
final class ServedProgram: @unchecked Sendable {  // its process is started and ended by one thread
    let port: UInt16
    private let process: Process
    private let errorPath: String

    /// Starts it in a directory and waits until it listens; nil when it ends before.
    init?(
        _ words: [String] = [], in program: WritingProgram, ledger: String = "shop.ledger"
    ) throws {
        let process = Process()
        self.process = process
        process.executableURL = WritingProgram.executable
        process.arguments = ["serve", "--json", "--port", "0"] + words
        process.currentDirectoryURL = program.directory
        process.environment = [
            "HOME": program.directory.path, "XDG_STATE_HOME": program.path("state"),
            "CHECKOUT_LEDGER_PATH": program.path(ledger), "PATH": "/usr/bin:/bin",
        ]
        errorPath = program.path("\(UUID().uuidString).err")
        try Data().write(to: URL(fileURLWithPath: errorPath))
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        try process.run()
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            line += more
        }
        let digits = String(decoding: line, as: UTF8.self)
            .split(separator: "127.0.0.1:").dropFirst().first?.prefix { $0.isNumber }
        guard let port = digits.flatMap({ UInt16($0) }) else {
            process.waitUntilExit()
            return nil
        }
        self.port = port
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// The exit code once it has ended; the signal's negative number where one ended it.
    func ending() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? process.terminationStatus : -process.terminationStatus
    }

    /// What it has said on standard error so far.
    var errors: String {
        (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? ""
    }
}
