import Foundation
import TestSupport

/// The built program at `serve`, until it is stopped.
final class ServedProgram: Sendable {
    let port: UInt16
    private let server: ChildProgram
    private let errorPath: String

    /// Starts it in a directory and waits until it listens; nil when it ends before.
    init?(
        _ words: [String] = [], in program: WritingProgram, ledger: String = "shop.ledger"
    ) throws {
        errorPath = program.path("\(UUID().uuidString).err")
        server = try program.start(
            ["serve", "--json", "--port", "0"] + words, ledger: ledger, output: .pipe,
            errors: .file(errorPath))
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            guard let more = server.output?.availableData, !more.isEmpty else { break }
            line += more
        }
        let digits = String(decoding: line, as: UTF8.self)
            .split(separator: "127.0.0.1:").dropFirst().first?.prefix { $0.isNumber }
        guard let port = digits.flatMap({ UInt16($0) }) else {
            server.wait()
            return nil
        }
        self.port = port
    }

    func signal(_ number: Int32) { server.signal(number) }

    /// The exit code once it has ended; the signal's negative number where one ended it.
    func ending() -> Int32 { server.wait().code }

    /// What it has said on standard error so far.
    var errors: String {
        (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? ""
    }
}
