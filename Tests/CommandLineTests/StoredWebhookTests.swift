import Cryptography
import Foundation
import ProviderKit
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("Stored webhooks")
struct StoredWebhookTests {
    private static let body =
        #"{"business_id": "bus_1", "type": "payment.succeeded", "#
        + #""timestamp": "2026-03-04T05:06:07Z", "data": {"payment_id": "pay_1", "#
        + #""checkout_session_id": "cks_1", "total_amount": 2500, "currency": "EUR", "#
        + #""status": "succeeded"}}"#

    private func rows(_ run: WritingProgram.Run) -> [JSONValue] {
        run.text.split(separator: "\n").compactMap { try? JSONValue(json: Array($0.utf8)) }
    }

    /// Records a delivery with the clock of now, as `webhooks explain` will see it.
    @discardableResult
    private func record(
        _ program: WritingProgram, id: String, secret: String = WritingDelivery.secret,
        now: Int64 = Int64(Date().timeIntervalSince1970),
        change: (inout WritingDelivery) -> Void = { _ in }
    ) throws -> WritingProgram.Run {
        var delivery = WritingDelivery(signing: Self.body, id: id, now: now)
        delivery.secrets = [secret]
        change(&delivery)
        return try program.webhook("record", delivery)
    }

    @Test("Every arrival is listed with what became of it, and shown by any of its names")
    func list() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            try record(program, id: "msg_good")
            try record(program, id: "msg_bad") { $0.body.append(0x20) }
            let all = rows(try program.run(["webhooks", "--json"]))
            #expect(all.compactMap { $0["verdict"]?.text } == ["ok", "refused"])
            #expect(all[0]["session"]?.text == "cks_1" && all[0]["type"]?.text != nil)
            let refused = rows(try program.run(["webhooks", "--verdict", "refused", "--json"]))
            #expect(refused.count == 1 && refused[0]["reason"]?.text == "signature_mismatch")
            let place = try #require(refused[0]["position"]?.integer)
            for name in ["msg_good", "msg_g", "@0"] {
                let shown = try program.run(["webhooks", "show", name, "--private", "--json"])
                #expect(shown.json["delivery"]?.text == "msg_good", "\(shown.errors)")
                #expect(shown.json["means"]?.elements == [.string("payment.succeeded")])
                #expect(shown.json["private"]?["body"]?.text == Self.body)
            }
            #expect(try program.run(["webhooks", "show", "@\(place)"]).exitCode == 0)
            for (name, code) in [
                ("msg_", "NOT_A_NAME"), ("nothing", "NOT_FOUND"), ("@1", "NOT_A_WEBHOOK"),
            ] where code != "NOT_A_NAME" {
                let run = try program.run(["webhooks", "show", name, "--json"])
                #expect(run.exitCode == 1 && run.code == code)
            }
        }
    }

    static let mistakes: [(cause: String, change: @Sendable (inout WritingDelivery) -> Void)] = [
        ("body_reencoded", { $0.body = $0.body.filter { $0 != 0x20 } }),
        ("line_ends", { $0.body += Array("\r\n".utf8) }),
        (
            "secret_encoding",
            { delivery in
                let key = Array(WritingDelivery.secret.utf8)
                let text = "\(delivery.headers[0].value).\(delivery.headers[1].value)."
                let code = HMACKey(sha256: key).authenticate(Array(text.utf8), delivery.body)
                delivery.headers[2].value = "v1,\(Base64.encode(code))"
            }
        ),
        (
            "clock",
            { delivery in
                let old = WritingDelivery(
                    signing: String(decoding: delivery.body, as: UTF8.self), id: "msg_x",
                    now: delivery.now - 4_000)
                delivery.headers = old.headers
            }
        ),
        ("wrong_secret", { $0.headers[2].value = "v1,\(Base64.encode([UInt8](0..<32)))" }),
    ]

    @Test("The cause of a refusal is named, and a variant that fits is still refused")
    func explained() async throws {
        for (cause, change) in Self.mistakes {
            try await withProgram { program in
                _ = try program.run(["init"])
                let recorded = try record(program, id: "msg_x", change: change)
                #expect(recorded.json["verdict"]?.text == "refused", "\(cause)")
                try program.write("secret", WritingDelivery.secret + "\n")
                let words = ["webhooks", "explain", "@0", "--secret-file", "secret"]
                let run = try program.run(words + ["--json"])
                #expect(run.exitCode == 0, "\(run.errors)")
                #expect(run.json["cause"]?.text == cause)
                #expect(run.json["accepted"] == .bool(false))
                let text = try program.run(words).text
                #expect(text.contains("Most likely: ") == (cause != "wrong_secret"))
                #expect(text.contains("tried"))
                #expect(!text.contains(WritingDelivery.secret.dropFirst(6)))
                #expect(rows(try program.run(["sessions", "--json"])).isEmpty)
            }
        }
    }

    @Test("A stored webhook is sent again as it came, or signed anew under the same id")
    func resent() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            let old = Int64(Date().timeIntervalSince1970) - 200
            try record(program, id: "msg_old", now: old)
            try program.write("secret", WritingDelivery.secret + "\n")
            let server = try #require(LocalServer { _ in [.reply(204, "")] })
            let plain = try program.run(["resend", "msg_old", "--to", server.address, "--json"])
            #expect(plain.exitCode == 0 && plain.json["status"]?.integer == 204)
            let signed = try program.run([
                "resend", "msg_old", "--to", server.address, "--resign", "--secret-file", "secret",
            ])
            #expect(signed.exitCode == 0, "\(signed.errors)")
            let requests = server.requests
            #expect(requests.map { $0.header("webhook-id") } == ["msg_old", "msg_old"])
            #expect(requests.allSatisfy { $0.body == Array(Self.body.utf8) })
            #expect(requests[0].header("webhook-timestamp") == "\(old)")
            let time = requests[1].header("webhook-timestamp").flatMap { Int64($0) } ?? 0
            #expect(time > old)
            let dry = try program.run([
                "resend", "msg_old", "--to", "https://staging.example/webhooks", "--resign",
                "--secret-file", "secret", "--dry-run",
            ])
            #expect(dry.exitCode == 0 && dry.text.contains("Nothing was sent."))
            #expect(server.requests.count == 2)
        }
    }
}

@Suite("Where webhooks are sent")
struct SendingTargetTests {
    @Test("What is no URL to send to is a mistake of the command line, and nothing is sent")
    func noURL() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            try program.write("secret", WritingDelivery.secret + "\n")
            let commands = [
                ["resend", "msg_1", "--to", "nonsense"],
                ["trigger", "dodo", "payment.succeeded", "--secret-file", "secret", "--to", "x"],
                ["listen", "--provider", "dodo", "--forward-to", "localhost:3000"],
            ]
            for words in commands {
                let run = try program.run(words)
                #expect(run.exitCode == 2 && run.text.isEmpty, "\(words): \(run.text)")
                #expect(run.errors.contains(" takes a URL such as "), "\(run.errors)")
            }
        }
    }

    @Test(
        "A webhook that reached nobody is not said to be sent, and the hint fits")
    func nobody() async throws {
        try await withProgram { program in
            try program.write("secret", WritingDelivery.secret + "\n")
            let run = try program.run([
                "trigger", "dodo", "payment.succeeded", "--secret-file", "secret",
                "--to", "http://127.0.0.1:1/",
            ])
            #expect(run.exitCode == 1)
            #expect(run.text.hasPrefix("Could not send payment.succeeded, signed, to "))
            #expect(!run.text.contains(".."))
            #expect(run.errors == "Hint: Is the receiver running, and is that its address?\n")
        }
    }
}

@Suite("The doctor")
struct DoctorTests {
    private func findings(_ run: WritingProgram.Run) -> [String: JSONValue] {
        let rows = run.text.split(separator: "\n").compactMap {
            try? JSONValue(json: Array($0.utf8))
        }
        return Dictionary(
            rows.map { ($0["check"]?.text ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("A sound set-up passes, and each fault is named with what to do")
    func faults() async throws {
        try await withProgram { program in
            let none = try program.run(["doctor", "--json"])
            #expect(none.exitCode == 0)
            #expect(findings(none)["ledger"]?["state"]?.text == "warn")
            _ = try program.run(["init"])
            let sound = try program.run(["doctor", "--json"])
            #expect(sound.exitCode == 0, "\(sound.text)")
            let checks = [
                "lmdb", "clock", "ledger", "map", "readers", "recorded time", "projections",
                "permissions", "room", "root key",
            ]
            for check in checks {
                #expect(findings(sound)[check]?["state"]?.text == "ok", "\(check)")
            }
            let server = try #require(LocalServer { _ in [] })
            let busy = try program.run(["doctor", "--json", "--port", "\(server.port)"])
            #expect(busy.exitCode == 0 && findings(busy)["port"]?["state"]?.text == "warn")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: program.path("shop.ledger"))
            let open = try program.run(["doctor", "--json"])
            #expect(
                findings(open)["permissions"]?["hint"]?.text?.contains("chmod 700") == true)
            try FileManager.default.removeItem(atPath: program.path("state"))
            let keyless = try program.run(["doctor", "--json"])
            #expect(keyless.exitCode == 4)
            #expect(findings(keyless)["root key"]?["state"]?.text == "fail")
        }
    }

    @Test("Accounts that lack a secret are named")
    func accounts() async throws {
        try await withProgram { program in
            _ = try program.run(["init"])
            try program.write("key", "dodo_key_0123456789abcdef\n")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: program.path("key"))
            try program.write(
                "shop.json", #"{"providers":{"dodo":{"mode":"test","apiKeyFile":"key"}}}"#)
            let run = try program.run(["doctor", "--json", "--config", "shop.json"])
            let message = findings(run)["secrets"]?["message"]?.text ?? ""
            #expect(message.contains("its webhooks cannot be checked"))
            try program.write("bad.json", #"{"providers":{"dodo":{"apiKeyFile":"gone"}}}"#)
            let bad = try program.run(["doctor", "--json", "--config", "bad.json"])
            #expect(bad.exitCode == 4)
            #expect(findings(bad)["config"]?["state"]?.text == "fail")
        }
    }
}
