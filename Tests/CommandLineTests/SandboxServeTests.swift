import Foundation
import HTTPTransport
import ProviderKit
import Sandbox
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("A sandbox inside the server")
struct SandboxServeTests {
    /// The JSON that a command printed, one object a line.
    private func rows(_ run: WritingProgram.Run) -> [JSONValue] {
        run.text.split(separator: "\n").compactMap { try? JSONValue(json: Array($0.utf8)) }
    }

    private func post(
        _ path: String, _ body: String, _ server: ServedProgram, key: String? = nil
    ) throws -> RawClient.Reply {
        let client = try #require(RawClient(port: server.port))
        client.request(
            "POST", path,
            headers: [("Host", "127.0.0.1:\(server.port)")]
                + (key.map { [("Authorization", "Bearer \($0)")] } ?? []),
            body: Array(body.utf8))
        return try #require(client.reply())
    }

    /// Waits until the ledger says what is expected of its sessions; gives up after some seconds.
    private func outcomes(
        _ program: WritingProgram, count: Int
    ) async throws -> [String: String] {
        var found: [String: String] = [:]
        for _ in 0..<100 {
            let all = rows(try program.run(["outcomes", "--json"]))
            found = Dictionary(
                all.map { ($0["session"]?.text ?? "", $0["outcome"]?.text ?? "") },
                uniquingKeysWith: { $1 })
            if found.count >= count { return found }
            try await Task.sleep(for: .milliseconds(100))
        }
        return found
    }

    @Test("Every way through the checkout ends in the ledger as it did in the sandbox")
    func outcomes() async throws {
        try await withProgram { program in
            try program.write("key", "sbx_test_0123456789abcdef\n")
            try program.write("secret", WritingDelivery.secret + "\n")
            for name in ["key", "secret"] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: program.path(name))
            }
            try program.write(
                "shop.json",
                #"{"providers":{"sandbox":{"mode":"test","webhookSecretFile":"secret","#
                    + #""apiKeyFile":"key"}}}"#)
            let server = try #require(
                try ServedProgram(["--sandbox", "--config", "shop.json"], in: program))
            let key = "sbx_test_0123456789abcdef"
            var sessions: [String: String] = [:]
            for action in ["pay", "close", "decline", "expire", "leave"] {
                let made = try post(
                    "/sandbox/api/checkouts",
                    #"{"amount":1999,"currency":"EUR","return_url":"https://tea.example/back","#
                        + #""sandbox":{"duplicates":1,"disorder":true}}"#, server, key: key)
                #expect(made.status == 201)
                let id = try #require((try JSONValue(json: made.body))["id"]?.text)
                sessions[action] = id
                let answer = try post("/sandbox/pay/\(id)", "action=\(action)", server)
                #expect(answer.status == 303, "\(answer.text)")
            }
            // A checkout that was declined or left is still open, so there is no end to record.
            let found = try await outcomes(program, count: 4)
            #expect(found[sessions["pay"] ?? ""] == "succeeded")
            #expect(found[sessions["close"] ?? ""] == "succeeded")
            #expect(found[sessions["decline"] ?? ""] == "failed")
            #expect(found[sessions["expire"] ?? ""] == "expired")
            #expect(found[sessions["leave"] ?? ""] == nil)
            server.signal(SIGTERM)
            #expect(server.ending() == 0, "\(server.errors)")
            let checked = try program.run(["verify"])
            #expect(checked.exitCode == 0, "\(checked.text)")
        }
    }

    @Test("Real and pretend money never share a server, and strangers never reach the sandbox")
    func apart() async throws {
        try await withProgram { program in
            try program.write("key", "dodo_live_key_0123456789\n")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: program.path("key"))
            try program.write(
                "live.json", #"{"providers":{"dodo":{"mode":"live","apiKeyFile":"key"}}}"#)
            let live = try program.run([
                "serve", "--sandbox", "--port", "0", "--config", "live.json", "--json",
            ])
            #expect(live.exitCode == 4 && live.code == "INVALID_CONFIGURATION", "\(live.errors)")
            try program.write("token", String(repeating: "0123456789abcdef", count: 4))
            let open = try program.run([
                "serve", "--sandbox", "--port", "0", "--address", "0.0.0.0", "--token-file",
                "token", "--json",
            ])
            #expect(open.exitCode == 1 && open.code == "SANDBOX_IS_LOCAL", "\(open.errors)")
            let server = try #require(try ServedProgram(in: program))
            let client = try #require(RawClient(port: server.port))
            client.request("GET", "/sandbox", headers: [("Host", "127.0.0.1:\(server.port)")])
            #expect(client.reply()?.status == 404)
        }
    }
}

@Suite("The listen command")
struct ListenCommandTests {
    @Test("Each webhook is told of with what it changed, and goes on to one's own server")
    func told() async throws {
        try await withProgram { program in
            try program.write("secret", WritingDelivery.secret + "\n")
            let own = try #require(LocalServer { _ in [.reply(202, "")] })
            let listener = try ListeningProgram(
                [
                    "--provider", "dodo", "--secret-file", "secret", "--forward-to",
                    own.address + "/hooks",
                ], in: program)
            let target = "http://127.0.0.1:\(listener.port)/webhooks/dodo"
            for words in [
                ["payment.succeeded", "--times", "2"], ["payment.failed"],
            ] {
                let sent = try program.run(
                    ["trigger", "dodo"] + words + [
                        "--session", "cks_7", "--secret-file", "secret", "--to", target,
                    ])
                #expect(sent.exitCode == 0, "\(sent.errors)")
            }
            try program.write("other", "whsec_HxwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAAAE=\n")
            let forged = try program.run([
                "trigger", "dodo", "payment.failed", "--secret-file", "other", "--to", target,
            ])
            #expect(forged.exitCode == 1)
            let rows = listener.rows(4)
            #expect(
                rows.compactMap { $0["verdict"]?.text } == [
                    "recorded", "duplicate", "recorded", "refused",
                ])
            #expect(rows[0]["session"]?.text == "cks_7" && rows[0]["after"]?.text == "succeeded")
            #expect(rows[2]["before"]?.text == "succeeded")
            #expect(rows[2]["after"]?.text == "succeeded")
            #expect(rows[3]["reason"]?.text == "signature_mismatch")
            #expect(rows.allSatisfy { $0["forwarded"]?["status"]?.integer == 202 })
            #expect(own.requests.count == 4 && own.requests[0].path == "/hooks")
            #expect(own.requests[0].body == own.requests[1].body)
            #expect(listener.stop() == 0)
        }
    }

    @Test("Without accounts and without a provider there is nothing to listen for")
    func usage() async throws {
        try await withProgram { program in
            let run = try program.run(["listen", "--port", "0"])
            #expect(run.exitCode == 2, "\(run.errors)")
            try program.write("key", "dodo_key_0123456789abcdef\n")
            try program.write(
                "shop.json", #"{"providers":{"dodo":{"mode":"test","apiKeyFile":"key"}}}"#)
            let deaf = try program.run(
                ["listen", "--port", "0", "--config", "shop.json", "--json"])
            #expect(deaf.exitCode == 1 && deaf.code == "NO_ACCOUNT", "\(deaf.errors)")
        }
    }
}

/// The built program at `listen`, until it is stopped.
private final class ListeningProgram {
    let port: UInt16
    private let listener: ChildProgram

    init(_ words: [String], in program: WritingProgram) throws {
        listener = try program.start(
            ["listen", "--json", "--port", "0"] + words, output: .pipe, errors: .pipe)
        let line = Self.lines(1, listener.errors).first ?? ""
        let digits = line.split(separator: "127.0.0.1:").dropFirst().first?.prefix { $0.isNumber }
        port = try #require(digits.flatMap { UInt16($0) }, "\(line)")
    }

    /// The next rows of its standard output.
    func rows(_ count: Int) -> [JSONValue] {
        Self.lines(count, listener.output).compactMap { try? JSONValue(json: Array($0.utf8)) }
    }

    func stop() -> Int32 {
        listener.signal(SIGINT)
        return listener.wait().code
    }

    private static func lines(_ count: Int, _ pipe: FileHandle?) -> [Substring] {
        var bytes: [UInt8] = []
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            guard let more = pipe?.availableData, !more.isEmpty else { break }
            bytes += more
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
