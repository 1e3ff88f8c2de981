import CheckoutLedger
import Cryptography
import Foundation
import ProviderKit
import Synchronization
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("The serve command")
struct ServeCommandTests {
    private static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private static let otherSecret = "whsec_HxwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAAAE="

    /// Runs `body` in a new directory with a configuration of one Dodo account.
    private func withProgram(
        _ body: (WritingProgram) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let program = WritingProgram(directory: directory)
            try configure(program, Self.secret)
            try await body(program)
        }
    }

    private func configure(
        _ program: WritingProgram, _ secret: String, server: String = "{}"
    ) throws {
        try program.write("secret.txt", secret)
        try program.write(
            "config.json",
            #"{"providers":{"dodo":{"mode":"test","secretFile":"secret.txt"}},"server":\#(server)}"#
        )
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: program.path("secret.txt"))
    }

    /// Delivers a payment, and gives the answer's status.
    private static func deliver(
        _ number: Int, over client: RawClient, secret: String = secret
    ) -> Int? {
        let body = """
            {"business_id":"b","type":"payment.succeeded","timestamp":"2026-03-04T05:06:05Z",\
            "data":{"payload_type":"Payment","payment_id":"pay_\(number)",\
            "checkout_session_id":"cks_\(number)","status":"succeeded","total_amount":2500,\
            "currency":"EUR"}}
            """
        let now = Int(Date().timeIntervalSince1970)
        let key = HMACKey(sha256: Base64.decode(secret.dropFirst(6)) ?? [])
        let code = key.authenticate(Array("msg_\(number).\(now).\(body)".utf8))
        client.request(
            "POST", "/webhooks/dodo",
            headers: [
                ("webhook-id", "msg_\(number)"), ("webhook-timestamp", "\(now)"),
                ("webhook-signature", "v1,\(Base64.encode(code))"),
            ], body: Array(body.utf8))
        return client.reply()?.status
    }

    /// The sessions that the ledger knows, by their ids.
    private func sessions(_ program: WritingProgram) throws -> Set<String> {
        let run = try program.run(["sessions", "--json=session", "--limit", "1000000"])
        #expect(run.exitCode == 0, "\(run.errors)")
        let parts = run.text.split { $0 == "\"" || $0 == "\n" }
        return Set(parts.filter { $0.hasPrefix("cks_") }.map { String($0) })
    }

    @Test("A ledger is made where there is none, webhooks are taken, and SIGTERM ends with 0")
    func lifecycle() async throws {
        try await withProgram { program in
            let served = try await onThread {
                try ServedProgram(["--config", "config.json"], in: program)
            }
            let server = try #require(served)
            let status = try await onThread {
                try Self.deliver(1, over: #require(RawClient(port: server.port)))
            }
            #expect(status == 200)
            server.signal(SIGTERM)
            #expect(try await onThread { server.ending() } == 0)
            #expect(try sessions(program) == ["cks_1"])
            #expect(server.errors.contains("http.route=/webhooks/{provider} http.status=200"))
            #expect(!server.errors.contains("cks_1"))
        }
    }

    @Test("After SIGKILL under load everything that was acknowledged is in the ledger")
    func killed() async throws {
        try await withProgram { program in
            let all = try await load(
                program, lanes: 16, then: SIGKILL, after: 300, ending: -SIGKILL)
            #expect(try sessions(program).isSuperset(of: all))
            #expect(try program.run(["verify"]).exitCode == 0)
        }
    }

    @Test("After SIGTERM under load everything that was acknowledged is in the ledger")
    func stopped() async throws {
        try await withProgram { program in
            let all = try await load(program, lanes: 8, then: SIGTERM, after: 100, ending: 0)
            #expect(try sessions(program).isSuperset(of: all))
        }
    }

    /// Delivers over several connections, sends a signal once so many are acknowledged, and gives
    /// the sessions of all that were.
    private func load(
        _ program: WritingProgram, lanes: Int, then number: Int32, after count: Int, ending: Int32
    ) async throws -> Set<String> {
        let served = try await onThread {
            try ServedProgram(["--config", "config.json", "--quiet"], in: program)
        }
        let server = try #require(served)
        let acknowledged = AcknowledgedSessions()
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    try? await onThread {
                        guard let client = RawClient(port: server.port) else { return }
                        for payment in (lane * 100_000)..<((lane + 1) * 100_000) {
                            guard Self.deliver(payment, over: client) == 200 else { return }
                            if acknowledged.add("cks_\(payment)") == count { server.signal(number) }
                        }
                    }
                }
            }
        }
        #expect(try await onThread { server.ending() } == ending)
        #expect(acknowledged.all.count >= count)
        return acknowledged.all
    }

    @Test("SIGHUP takes new secrets; with a mistake in the file the old ones stay")
    func reload() async throws {
        try await withProgram { program in
            let served = try await onThread {
                try ServedProgram(["--config", "config.json"], in: program)
            }
            let server = try #require(served)
            func deliver(_ number: Int, _ secret: String) async throws -> Int? {
                try await onThread {
                    try Self.deliver(
                        number, over: #require(RawClient(port: server.port)), secret: secret)
                }
            }
            func hear(_ text: String) async {
                server.signal(SIGHUP)
                while !server.errors.contains(text) { await Task.yield() }
            }
            #expect(try await deliver(1, Self.otherSecret) == 401)
            try configure(program, Self.otherSecret)
            await hear("configuration read again accounts=1")
            #expect(try await deliver(2, Self.otherSecret) == 200)
            try program.write("config.json", #"{"providers":{"dod":{}}}"#)
            await hear("configuration kept as it was")
            #expect(server.errors.contains("Did you mean 'dodo'?"))
            #expect(try await deliver(3, Self.otherSecret) == 200)
            server.signal(SIGTERM)
            #expect(try await onThread { server.ending() } == 0)
        }
    }

    @Test("What keeps it from starting is named, and no ledger is made")
    func refusals() async throws {
        try await withProgram { program in
            let taken = try #require(LocalServer { _ in [.reply(200, "")] })
            try program.write("weak.txt", "short")
            let cases: [(words: [String], code: String, exit: Int32)] = [
                (["--port", "\(taken.port)"], "PORT_IN_USE", 1),
                (["--address", "0.0.0.0"], "TOKEN_NEEDED", 1),
                (["--address", "shop.example"], "INVALID_ADDRESS", 1),
                (["--address", "203.0.113.7", "--token-file", "weak.txt"], "WEAK_TOKEN", 1),
                (["--token-file", "nowhere.txt"], "FILE_FAILED", 1),
                (["--port", "70000"], "INVALID_VALUE", 2),
                (["--log-format", "xml"], "INVALID_VALUE", 2),
                (["--resend-to", "https://ada:pw@test.example/"], "INVALID_VALUE", 2),
            ]
            for (words, code, exit) in cases {
                let run = try await onThread { try program.run(["serve", "--json"] + words) }
                #expect(run.exitCode == exit, "\(words)")
                #expect(run.code == code, "\(words)")
            }
            #expect(!FileManager.default.fileExists(atPath: program.path("shop.ledger")))
        }
    }

    @Test("Every mistake in the settings of the server is named at once")
    func settings() async throws {
        try await withProgram { program in
            try configure(
                program, Self.secret,
                server: #"""
                    {"port":"x","adress":"::1","publicURL":"pay.shop.example","hosts":"a",
                     "allowActions":1,"reconcileEveryMinutes":-1,"logFormat":"xml",
                     "connections":0,"connectionsPerAddress":null,"tokenFile":"",
                     "resendTo":"shop.example/hooks"}
                    """#)
            let run = try await onThread {
                try program.run(["serve", "--json", "--config", "config.json"])
            }
            #expect(run.exitCode == 2)
            let paths = run.complaints.first?["problems"]?.elements?.compactMap { $0["path"]?.text }
            #expect(
                paths == [
                    "server.port", "server.adress", "server.publicURL", "server.hosts",
                    "server.allowActions", "server.reconcileEveryMinutes", "server.logFormat",
                    "server.connections", "server.connectionsPerAddress", "server.tokenFile",
                    "server.resendTo",
                ])
        }
    }

    @Test("The pages about the ledger stand beside the addresses that take webhooks")
    func pages() async throws {
        try await withProgram { program in
            let served = try await onThread {
                try ServedProgram(["--config", "config.json"], in: program)
            }
            let server = try #require(served)
            let answers = try await onThread {
                let client = try #require(RawClient(port: server.port))
                return ["/", "/sessions", "/webhooks", "/webhooks.json", "/providers", "/live.js"]
                    .map { path -> (path: String, status: Int?, policy: String?) in
                        client.request("GET", path, headers: [])
                        let reply = client.reply()
                        return (path, reply?.status, reply?.headers["content-security-policy"])
                    }
            }
            let cards = try await onThread {
                let client = try #require(RawClient(port: server.port))
                client.request("GET", "/providers.json")
                return try JSONValue(json: client.reply()?.body ?? [])
            }
            let providers = cards["providers"]?.elements ?? []
            #expect(providers.count == 16)
            for provider in providers {
                let words = provider["words"]?.elements ?? []
                #expect(words.contains { $0["meaning"]?.text == "payment.succeeded" })
            }
            let stripe = providers.first { $0["provider"]?.text == "stripe" }
            let expired = stripe?["words"]?.elements?.first { $0["word"]?.text == "expired/unpaid" }
            #expect(expired?["place"]?.text == "answer")
            #expect(expired?["meaning"]?.text == "expired")
            for answer in answers {
                #expect(answer.status == 200, "\(answer.path)")
                #expect(answer.policy?.contains("img-src 'self'") == true, "\(answer.path)")
                #expect(answer.policy?.contains("style-src 'sha256-") == true, "\(answer.path)")
            }
            let taken = try await onThread {
                let client = try #require(RawClient(port: server.port))
                return Self.deliver(1, over: client)
            }
            #expect(taken == 200)
            server.signal(SIGINT)
            #expect(try await onThread { server.ending() } == 0)
        }
    }

    @Test("With a token the pages of a reachable server ask for it, and webhooks do not")
    func token() async throws {
        try await withProgram { program in
            let token = String(repeating: "ab", count: 20)
            try program.write("token.txt", token + "\n")
            let served = try await onThread {
                try ServedProgram(
                    ["--config", "config.json", "--token-file", "token.txt"], in: program)
            }
            let server = try #require(served)
            let statuses = try await onThread {
                let client = try #require(RawClient(port: server.port))
                var statuses: [Int?] = []
                for headers in [[], [("Authorization", "Bearer \(token)")]] {
                    for path in ["/", "/metrics", "/healthz"] {
                        client.request("GET", path, headers: headers)
                        statuses.append(client.reply()?.status)
                    }
                }
                return statuses + [Self.deliver(1, over: client)]
            }
            #expect(statuses == [401, 401, 200, 200, 200, 200, 200])
            server.signal(SIGINT)
            #expect(try await onThread { server.ending() } == 0)
            #expect(server.errors.contains("Others on this machine can read token.txt"))
        }
    }

    @Test("The unit that is printed runs this command and locks it in")
    func unit() async throws {
        try await withProgram { program in
            let run = try program.run(["serve", "--print-unit"])
            #expect(run.exitCode == 0)
            for line in [
                "checkout-ledger serve", "User=checkout-ledger", "ProtectSystem=strict",
                "NoNewPrivileges=yes", "ListenStream=127.0.0.1:8787", "Restart=on-failure",
            ] {
                #expect(run.text.contains(line), "\(line)")
            }
        }
    }
}

/// The sessions whose webhooks were acknowledged.
private final class AcknowledgedSessions: Sendable {
    private let state = Mutex<Set<String>>([])

    var all: Set<String> { state.withLock { $0 } }

    /// How many there are with this one.
    func add(_ id: String) -> Int {
        state.withLock { all in
            all.insert(id)
            return all.count
        }
    }
}
