import Cryptography
import Foundation
import ProviderKit
import TestSupport
import Testing

@Suite("Webhooks that name the key they are signed with")
struct FetchedKeyTests {
    private static let webhookID = "1JE4291016473214C"
    private static let host = "api.sandbox.paypal.com"
    private static let time = "2026-03-04T05:06:07Z"

    /// A payment of 25 EUR, as PayPal would sign it with this key.
    private func delivery(_ key: URL, certificate: String, id: String = "WH-1") throws -> [UInt8] {
        let body = """
            {"id":"\(id)","event_type":"PAYMENT.CAPTURE.COMPLETED","resource_type":"capture",\
            "create_time":"\(Self.time)","resource":{"id":"3C679366HH908993F",\
            "status":"COMPLETED","amount":{"value":"25.00","currency_code":"EUR"},\
            "supplementary_data":{"related_ids":{"order_id":"5O190127TN364715T"}}}}
            """
        let message = "t-1|\(Self.time)|\(Self.webhookID)|\(checksum(Array(body.utf8)))"
        let signer = try RSAPrivateKey(pem: String(contentsOf: key, encoding: .utf8))
        let signature = Base64.encode(try signer.signPKCS1SHA256(Array(message.utf8)))
        return Array(
            """
            PAYPAL-TRANSMISSION-ID: t-1
            PAYPAL-TRANSMISSION-TIME: \(Self.time)
            PAYPAL-TRANSMISSION-SIG: \(signature)
            PAYPAL-CERT-URL: \(certificate)
            PAYPAL-AUTH-ALGO: SHA256withRSA
            Content-Length: \(body.utf8.count)

            \(body)
            """.utf8)
    }

    /// CRC-32 bit by bit, without the adapter's table.
    private func checksum(_ body: [UInt8]) -> UInt32 {
        var rest: UInt32 = .max
        for byte in body {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
        }
        return ~rest
    }

    private func place(_ name: String) -> String {
        "https://\(Self.host)/v1/notifications/certs/\(name)"
    }

    /// A ledger, and a configuration that has the server play PayPal and trusts the root.
    private func prepare(
        _ program: WritingProgram, _ root: TestAuthority.Certificate, port: UInt16
    ) throws {
        _ = try program.run(["init"])
        try program.write("roots.pem", try root.pem())
        try program.write(
            "shop.json",
            """
            {"providers":{"paypal":{"mode":"test","webhookID":"\(Self.webhookID)"}},
             "network":{"rootsFile":"roots.pem",
                        "loopback":{"\(Self.host)":"http://127.0.0.1:\(port)"}}}
            """)
    }

    private func run(
        _ program: WritingProgram, _ command: String, _ delivery: [UInt8]
    ) throws -> WritingProgram.Run {
        try program.run(
            [command, "webhook", "--provider", "paypal", "--config", "shop.json", "--json"],
            input: delivery)
    }

    private func eventCount(_ program: WritingProgram) throws -> Int {
        try program.run(["events", "--json"]).text.split(separator: "\n").count
    }

    @Test("The certificate is fetched from the provider, and its chain leads to a trusted root")
    func fetched() async throws {
        try await withProgram { program in
            let authority = try TestAuthority(in: program.directory)
            let middle = try authority.issue("Middle", names: [], isAuthority: true)
            let leaf = try authority.issue("sign.paypal.com", by: middle)
            let chain = try leaf.pem() + middle.pem()
            let server = try #require(LocalServer { _ in [.reply(200, chain)] })
            try prepare(program, authority.root, port: server.port)
            let delivery = try delivery(leaf.key, certificate: place("CERT-1"))

            let explained = try run(program, "explain", delivery)
            #expect(explained.exitCode == 0, "\(explained.errors)")
            #expect(explained.json["accepted"] == .bool(true))
            let recorded = try run(program, "record", delivery)
            #expect(recorded.exitCode == 0, "\(recorded.errors)")
            #expect(recorded.json["verdict"]?.text == "recorded")
            #expect(
                server.requests.map(\.path)
                    == Array(repeating: "/v1/notifications/certs/CERT-1", count: 2))
            let outcomes = try program.run(["outcomes", "--json"])
            #expect(outcomes.text.contains("5O190127TN364715T"))
        }
    }

    @Test("A certificate that leads to no trusted root, or is another's, makes nothing believed")
    func refused() async throws {
        try await withProgram { program in
            let authority = try TestAuthority(in: program.directory)
            let stranger = try TestAuthority(in: program.directory, name: "Stranger")
            let name = "sign.paypal.com"
            let cases: [(certificate: TestAuthority.Certificate, reason: String)] = [
                (try stranger.issue(name), "untrusted_key_source"),
                (try authority.issue("sign.evil.example"), "untrusted_key_source"),
                (try authority.issue(name, until: "20260101000000Z"), "untrusted_key_source"),
            ]
            for (number, (certificate, reason)) in cases.enumerated() {
                let pem = try certificate.pem()
                let server = try #require(LocalServer { _ in [.reply(200, pem)] })
                try prepare(program, authority.root, port: server.port)
                let delivery = try delivery(certificate.key, certificate: place("CERT-\(number)"))
                let explained = try run(program, "explain", delivery)
                #expect(explained.exitCode == 0, "\(explained.errors)")
                #expect(explained.json["reason"]?.text == reason)
                let recorded = try run(program, "record", delivery)
                #expect(recorded.exitCode == 1)
                #expect(recorded.json["reason"]?.text == reason)
            }
        }
    }

    @Test("A key that cannot be fetched is said to be so, and nothing is recorded")
    func offline() async throws {
        try await withProgram { program in
            let authority = try TestAuthority(in: program.directory)
            let leaf = try authority.issue("sign.paypal.com")
            let server = try #require(LocalServer { _ in [.reply(404, "")] })
            try prepare(program, authority.root, port: server.port)
            let delivery = try delivery(leaf.key, certificate: place("CERT-1"))
            let before = try eventCount(program)
            for command in ["record", "explain"] {
                let run = try run(program, command, delivery)
                #expect(run.exitCode == 1)
                #expect(run.code == "KEY_NOT_FETCHED")
                #expect(run.errors.contains("PayPal") && run.errors.contains(Self.host))
                #expect(run.output.isEmpty)
            }
            #expect(try eventCount(program) == before)
        }
    }

    @Test("Nothing is fetched from a place that is not the provider's, or for who names none")
    func untouched() async throws {
        try await withProgram { program in
            let authority = try TestAuthority(in: program.directory)
            let leaf = try authority.issue("sign.paypal.com")
            let server = try #require(LocalServer { _ in [.reply(404, "")] })
            try prepare(program, authority.root, port: server.port)
            let foreign = try delivery(leaf.key, certificate: "https://evil.example/certs/1")
            let run = try run(program, "record", foreign)
            #expect(run.exitCode == 1)
            #expect(run.json["reason"]?.text == "untrusted_key_source")
            let dodo = WritingDelivery(
                signing: #"{"type":"payment.succeeded","data":{"payment_id":"pay_1"}}"#, id: "msg_1"
            )
            #expect(try program.webhook("record", dodo).exitCode == 0)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A file of roots that holds none is a mistake in the configuration")
    func roots() async throws {
        try await withProgram { program in
            let authority = try TestAuthority(in: program.directory)
            try prepare(program, authority.root, port: 9)
            for (text, exists) in [("no certificate\n", true), ("", true), ("", false)] {
                if exists {
                    try program.write("roots.pem", text)
                } else {
                    try FileManager.default.removeItem(atPath: program.path("roots.pem"))
                }
                let run = try run(program, "record", Array("a: b\n\n{}".utf8))
                #expect(run.exitCode == 2 && run.code == "INVALID_CONFIGURATION")
                let problems = run.complaints.first?["problems"]?.elements ?? []
                #expect(problems.compactMap { $0["path"]?.text } == ["network.rootsFile"])
            }
        }
    }
}
