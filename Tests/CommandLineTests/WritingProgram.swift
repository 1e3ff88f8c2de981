import Cryptography
import Foundation
import ProviderKit
import TestSupport
import Testing

/// The built program, run as a person runs it, in a directory of its own.
struct WritingProgram {
    let directory: URL

    /// What one run left behind.
    struct Run {
        let exitCode: Int32
        let output: [UInt8]
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
        /// Standard output as one JSON value; null when it is none.
        var json: JSONValue { (try? JSONValue(json: output)) ?? .null }
        /// Standard error's lines as JSON values.
        var complaints: [JSONValue] {
            errors.split(separator: "\n").compactMap { try? JSONValue(json: Array($0.utf8)) }
        }
        /// The stable code of the error that was reported.
        var code: String? {
            complaints.first { $0["schema"]?.text == "error/1" }?["code"]?.text
        }
    }

    /// The executable beside the test bundle.
    static let executable: URL = {
        let bundle = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
        return bundle.deletingLastPathComponent().appendingPathComponent("checkout-ledger")
    }()

    func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    func run(
        _ arguments: [String], input: [UInt8] = [], ledger: String = "shop.ledger",
        environment: [String: String] = [:]
    ) throws -> Run {
        let name = UUID().uuidString
        let (inputPath, outputPath, errorPath) = (
            path("\(name).in"), path("\(name).out"), path("\(name).err")
        )
        try Data(input).write(to: URL(fileURLWithPath: inputPath))
        let child = try start(
            arguments, ledger: ledger, environment: environment, input: .file(inputPath),
            output: .file(outputPath), errors: .file(errorPath))
        return Run(
            exitCode: child.wait().code,
            output: [UInt8](try Data(contentsOf: URL(fileURLWithPath: outputPath))),
            errors: String(
                decoding: try Data(contentsOf: URL(fileURLWithPath: errorPath)), as: UTF8.self))
    }

    /// Starts it in its directory, with nothing of the caller's environment.
    func start(
        _ words: [String], ledger: String = "shop.ledger", environment: [String: String] = [:],
        input: ChildProgram.Stream = .nothing, output: ChildProgram.Stream,
        errors: ChildProgram.Stream
    ) throws -> ChildProgram {
        try ChildProgram(
            Self.executable.path, words, in: directory,
            environment: [
                "HOME": directory.path, "XDG_STATE_HOME": path("state"),
                "CHECKOUT_LEDGER_PATH": path(ledger), "PATH": "/usr/bin:/bin",
            ].merging(environment) { $1 }, input: input, output: output, errors: errors)
    }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: directory.appendingPathComponent(name))
        return path(name)
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: directory.appendingPathComponent(name)))
    }

    /// Hands a delivery to `record` or `explain`, its files written.
    func webhook(_ command: String, _ delivery: WritingDelivery) throws -> Run {
        let headers = delivery.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        return try run([
            command, "webhook", "--provider", "dodo", "--json", "--at", "\(delivery.now)",
            "--secret-file", try write("secrets", delivery.secrets.joined(separator: "\n") + "\n"),
            "--headers-file", try write("headers", headers),
            "--body-file", try write("body", delivery.body),
        ])
    }
}

/// Runs `body` with a program in a directory that is removed afterwards.
func withProgram<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: (WritingProgram) async throws -> R
) async throws -> R {
    try await withTemporaryDirectory { try await body(WritingProgram(directory: $0)) }
}

/// A webhook as a case gives it.
struct WritingDelivery: Sendable {
    var now: Int64
    var secrets: [String]
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    static let secret = "whsec_xbPwtuBtuv1MZCt6DJKwkCA1iTfq6FZ56H/ZruIKHx0="

    init(_ value: JSONValue) {
        now = value["now"]?.integer ?? 0
        secrets = (value["secrets"]?.elements ?? []).compactMap(\.text)
        headers = (value["headers"]?.elements ?? []).map {
            ($0.elements?.first?.text ?? "", $0.elements?.last?.text ?? "")
        }
        body = Array((value["body"]?.text ?? "").utf8)
    }

    /// A delivery that Dodo would sign so.
    init(signing body: String, id: String, now: Int64 = 1_772_600_767) {
        self.now = now
        self.body = Array(body.utf8)
        secrets = [Self.secret]
        let key = Base64.decode(String(Self.secret.dropFirst(6))) ?? []
        let code = HMACKey(sha256: key).authenticate(Array("\(id).\(now).\(body)".utf8))
        headers = [
            ("webhook-id", id), ("webhook-timestamp", "\(now)"),
            ("webhook-signature", "v1,\(Base64.encode(code))"),
        ]
    }
}

/// One case of the public file.
struct WritingCase: Sendable, CustomTestStringConvertible {
    let id: String
    let input: JSONValue
    let expected: String
    var testDescription: String { id }

    /// The deliveries of a webhook case, in order.
    var deliveries: [WritingDelivery] {
        (input["deliveries"]?.elements ?? [input]).map { WritingDelivery($0) }
    }

    /// What stands behind `name=` up to the next semicolon or blank.
    func value(_ name: String) -> String? {
        guard let range = expected.firstRange(of: name + "=") else { return nil }
        return String(expected[range.upperBound...].prefix { $0 != ";" && $0 != " " })
    }

    static func all(area: String) -> [WritingCase] {
        guard let data = try? Vectors.own("cases-public.json"),
            let cases = try? JSONValue(json: [UInt8](data))
        else { return [] }
        return (cases.elements ?? []).filter { $0["area"]?.text == area }.map {
            WritingCase(
                id: $0["id"]?.text ?? "", input: $0["input"] ?? .null,
                expected: $0["expected"]?.text ?? "")
        }
    }

    static func dodo(kind: String) -> [JSONValue] {
        guard let data = try? Vectors.own("dodo-vectors.json"),
            let vectors = try? JSONValue(json: [UInt8](data))
        else { return [] }
        return (vectors.elements ?? []).filter { $0["kind"]?.text == kind }
    }
}
