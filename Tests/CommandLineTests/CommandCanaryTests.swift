import CommandKit
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import checkout_ledger

@Suite("No command prints or keeps what it must not")
struct CommandCanaryTests {
    /// Commands that serve, wait, ask somebody else or need no ledger, and why they are left out.
    private static let elsewhere: Set<String> = [
        "serve",  // below
        "listen", "trigger", "checkout",  // take webhooks and returns as `serve` and `record` do
        "demo",  // a made-up shop of its own
        "explain checkout-url", "explain return-url", "explain amount",  // show what they are given
        "verify-proof", "verify-growth", "witness",  // read proofs alone
        "providers check",  // adapters with made-up bodies
    ]

    @Test("Every command of the program is among those that are looked at")
    func complete() {
        let lines = (CanaryShop.allLines).map { line in " \(line) " }
        let missing = CommandTable.entries.flatMap { $0.handlers.keys }
            .map { $0.joined(separator: " ") }
            .filter { path in
                !Self.elsewhere.contains(path) && !lines.contains { $0.hasPrefix(" \(path) ") }
            }
        // A noun alone runs one of its verbs.
        let nouns = Set(["audit", "keys", "providers", "webhooks", "privacy", "record", "explain"])
        #expect(missing.filter { !nouns.contains($0) }.sorted() == [])
    }

    @Test("Cards, codes, secrets and private fields are on no output and in no file in clear")
    func everyCommand() async throws {
        try await withProgram { program in
            let shop = try CanaryShop(program)
            try shop.tell()
            for (line, codes) in CanaryShop.questions { try shop.run(line, codes) }
            try program.write("in/log.keys", try shop.run("keys show").output)
            try shop.run("verify-export all.csv --key in/log.keys", [0])
            for number in 1...24 where number != 2 {
                try shop.run("audit run Q\(number) --format json", [0])
            }
            let name =
                try program.run(["privacy", "status", "--json"]).text
                .split(separator: "\n").first { $0.contains(#""state":"done""#) }
                .flatMap { $0.split(separator: "\"").dropFirst(3).first } ?? ""
            try shop.run("privacy receipt \(name) --out receipt", [0])
            #expect(shop.leaks == [])
            #expect(try shop.sightingsInFiles() == [])
            // And they were there to be found: what is sealed opens on demand.
            let opened = try program.run(["events", "--at", "4", "--private", "--json"])
            #expect(opened.text.contains(CanaryShop.address))
            #expect(!opened.text.contains(CanaryShop.pan))
            #expect(!opened.text.contains(CanaryShop.secret))
        }
    }

    @Test("The server's log, its metrics and every page show none of them")
    func server() async throws {
        try await withProgram { program in
            let shop = try CanaryShop(program)
            try shop.tell()
            let served = try await onThread {
                try ServedProgram(["--config", "in/config.json", "-v"], in: program)
            }
            let server = try #require(served)
            let pages = try await onThread {
                try Self.deliver(to: server.port)
                return try Self.crawl(server.port)
            }
            server.signal(SIGTERM)
            #expect(try await onThread { server.ending() } == 0)
            #expect(pages.count > 12, "\(pages.keys.sorted())")
            #expect(pages["/metrics"] != nil && pages["/"] != nil)
            for (path, text) in pages {
                #expect(CanaryShop.sightings(in: text) == [], "\(path)")
                #expect(!text.contains("canary.mail%40birdcage"), "\(path)")
            }
            #expect(server.errors.contains("http.status"))
            #expect(CanaryShop.sightings(in: server.errors) == [])
            #expect(try shop.sightingsInFiles() == [])
        }
    }

    /// Webhooks with everything in them: genuine, forged, and to nobody.
    private static func deliver(to port: UInt16) throws {
        let now = Int(Date().timeIntervalSince1970)
        let body = CanaryShop.payment(7)
        for (path, headers) in [
            ("/webhooks/dodo", CanaryShop.headers(body, id: "msg_7", at: now)),
            ("/webhooks/dodo", CanaryShop.headers("other", id: "msg_8", at: now)),
            ("/webhooks/\(CanaryShop.pan)?email=\(CanaryShop.address)", []),
        ] {
            let client = try #require(RawClient(port: port))
            client.request("POST", path, headers: headers, body: Array(body.utf8))
            #expect(client.reply() != nil, "\(path)")
        }
    }

    /// Every page that another one leads to, from the first one on, by path.
    private static func crawl(_ port: UInt16) throws -> [String: String] {
        var pages: [String: String] = [:]
        var waiting = ["/", "/metrics", "/healthz"]
        while let path = waiting.popLast() {
            guard pages[path] == nil, pages.count < 200 else { continue }
            let client = try #require(RawClient(port: port))
            client.request(
                "GET", path, headers: [("authorization", "Bearer \(CanaryShop.token)")])
            guard let reply = client.reply() else { continue }
            pages[path] = reply.text + reply.headers.map { "\($0): \($1)" }.joined()
            for part in reply.text.split(separator: "href=\"").dropFirst() {
                let link = part.prefix { $0 != "\"" }.replacing("&amp;", with: "&")
                if link.hasPrefix("/"), !link.hasPrefix("//") {
                    waiting.append(String(link.prefix { $0 != "#" }))
                }
            }
        }
        return pages
    }
}
