import CommandKit
import Foundation
import TestSupport
import Testing

/// The scripts are run by the shells they are for.
///
/// bash is part of every system this is built on; zsh and fish are asked when they are installed.
@Suite("Shell completions")
struct CompletionTests {
    @Test(
        "bash offers the words that may stand at a place",
        arguments: [
            (["ledger", "se"], "sessions"),
            (["ledger", "sessions", "s"], "show"),
            (["ledger", "--ledger", "sessions", "ti"], "timeline"),
            (["ledger", "sessions", "--sta"], "--status"),
            (["ledger", "sessions", "list", "--status", ""], "succeeded failed pending"),
            (["ledger", "--color", "=", "a"], "auto always"),
            (["ledger", "--color", "="], "auto always never"),
            (["ledger", "completions", "z"], "zsh"),
            (["ledger", "help", "exi"], "exit-codes"),
            (["ledger", "events", "--reason", ""], ""),
        ])
    func bash(_ words: [String], _ expected: String) throws {
        let script = sampleTree.text(of: .completions(.bash))
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let run = try shell(
            "bash", ["--norc"],
            script + """

                COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
                _ledger; echo "${COMPREPLY[*]}"
                """)
        #expect(run.output == expected + "\n")
        #expect(run.status == 0)
    }

    @Test("zsh accepts its script", .enabled(if: isInstalled("zsh")))
    func zsh() throws {
        let run = try shell("zsh", ["-f", "-n"], sampleTree.text(of: .completions(.zsh)))
        #expect(run.status == 0, "\(run.output)")
    }

    @Test(
        "fish offers the words that may stand at a place", .enabled(if: isInstalled("fish")),
        arguments: [
            ("ledger se", "sessions"), ("ledger sessions s", "show"),
            ("ledger --ledger sessions ti", "timeline"), ("ledger sessions --sta", "--status"),
            ("ledger sessions list --status fa", "failed"), ("ledger completions z", "zsh"),
        ])
    func fish(_ line: String, _ expected: String) throws {
        let script = sampleTree.text(of: .completions(.fish))
        let run = try shell("fish", ["--no-config"], script + "\ncomplete -C '\(line)'\n")
        let words = run.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(words.map { String($0) } == [expected])
    }

    @Test("The manual page is clean roff", .enabled(if: isInstalled("groff")))
    func roff() throws {
        let run = try shell(
            "groff", ["-man", "-ww", "-z", "-Tutf8"], sampleTree.text(of: .manual))
        #expect(run.output == "")
        #expect(run.status == 0)
    }
}

private func isInstalled(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
}

/// Runs a program with `input` on its standard input; gives its output and then its complaints.
private func shell(
    _ program: String, _ arguments: [String], _ input: String
) throws -> (output: String, status: Int32) {
    try withTemporaryDirectory { directory in
        let files = ["in", "out", "err"].map { directory.appendingPathComponent($0) }
        try Data(input.utf8).write(to: files[0])
        let child = try ChildProgram(
            "/usr/bin/env", [program] + arguments, input: .file(files[0].path),
            output: .file(files[1].path), errors: .file(files[2].path))
        let code = child.wait().code
        let output = try files[1...].map {
            String(decoding: try Data(contentsOf: $0), as: UTF8.self)
        }
        return (output.joined(), code)
    }
}
