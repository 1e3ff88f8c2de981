public import Foundation

/// The built command, run as a person would: in a directory, with words, from a shell or not.
public struct BuiltProgram: Sendable {
    /// The folder with the products of this build.
    public let directory: URL

    /// Finds the products beside the running tests; nil when they were started in an unusual way.
    public init?() {
        let path = CommandLine.arguments.first { $0.contains(".xctest") }
        guard let path, let end = path.range(of: ".xctest") else { return nil }
        var bundle = URL(fileURLWithPath: String(path[..<end.upperBound]))
        bundle.deleteLastPathComponent()
        directory = bundle
    }

    /// What a run left behind.
    public struct Result: Sendable {
        /// Exit code, or the negative number of the signal that ended it.
        public let code: Int32
        /// Standard output as text.
        public let output: String
        /// Standard error as text.
        public let errors: String
    }

    /// Runs `checkout-ledger` with these words in `folder`, which is its home too.
    public func callAsFunction(
        _ words: [String], in folder: URL, environment: [String: String] = [:]
    ) throws -> Result {
        let program = directory.appendingPathComponent("checkout-ledger")
        return try run(program, words, in: folder, environment)
    }

    /// Runs a shell script in which `checkout-ledger` is the built one; stops at the first failure.
    public func script(
        _ text: String, in folder: URL, environment: [String: String] = [:]
    ) throws -> Result {
        try run(URL(fileURLWithPath: "/bin/sh"), ["-e", "-c", text], in: folder, environment)
    }

    private func run(
        _ program: URL, _ words: [String], in folder: URL, _ more: [String: String]
    ) throws -> Result {
        // Files and not pipes: a full pipe would stop the program.
        let id = ProcessInfo.processInfo.globallyUniqueString
        let files = ["out", "err"].map { folder.appendingPathComponent(".\(id).\($0)") }
        let child = try ChildProgram(
            program.path, words, in: folder,
            environment: [
                "HOME": folder.path, "XDG_STATE_HOME": folder.appendingPathComponent("state").path,
                "PATH": "\(directory.path):/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            ].merging(more) { $1 },
            output: .file(files[0].path), errors: .file(files[1].path))
        let code = child.wait().code
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        for file in files { try? FileManager.default.removeItem(at: file) }
        return Result(code: code, output: texts[0], errors: texts[1])
    }
}
