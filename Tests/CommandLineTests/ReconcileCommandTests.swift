import Foundation
import ProviderKit
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("The reconcile command")
struct ReconcileCommandTests {
    private static let key = "dodo_key_0123456789abcdef"

    /// A provider that knows these sessions; `cks_paid` is paid, `cks_open` is not, and
    /// `cks_lost` gets half an answer.
    private func provider() throws -> LocalServer {
        try #require(
            LocalServer { request in
                guard request.header("Authorization") == "Bearer \(Self.key)" else {
                    return [.reply(401, "{}")]
                }
                switch request.path {
                case "/checkouts/cks_paid":
                    return [
                        .reply(
                            200,
                            #"""
                            {"id":"cks_paid","payment_status":"succeeded","payment_id":"pay_1"}
                            """#)
                    ]
                case "/payments/pay_1":
                    return [
                        .reply(
                            200,
                            #"""
                            {"payment_id":"pay_1","checkout_session_id":"cks_paid",
                             "status":"succeeded","total_amount":2500,"currency":"EUR"}
                            """#)
                    ]
                case "/checkouts/cks_open":
                    return [.reply(200, #"{"id":"cks_open","payment_status":null}"#)]
                case "/checkouts/cks_lost":
                    return [.reply(200, #"{"id":"cks_lost","payment_st"#)]
                default: return [.reply(404, "{}")]
                }
            })
    }

    /// A ledger with these sessions, and a configuration whose provider is the server.
    private func prepare(
        _ program: WritingProgram, _ sessions: [String], _ server: LocalServer, key: String = key
    ) throws {
        _ = try program.run(["init"])
        for session in sessions {
            for more in [["--amount", "25.00", "--currency", "EUR"], ["--state", "opened"]] {
                let run = try program.run(
                    ["record", "session", "--provider", "dodo", "--session", session] + more)
                #expect(run.exitCode == 0, "\(run.errors)")
            }
        }
        try program.write("api.key", key + "\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: program.path("api.key"))
        try program.write(
            "shop.json",
            """
            {"providers":{"dodo":{"mode":"test","apiKeyFile":"api.key"}},
             "network":{"loopback":{"test.dodopayments.com":"\(server.address)"}}}
            """)
    }

    private func rows(_ run: WritingProgram.Run) -> [JSONValue] {
        run.text.split(separator: "\n").compactMap { try? JSONValue(json: Array($0.utf8)) }
    }

    @Test("All sessions without an outcome are asked about, and what remains is the exit code")
    func all() async throws {
        try await withProgram { program in
            let server = try provider()
            try prepare(program, ["cks_paid", "cks_open", "cks_lost", "cks_gone"], server)
            let run = try program.run(["reconcile", "--all", "--config", "shop.json", "--json"])
            #expect(run.exitCode == 5, "\(run.errors)")
            let found = rows(run).map { row in
                ["session", "result", "reason", "outcome"].map { row[$0]?.text ?? "-" }
            }
            #expect(
                found == [
                    ["cks_paid", "resolved", "-", "succeeded"],
                    ["cks_open", "pending", "-", "-"],
                    ["cks_lost", "unclear", "unreadable", "-"],
                    ["cks_gone", "unclear", "not_found", "-"],
                ])
            #expect(rows(run)[0]["evidence"]?.text == "verified")
            #expect(rows(run)[0]["amount"]?["minorUnits"]?.integer == 2500)
            let rest = try program.run(["abandoned", "--json=session"])
            #expect(
                rows(rest).compactMap { $0["session"]?.text } == [
                    "cks_open", "cks_lost", "cks_gone",
                ])
            let one = try program.run(["reconcile", "cks_paid", "--config", "shop.json"])
            #expect(one.exitCode == 0)
            #expect(one.errors == "1 resolved.\n")
            let verified = try program.run(["verify"])
            #expect(verified.exitCode == 0)
        }
    }

    @Test("A dry run shows what would be asked and leaves ledger and provider alone")
    func dryRun() async throws {
        try await withProgram { program in
            let server = try provider()
            try prepare(program, ["cks_paid"], server)
            let before = try program.run(["events", "--json"]).output
            let run = try program.run(["reconcile", "--all", "--dry-run", "--config", "shop.json"])
            #expect(run.exitCode == 0)
            #expect(run.text.contains("https://test.dodopayments.com/checkouts/cks_paid"))
            #expect(server.requests.isEmpty)
            #expect(try program.run(["events", "--json"]).output == before)
        }
    }

    @Test("A key that is refused ends with the code for credentials, and is shown nowhere")
    func refusedKey() async throws {
        try await withProgram { program in
            let server = try provider()
            let key = "dodo_other_0123456789abcdef"
            try prepare(program, (0..<12).map { "cks_\($0)" }, server, key: key)
            let run = try program.run(["reconcile", "--all", "--config", "shop.json"])
            #expect(run.exitCode == 4)
            // Those that were under way together, and none after them.
            #expect((1...4).contains(server.requests.count))
            #expect(run.errors.contains("12 could not be asked."))
            #expect(!run.text.contains(key) && !run.errors.contains(key))
        }
    }

    @Test("Without accounts, with mistakes in them or with a bad secret nothing is sent")
    func configurations() async throws {
        try await withProgram { program in
            let server = try provider()
            try prepare(program, ["cks_paid"], server)
            let none = try program.run(["reconcile", "--all", "--json"])
            #expect(none.exitCode == 4 && none.code == "NO_CONFIGURATION")
            try program.write("short.key", "abc\n")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: program.path("short.key"))
            let cases: [(text: String, exit: Int32, paths: [String])] = [
                (
                    #"{"providers":{"dodo":{"mode":"test","apiKeyFile":"short.key"}}}"#, 4,
                    [
                        "providers.dodo.apiKeyFile"
                    ]
                ),
                (
                    #"{"providers":{"dodo":{"mode":"test","apiKeyFile":"api.key","x":1},"y":{}}}"#,
                    2,
                    [
                        "providers.dodo.x", "providers.y",
                    ]
                ),
                ("{", 2, [""]),
            ]
            for (text, exit, paths) in cases {
                try program.write("bad.json", text)
                for more in [[], ["--dry-run"]] {
                    let run = try program.run(
                        ["reconcile", "--all", "--config", "bad.json", "--json"] + more)
                    #expect(run.exitCode == exit, "\(run.errors)")
                    #expect(run.code == "INVALID_CONFIGURATION")
                    let problems = run.complaints.first?["problems"]?.elements ?? []
                    #expect(problems.compactMap { $0["path"]?.text } == paths)
                }
            }
            let gone = try program.run(["reconcile", "--all", "--config", "gone.json", "--json"])
            #expect(gone.exitCode == 1 && gone.code == "FILE_FAILED")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("Sessions are named or all are meant, never both and never neither")
    func usage() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            for words in [["reconcile"], ["reconcile", "--all", "cks_1"]] {
                #expect(try program.run(words).exitCode == 2)
            }
        }
    }

    @Test("The list of providers shows which accounts can be asked")
    func accounts() async throws {
        try await withProgram { program in
            let server = try provider()
            try prepare(program, [], server)
            let run = try program.run(["providers", "--config", "shop.json", "--json"])
            let dodo = rows(run).first { $0["provider"]?.text == "dodo" }
            let account = dodo?["accounts"]?.elements?.first
            #expect(account?["mode"]?.text == "test")
            #expect(account?["canBeAsked"] == .bool(true))
            #expect(account?["receivesWebhooks"] == .bool(false))
            let plain = try program.run(["providers", "--json"])
            #expect(rows(plain).allSatisfy { $0["accounts"]?.elements == [] })
        }
    }

    @Test("A webhook is verified with the secret of its account")
    func webhooks() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            let delivery = WritingDelivery(
                signing: #"{"type":"payment.succeeded","data":{"payment_id":"pay_1"}}"#, id: "msg_1"
            )
            try program.write("hook", WritingDelivery.secret + "\n")
            try program.write("shop.json", #"{"providers":{"dodo":{"secretFile":"hook"}}}"#)
            try program.write(
                "headers", delivery.headers.map { "\($0.name): \($0.value)\n" }.joined())
            try program.write("body", delivery.body)
            let words = [
                "record", "webhook", "--provider", "dodo", "--headers-file", "headers",
                "--body-file", "body", "--at", "\(delivery.now)", "--json",
            ]
            let run = try program.run(words + ["--config", "shop.json"])
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.json["verdict"]?.text == "recorded")
            #expect(try program.run(words).exitCode == 2)
            let other = try program.run(words + ["--config", "shop.json", "--account", "x"])
            #expect(other.exitCode == 1 && other.code == "NO_ACCOUNT")
        }
    }

    @Test("Every adapter that is registered works without a configuration")
    func adapters() throws {
        let registered = try Context.registry().descriptors.map(\.id)
        #expect(registered == Adapters.descriptors.map(\.id))
    }

    @Test("Every hint of the help names an option or a topic that there is")
    func help() async throws {
        try await withProgram { program in
            let run = try program.run(["help", "config"])
            #expect(run.exitCode == 0)
            #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
            for name in ["apiKeyFile", "webhookSecretFile", "loopback", "rootsFile", "--config"] {
                #expect(run.text.contains(name))
            }
        }
    }
}
