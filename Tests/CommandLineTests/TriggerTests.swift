import Cryptography
import Foundation
import ProviderKit
import ProviderVectors
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("Test webhooks")
struct TriggerTests {
    /// A receiver that notes what came; it answers as it is told.
    private func receiver(_ status: Int = 200) throws -> LocalServer {
        try #require(LocalServer { _ in [.reply(status, "")] })
    }

    private func write(_ program: WritingProgram) throws {
        try program.write("secret", WritingDelivery.secret + "\n")
    }

    private func rows(_ run: WritingProgram.Run) -> [JSONValue] {
        run.text.split(separator: "\n").compactMap { try? JSONValue(json: Array($0.utf8)) }
    }

    @Test("A trigger is signed with the receiver's secret, so the receiver believes it")
    func signed() async throws {
        try await withProgram { program in
            try write(program)
            _ = try program.run(["init"])
            let server = try receiver()
            let run = try program.run([
                "trigger", "dodo", "payment.succeeded", "--session", "cks_7Qm",
                "--set", "data.total_amount=9900", "--set", "data.customer.name=Zoë",
                "--secret-file", "secret", "--to", server.address + "/webhooks",
            ])
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.text.hasPrefix("Sent payment.succeeded, signed, to \(server.address)"))
            let request = try #require(server.requests.first)
            #expect(request.method == "POST" && request.path == "/webhooks")
            let headers = request.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
            let record = try program.run([
                "record", "webhook", "--provider", "dodo", "--json", "--secret-file", "secret",
                "--headers-file", try program.write("headers", headers),
                "--body-file", try program.write("body", request.body),
            ])
            #expect(record.json["verdict"]?.text == "recorded", "\(record.errors)")
            let event = try #require(record.json["events"]?.elements?.first)
            #expect(event["session"]?.text == "cks_7Qm")
            #expect(event["amount"]?["minorUnits"]?.integer == 9900)
        }
    }

    @Test("Every provider that signs with a shared secret can be played, in every kind")
    func everyProvider() async throws {
        let secrets: [(provider: String, secret: String)] = [
            ("dodo", WritingDelivery.secret), ("sandbox", WritingDelivery.secret),
            ("stripe", "whsec_0123456789abcdef0123456789abcdef"),
            ("paddle", "pdl_ntfset_0123456789abcdef0123456789"),
            ("polar", "polar_whs_0123456789abcdef"), ("lemonsqueezy", "0123456789abcdef"),
            ("razorpay", "0123456789abcdef"), ("gocardless", "0123456789abcdef0123456789"),
            ("coinbase-commerce", "01234567-89ab-cdef-0123-456789abcdef"),
            ("checkout.com", "0123456789abcdef0123"), ("mollie", "0123456789abcdef0123456789"),
            (
                "adyen", "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056"
            ),
        ]
        try await withProgram { program in
            for (provider, secret) in secrets {
                try program.write("secret", secret + "\n")
                let list = try program.run(["trigger", provider])
                let kinds = list.text.split(separator: "\n").map { String($0) }
                #expect(!kinds.isEmpty)
                for kind in kinds {
                    let run = try program.run([
                        "trigger", provider, kind, "--secret-file", "secret", "--dry-run",
                    ])
                    #expect(run.exitCode == 0, "\(provider) \(kind): \(run.errors)")
                    let read = try program.run(
                        [
                            "explain", "webhook", "--provider", provider, "--json",
                            "--secret-file", "secret",
                        ], input: run.output)
                    #expect(read.json["accepted"] == .bool(true), "\(provider) \(kind)")
                }
            }
        }
    }

    /// A configuration of one account, with these files beside it.
    private func configure(
        _ program: WritingProgram, _ provider: String, _ settings: String,
        server: String = "{}", _ files: [String: String]
    ) throws {
        for (name, text) in files {
            try program.write(name, text + "\n")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: program.path(name))
        }
        try program.write(
            "shop.json", #"{"providers":{"\#(provider)":\#(settings)},"server":\#(server)}"#)
    }

    @Test("Providers that sign with a private key are played with one half of a pair of one's own")
    func ownPair() async throws {
        let pair = KnownKeyPair.first
        let cases: [(provider: String, settings: String, change: String)] = [
            (
                "alipay", #"{"appID":"2021000000000001","webhookPublicKeyFile":"pub"}"#,
                "total_amount=99.00"
            ),
            (
                "wechatpay",
                #"""
                {"mode":"live","merchantID":"1900000099","publicKeyID":"PUB_KEY_ID_TRIAL",
                 "webhookPublicKeyFile":"pub","decryptionKeyFile":"seal"}
                """#, "id=EV-1"
            ),
        ]
        try await withProgram { program in
            for (provider, settings, change) in cases {
                try configure(
                    program, provider, settings,
                    [
                        "pub": pair.publicPEM, "key": pair.privatePEM,
                        "seal": "0123456789abcdef0123456789abcdef",
                    ])
                for kind in try program.run(["trigger", provider]).text.split(separator: "\n")
                where kind != "unknown" {
                    let trigger = ["trigger", provider, String(kind), "--config", "shop.json"]
                    let run = try program.run(trigger + ["--signing-key", "key", "--dry-run"])
                    #expect(run.exitCode == 0, "\(provider) \(kind): \(run.errors)")
                    let read = try program.run(
                        [
                            "explain", "webhook", "--provider", provider, "--json", "--config",
                            "shop.json",
                        ], input: run.output)
                    #expect(read.json["accepted"] == .bool(true), "\(provider) \(kind)")
                    #expect(read.json["reason"] == .null, "\(provider) \(kind)")
                    let bare = try program.run(trigger + ["--dry-run", "--json"])
                    #expect(bare.code == "CANNOT_SIGN" && bare.output.isEmpty)
                    #expect(bare.errors.contains("openssl genrsa"))
                }
                let changed = try program.run([
                    "trigger", provider, "payment.succeeded", "--config", "shop.json",
                    "--signing-key", "key", "--set", change, "--dry-run",
                ])
                #expect(changed.exitCode == 0, "\(changed.errors)")
                try program.write("key", KnownKeyPair.second.privatePEM + "\n")
                let other = try program.run([
                    "trigger", provider, "payment.succeeded", "--config", "shop.json",
                    "--signing-key", "key", "--dry-run", "--json",
                ])
                #expect(other.code == "CANNOT_SIGN" && other.errors.contains("halves of one pair"))
            }
        }
    }

    @Test("A signature over the webhook's URL is made for the URL that is given or configured")
    func coveredURL() async throws {
        try await withProgram { program in
            let files = ["secret": "square_signature_key_0123456789"]
            let account = #"{"mode":"test","webhookSecretFile":"secret"}"#
            try configure(program, "square", account, files)
            let words = [
                "trigger", "square", "payment.succeeded", "--config", "shop.json", "--dry-run",
            ]
            let unknown = try program.run(words + ["--json"])
            #expect(unknown.code == "CANNOT_SIGN" && unknown.errors.contains("--url"))
            let given = try program.run(words + ["--url", "https://a.example/webhooks/square"])
            #expect(given.exitCode == 0, "\(given.errors)")
            try configure(
                program, "square", account, server: #"{"publicURL":"https://a.example"}"#, files)
            let configured = try program.run(words)
            func signature(_ run: WritingProgram.Run) -> Substring? {
                run.text.split(separator: "\r\n").first { $0.hasPrefix("x-square") }
            }
            #expect(configured.exitCode == 0, "\(configured.errors)")
            #expect(signature(configured) != nil)
        }
    }

    @Test("PayPal cannot be played, and it is said why")
    func certificate() async throws {
        try await withProgram { program in
            try configure(
                program, "paypal",
                #"{"mode":"test","webhookID":"1JE4291016473214C","apiKeyFile":"key"}"#,
                ["key": "paypal_secret_of_a_shop"])
            let run = try program.run([
                "trigger", "paypal", "payment.succeeded", "--config", "shop.json", "--dry-run",
                "--json",
            ])
            #expect(run.code == "CANNOT_SIGN" && run.output.isEmpty, "\(run.errors)")
            #expect(run.errors.contains("certificate"))
        }
    }

    @Test("Repetitions are one webhook, and disorder sends what came before it afterwards")
    func disorder() async throws {
        try await withProgram { program in
            try write(program)
            let server = try receiver()
            let run = try program.run([
                "trigger", "dodo", "refund.succeeded", "--session", "cks_1", "--times", "2",
                "--disorder", "--secret-file", "secret", "--to", server.address, "--json",
            ])
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(
                rows(run).compactMap { $0["kind"]?.text } == [
                    "refund.succeeded", "refund.succeeded", "refund.pending", "refund.pending",
                    "payment.succeeded", "payment.succeeded",
                ])
            #expect(Set(rows(run).compactMap { $0["delivery"]?.text }).count == 3)
            let bodies = server.requests.compactMap { try? JSONValue(json: $0.body) }
            #expect(bodies.count == 6)
            #expect(Set(bodies.compactMap { $0["data"]?["payment_id"]?.text }).count == 1)
            let times = bodies.compactMap { $0["timestamp"]?.text }
            #expect(times == times.sorted(by: >))
        }
    }

    @Test("A receiver that refuses, or is not there, makes the command fail")
    func refused() async throws {
        try await withProgram { program in
            try write(program)
            let server = try receiver(401)
            let words = ["trigger", "dodo", "payment.failed", "--secret-file", "secret", "--json"]
            let refused = try program.run(words + ["--to", server.address])
            #expect(refused.exitCode == 1 && refused.json["status"]?.integer == 401)
            let port = server.port
            server.stop()
            let gone = try program.run(words + ["--to", "http://127.0.0.1:\(port)/"])
            #expect(gone.exitCode == 1 && gone.json["error"]?.text == "connect_refused")
            let open = try program.run(words + ["--to", "http://shop.example/"])
            #expect(open.exitCode == 1 && open.json["error"]?.text == "insecure_url")
        }
    }

    @Test(
        "What cannot be sent is told before anything is",
        arguments: [
            ["trigger", "dodo", "payment.imagined"], ["trigger", "nobody", "payment.failed"],
            ["trigger", "dodo", "payment.failed", "--set", "data"],
            ["trigger", "dodo", "payment.failed", "--set", "type.x=1"],
            ["trigger", "dodo", "--from", "body", "--session", "cks_1"],
        ])
    func usage(words: [String]) async throws {
        try await withProgram { program in
            try write(program)
            try program.write("body", "{}")
            let run = try program.run(words + ["--secret-file", "secret", "--dry-run"])
            #expect(run.exitCode == 2 && run.output.isEmpty, "\(run.errors)")
        }
    }

    @Test("A body of one's own is signed as it is")
    func ownBody() async throws {
        try await withProgram { program in
            try write(program)
            let server = try receiver()
            try program.write("body", "{ \"type\": \"payment.succeeded\",\n\"data\": {}}")
            let run = try program.run([
                "trigger", "dodo", "--from", "body", "--secret-file", "secret", "--to",
                server.address,
            ])
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(server.requests.first?.body == (try program.read("body")))
            #expect(run.errors.contains("sets it aside"))
        }
    }
}
