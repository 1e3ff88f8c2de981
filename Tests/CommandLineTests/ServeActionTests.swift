import Cryptography
import Foundation
import ProviderKit
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("Buttons on the pages of a server")
struct ServeActionTests {
    private static let apiKey = "dodo_key_0123456789abcdef"

    /// A provider that knows one paid session, and a receiver of what is sent again.
    private func elsewhere() throws -> LocalServer {
        try #require(
            LocalServer { request in
                switch request.path {
                case "/checkouts/cks_7":
                    [
                        .reply(
                            200,
                            #"{"id":"cks_7","payment_status":"succeeded","payment_id":"pay_7"}"#)
                    ]
                case "/payments/pay_7":
                    [
                        .reply(
                            200,
                            #"""
                            {"payment_id":"pay_7","checkout_session_id":"cks_7",
                             "status":"succeeded","total_amount":2500,"currency":"EUR"}
                            """#)
                    ]
                case "/hooks": [.reply(202, "")]
                default: [.reply(404, "{}")]
                }
            })
    }

    private func configure(_ program: WritingProgram, _ provider: LocalServer) throws {
        for (name, text) in [("secret", WritingDelivery.secret), ("api.key", Self.apiKey)] {
            try program.write(name, text + "\n")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: program.path(name))
        }
        try program.write(
            "shop.json",
            """
            {"providers":{"dodo":{"mode":"test","apiKeyFile":"api.key",
                                  "webhookSecretFile":"secret"}},
             "network":{"loopback":{"test.dodopayments.com":"\(provider.address)"}},
             "server":{"reconcileEveryMinutes":0}}
            """)
    }

    /// Runs `body` beside a server with an open session and a webhook, started with these words.
    private func serving(
        _ words: [String] = ["--allow-actions"],
        _ body: (WritingProgram, Visitor, LocalServer, ServedProgram) async throws -> Void
    ) async throws {
        try await withProgram { program in
            let elsewhere = try elsewhere()
            try configure(program, elsewhere)
            let words =
                ["--config", "shop.json", "--resend-to", elsewhere.address + "/hooks"] + words
            let server = try #require(
                try await onThread {
                    _ = try program.run(["init"])
                    let told = [
                        ["--amount", "25.00", "--currency", "EUR"], ["--state", "opened"],
                    ]
                    for more in told {
                        _ = try program.run(
                            ["record", "session", "--provider", "dodo", "--session", "cks_7"]
                                + more)
                    }
                    return try ServedProgram(words, in: program)
                })
            let visitor = Visitor(port: server.port)
            try await visitor.deliver("msg_1")
            try await body(program, visitor, elsewhere, server)
            server.signal(SIGTERM)
            #expect(try await onThread { server.ending() } == 0, "\(server.errors)")
        }
    }

    private func events(_ program: WritingProgram, _ type: String) async throws -> [JSONValue] {
        let run = try await onThread { try program.run(["events", "--type", type, "--json"]) }
        return run.text.split(separator: "\n").compactMap { try? JSONValue(json: Array($0.utf8)) }
    }

    @Test("Verify now reads the log again; what was found is shown, measured and recorded")
    func verify() async throws {
        try await serving { program, visitor, _, server in
            let answer = try await visitor.press("verify", on: "/verify")
            #expect(answer.status == 200)
            #expect(answer.text.contains("<h1>Under way</h1>"))
            while try await events(program, "audit.verified").isEmpty { await Task.yield() }
            let event = try #require(try await events(program, "audit.verified").first)
            #expect(event["actor"]?.text == "dashboard/anybody")
            let page = try JSONValue(json: try await visitor.get("/verify.json").body)
            let run = try #require(page["runs"]?.elements?.first)
            #expect(run["sound"] == .bool(true))
            #expect(run["failure"] == .null)
            let metrics = try await visitor.get("/metrics").text
            #expect(metrics.contains("\ncheckout_ledger_verify_last_ok_position "))
            #expect(server.errors.contains("verified result=sound"))
        }
    }

    @Test("A session's provider is asked at once, and the answer is told")
    func reconcile() async throws {
        try await serving { program, visitor, _, server in
            let answer = try await visitor.press(
                "reconcile", on: "/sessions/dodo/cks_7", ["session": "dodo/cks_7"])
            #expect(answer.status == 200)
            #expect(answer.text.contains("cks_7: succeeded, by provider query."))
            let paid = try await onThread { try program.run(["outcomes", "--json"]) }
            #expect(paid.text.contains("cks_7"))
            #expect(server.errors.contains("action action=reconcile visitor=anybody done=yes"))
        }
    }

    @Test("All that wait are asked about while the page is answered already")
    func reconcileAll() async throws {
        try await serving { program, visitor, _, _ in
            #expect(try await visitor.press("reconcile", on: "/abandoned").status == 200)
            while try await events(program, "payment.succeeded").isEmpty { await Task.yield() }
        }
    }

    @Test("A stored webhook is sent again, signed anew, and that it left is recorded")
    func resend() async throws {
        try await serving { program, visitor, elsewhere, _ in
            let position = try #require(
                try await events(program, "delivery.received").first?["position"]?.integer)
            let answer = try await visitor.press(
                "resend", on: "/webhooks/\(position)", ["position": "\(position)"])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.contains("Sent msg_1 to \(elsewhere.address)/hooks: 202 in"))
            let sent = try #require(elsewhere.requests.first { $0.path == "/hooks" })
            #expect(sent.header("webhook-id") == "msg_1")
            #expect(sent.body == Array(Visitor.body.utf8))
            let headers = sent.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
            let checked = try await onThread {
                try program.run([
                    "explain", "webhook", "--provider", "dodo", "--json", "--secret-file",
                    "secret", "--headers-file", try program.write("headers", headers),
                    "--body-file", try program.write("body", sent.body),
                ])
            }
            #expect(checked.json["accepted"] == .bool(true))
            let exported = try await events(program, "audit.exported")
            #expect(exported.map { $0["actor"]?.text } == ["dashboard/anybody"])
        }
    }

    @Test("Nothing is done without the page's own token, nor where actions are not allowed")
    func refused() async throws {
        try await serving { program, visitor, elsewhere, _ in
            for action in ["verify", "reconcile", "resend"] {
                let answer = try await visitor.post(action, ["position": "2"])
                #expect(answer.status == 403)
            }
            #expect(!elsewhere.requests.contains { $0.path == "/hooks" })
        }
        try await serving([]) { program, visitor, elsewhere, _ in
            for page in ["/verify", "/abandoned", "/sessions/dodo/cks_7"] {
                #expect(!(try await visitor.get(page).text.contains("method=\"post\"")))
            }
            let answer = try await visitor.post("verify", ["form_token": "x"])
            #expect(answer.status == 403)
            #expect(try await events(program, "audit.verified").isEmpty)
        }
    }

    @Test("A secret that SIGHUP brings, and the pages' token, are masked from then on")
    func masked() async throws {
        let token = String(repeating: "ab", count: 20)
        let fresh = "whsec_HxwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAAAE="
        try await withProgram { program in
            try configure(program, try elsewhere())
            try program.write("token.txt", token + "\n")
            let server = try #require(
                try await onThread {
                    try ServedProgram(
                        ["--config", "shop.json", "--token-file", "token.txt"], in: program)
                })
            let visitor = Visitor(port: server.port)
            // Nothing names what they stand in, so only their own letters give them away.
            func deliver(_ id: String, _ text: String, _ secret: String) async throws -> Bool {
                try await visitor.deliver(id, note: "zz\(text)zz", secret: secret)
                let all = try await events(program, "delivery.received")
                let event = try #require(all.first { $0["deliveryID"]?.text == id })
                return event["redacted"] == .bool(true)
            }
            #expect(try await deliver("msg_1", token, WritingDelivery.secret))
            try program.write("secret", fresh + "\n")
            server.signal(SIGHUP)
            while !server.errors.contains("configuration read again") { await Task.yield() }
            #expect(try await deliver("msg_2", fresh, fresh))
            #expect(try await deliver("msg_3", WritingDelivery.secret, fresh))
            #expect(try await deliver("msg_4", "nothing secret", fresh) == false)
            server.signal(SIGTERM)
            #expect(try await onThread { server.ending() } == 0)
        }
    }
}

/// A browser that keeps its cookie, and a provider that delivers.
private struct Visitor: Sendable {
    let port: UInt16

    static let body = payment(note: "")

    private static func payment(note: String) -> String {
        """
        {"business_id":"b","type":"payment.succeeded","timestamp":"2026-03-04T05:06:05Z",\
        "data":{"payload_type":"Payment","payment_id":"pay_1","checkout_session_id":"cks_1",\
        "status":"succeeded","total_amount":2500,"currency":"EUR","note":"\(note)"}}
        """
    }

    func get(_ path: String, cookie: String? = nil) async throws -> RawClient.Reply {
        try await onThread { [port] in
            let client = try #require(RawClient(port: port))
            client.request("GET", path, headers: cookie.map { [("Cookie", $0)] } ?? [])
            return try #require(client.reply())
        }
    }

    /// Sends a form without looking at its page.
    func post(
        _ action: String, _ fields: [String: String], cookie: String? = nil
    ) async throws -> RawClient.Reply {
        let form = fields.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        return try await onThread { [port] in
            let client = try #require(RawClient(port: port))
            client.request(
                "POST", "/actions/\(action)",
                headers: [("Content-Type", "application/x-www-form-urlencoded")]
                    + (cookie.map { [("Cookie", $0)] } ?? []), body: Array(form.utf8))
            return try #require(client.reply())
        }
    }

    /// Loads a page and sends its form for an action.
    func press(
        _ action: String, on page: String, _ fields: [String: String] = [:]
    ) async throws -> RawClient.Reply {
        let shown = try await get(page)
        #expect(shown.text.contains("action=\"/actions/\(action)\""))
        let cookie = shown.headers["set-cookie"].map { String($0.prefix { $0 != ";" }) }
        let parts = shown.text.split(separator: "name=\"form_token\" value=\"")
        let token = try #require(parts.dropFirst().first).prefix { $0 != "\"" }
        return try await post(
            action, fields.merging(["form_token": String(token)]) { $1 }, cookie: cookie)
    }

    func deliver(
        _ id: String, note: String = "", secret: String = WritingDelivery.secret
    ) async throws {
        let body = Self.payment(note: note)
        let now = Int(Date().timeIntervalSince1970)
        let key = HMACKey(sha256: Base64.decode(secret.dropFirst(6)) ?? [])
        let code = key.authenticate(Array("\(id).\(now).\(body)".utf8))
        let status = try await onThread { [port] in
            let client = try #require(RawClient(port: port))
            client.request(
                "POST", "/webhooks/dodo",
                headers: [
                    ("webhook-id", id), ("webhook-timestamp", "\(now)"),
                    ("webhook-signature", "v1,\(Base64.encode(code))"),
                ], body: Array(body.utf8))
            return client.reply()?.status
        }
        #expect(status == 200)
    }
}
