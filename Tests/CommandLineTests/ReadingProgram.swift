import Foundation

/// The program as it was built, run as a process of its own.
struct ReadingProgram {
    /// What a process left behind.
    struct Run {
        let status: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The objects on standard output, one a line.
        func rows() throws -> [[String: Any]] {
            try lines.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return object as? [String: Any] ?? [:]
            }
        }
    }

    let executable: URL
    private let directory: URL

    /// Lies beside the test bundle.
    init(_ directory: URL) throws {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var folder = bundle.deletingLastPathComponent()
        // On macOS the bundle is a folder with the executable inside.
        while !FileManager.default.isExecutableFile(
            atPath: folder.appendingPathComponent("checkout-ledger").path), folder.path != "/"
        {
            folder.deleteLastPathComponent()
        }
        executable = folder.appendingPathComponent("checkout-ledger")
        self.directory = directory
    }

    func run(_ words: [String], _ environment: [String: String] = [:]) throws -> Run {
        let output = directory.appendingPathComponent("out-\(UUID().uuidString)")
        let errors = directory.appendingPathComponent("err-\(UUID().uuidString)")
        for file in [output, errors] {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        }
        let process = process(words, environment)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Run(
            status: process.terminationReason == .exit
                ? process.terminationStatus : 128 + process.terminationStatus,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// Runs a line of the shell in which `$LEDGER` stands for the program.
    func shell(_ line: String, _ environment: [String: String]) throws -> Run {
        let shell = ReadingProgram(
            executable: URL(fileURLWithPath: "/bin/sh"), directory: directory)
        return try shell.run(
            ["-c", line], environment.merging(["LEDGER": executable.path]) { $1 })
    }

    /// A process that is not running yet, with nothing of the caller's environment but `PATH`.
    func process(_ words: [String], _ environment: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = words
        process.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
            "HOME": directory.path,
        ].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    private init(executable: URL, directory: URL) {
        self.executable = executable
        self.directory = directory
    }
}
