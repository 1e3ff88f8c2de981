import CheckoutLedger
import CheckoutModel
import Cryptography
import DodoPayments
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    private let readme: Readme

    init() throws { readme = try Readme() }

    @Test("has commands that run, and shows what they print")
    func commands() throws {
        let program = try #require(BuiltProgram())
        try withTemporaryDirectory { folder in
            var checked = 0
            for (index, block) in readme.blocks.enumerated() where block.language == "sh" {
                let script = Readme.script(block).text
                let isOfRun = block.text.contains("./run ")
                let result = try program.script(
                    script, in: folder,
                    environment: isOfRun ? ["CHECKOUT_LEDGER_CALLED_AS": "./run cli"] : [:])
                #expect(
                    result.code == 0, "line \(block.line): exit \(result.code) \(result.errors)")
                guard readme.blocks.indices.contains(index + 1) else { continue }
                let shown = readme.blocks[index + 1]
                guard shown.language == "text" else { continue }
                #expect(result.output == shown.text, "line \(shown.line) shows something else")
                checked += 1
            }
            #expect(checked >= 3)
        }
    }

    @Test("names only verbs that ./run has")
    func verbs() throws {
        let run = try String(
            contentsOf: Readme.root.appendingPathComponent("run"), encoding: .utf8)
        let verbs = readme.blocks.filter { $0.language == "sh" }
            .flatMap { Readme.script($0).verbs }
        #expect(verbs.starts(with: ["demo", "test"]))
        for verb in verbs { #expect(run.contains("run_\(verb)()"), "./run \(verb)") }
    }

    @Test("has Swift in it that compiles, being the text of a file here")
    func snippets() throws {
        let snippets = readme.blocks.filter { $0.language == "swift" }
        #expect(snippets.count == 1)
        let file = Readme.root.appendingPathComponent("Tests/ReadmeTests/WebhookEndpoint.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        for snippet in snippets {
            #expect(source.contains(snippet.text), "line \(snippet.line) is not in \(file.path)")
        }
    }

    @Test("has Swift in it that answers a webhook once it is recorded")
    func endpoint() async throws {
        try await withTemporaryDirectory { folder in
            let (path, key) = (folder.path + "/shop.ledger", folder.path + "/root.key")
            let secret = "whsec_" + Base64.encode([UInt8](repeating: 7, count: 32))
            var options = LedgerOptions(providers: try ProviderRegistry([DodoPaymentsProvider()]))
            options.rootKeyPath = key
            try Ledger.create(at: path, options: options).close()
            let endpoint = try WebhookEndpoint(ledger: path, rootKey: key, secret: secret)
            defer { endpoint.ledger.close() }
            let now = Instant(seconds: 1_772_600_767)
            let body = Array(
                """
                {"type":"payment.succeeded","timestamp":"2026-03-04T05:06:05Z","data":\
                {"payment_id":"pay_1","checkout_session_id":"cks_1","status":"succeeded",\
                "total_amount":2500,"currency":"EUR"}}
                """.utf8)
            let signed = HMACKey(sha256: [UInt8](repeating: 7, count: 32))
                .authenticate(Array("msg_1.\(now.seconds).".utf8), body)
            let headers = [
                (name: "webhook-id", value: "msg_1"),
                (name: "webhook-timestamp", value: "\(now.seconds)"),
                (name: "webhook-signature", value: "v1,\(Base64.encode(signed))"),
            ]
            #expect(try await endpoint.receive(headers, body, at: now) == 200)
            #expect(try await endpoint.receive(headers, body + [0x20], at: now) != 200)
            let outcome = try endpoint.ledger.session(named: "cks_1").outcome
            #expect(outcome == SessionOutcome(status: .succeeded, evidence: .verified))
        }
    }

    @Test("names only files and folders that are there")
    func paths() {
        #expect(readme.paths.count > 10)
        for path in readme.paths.sorted() {
            let file = Readme.root.appendingPathComponent(path)
            #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
        }
    }

    @Test("is short, and has no badges")
    func shape() {
        #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count < 250)
        #expect(readme.text.contains("![") == false)
        #expect(readme.blocks.allSatisfy { ["sh", "text", "swift", ""].contains($0.language) })
    }
}
