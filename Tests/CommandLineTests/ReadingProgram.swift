import Foundation
import TestSupport

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
        let child = try start(
            words, environment, output: .file(output.path), errors: .file(errors.path))
        return Run(
            status: child.wait().code,
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

    /// Starts it with nothing of the caller's environment but `PATH`.
    func start(
        _ words: [String], _ environment: [String: String] = [:], output: ChildProgram.Stream,
        errors: ChildProgram.Stream = .nothing
    ) throws -> ChildProgram {
        let own = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": directory.path,
        ]
        return try ChildProgram(
            executable.path, words, environment: own.merging(environment) { $1 }, output: output,
            errors: errors)
    }

    private init(executable: URL, directory: URL) {
        self.executable = executable
        self.directory = directory
    }
}
