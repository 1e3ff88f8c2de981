import Foundation
import TestSupport

/// The checks in Python that share no code with this project.
enum SecondVerifier {
    /// Python with the package for Ed25519; nil where it is not installed.
    static let python: String? = {
        let path = "/usr/bin/python3"
        let ending = try? ChildProgram.run(path, ["-c", "import cryptography"])
        return ending == .exit(0) ? path : nil
    }()

    /// The exit code for a proof, its record, keys, and maybe an older seal and a proof of growth.
    static func proof(_ words: [String]) throws -> Int32 {
        try run("verify_proof.py", words)
    }

    /// The exit code for an export's rows and keys.
    static func export(_ words: String...) throws -> Int32 {
        try run("verify_export.py", words)
    }

    private static func run(_ script: String, _ words: [String]) throws -> Int32 {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let path = here.deletingLastPathComponent().appendingPathComponent("Verifier/\(script)")
        // Without -B it would leave its own compiled files beside the sources.
        return try ChildProgram.run(python ?? "", ["-B", path.path] + words).code
    }
}
